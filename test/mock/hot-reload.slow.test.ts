// @module-tag long
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import type { ControlState, ReloadShape } from '../../mock/control/shape.ts';

/** A mock of the command line, whose documents change while it runs. */
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-reload-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
  rmSync(folder, { recursive: true, force: true });
});
const running: (() => Promise<unknown>)[] = [];

const put = (file: string, text: string): void => {
  writeFileSync(join(folder, file), text);
};
const packaged = (file: string): string =>
  readFileSync(new URL(`../../specs/${file}`, import.meta.url), 'utf8');

/** As editors do that save into a new file and rename it. */
const putAtomically = (file: string, text: string): void => {
  put(`${file}.swap`, text);
  renameSync(join(folder, `${file}.swap`), join(folder, file));
};

interface Started {
  readonly url: string;
  readonly controlUrl: string;
  readonly said: () => string;
  /** The next reported change; each is returned once. */
  readonly reloaded: () => Promise<ReloadShape>;
  readonly stop: () => Promise<unknown>;
}

async function mock(...args: readonly string[]): Promise<Started> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let said = '';
  stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let end: (() => void) | undefined;
  const ended = main(['mock', '--port', '0', '--control-port', '0', '--json', ...args], {
    stdout,
    stderr,
    cwd: folder,
    environment: {},
    onSignal: (listener) => {
      end = () => {
        listener('SIGTERM');
      };
      return () => undefined;
    },
  });
  const next = async (event: string): Promise<unknown> => {
    for (;;) {
      const line = await Promise.race([
        lines.next(),
        ended.then((code) => ({ done: true, value: String(code) })),
      ]);
      if (line.done === true) throw new Error(`the mock ended with ${line.value as string}: ${said}`);
      const told = JSON.parse(line.value as string) as { event: string };
      if (told.event === event) return told;
    }
  };
  const { url, controlUrl } = (await next('ready')) as { url: string; controlUrl: string };
  const stop = async (): Promise<unknown> => {
    end?.();
    return ended;
  };
  running.push(stop);
  return { url, controlUrl, said: () => said, reloaded: () => next('reload') as Promise<ReloadShape>, stop };
}

const pets = (name: string): string => `
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pet:
    get:
      operationId: getPet
      responses:
        '200':
          description: A pet.
          content: { application/json: { schema: { $ref: 'parts/pet.yaml#/Pet' }, example: { name: ${name} } } }
`;
const part = (description: string): string => `Pet: { type: object, description: ${description} }\n`;
const petOf = async ({ url }: Started): Promise<unknown> => (await fetch(`${url}/pet`)).json();
const stateOf = async ({ controlUrl }: Started): Promise<ControlState> =>
  (await fetch(`${controlUrl}/control/v1/state`)).json() as Promise<ControlState>;

function putPets(name: string): void {
  mkdirSync(join(folder, 'parts'), { recursive: true });
  put('parts/pet.yaml', part('A pet.'));
  put('pets.yaml', pets(name));
}

test.each([
  ['written over in place', put],
  ['replaced by a renamed file', putAtomically],
])('a document that is %s is served anew', async (_how, write) => {
  putPets('Rex');
  const started = await mock('pets.yaml');
  expect(await petOf(started)).toStrictEqual({ name: 'Rex' });
  write('pets.yaml', pets('Tom'));
  expect(await started.reloaded()).toMatchObject({ ok: true, documents: ['pets.yaml'], problems: [] });
  expect(await petOf(started)).toStrictEqual({ name: 'Tom' });
  expect((await stateOf(started)).reload).toMatchObject({ number: 1, ok: true });
});

test('a change of a referenced file reloads the document', async () => {
  putPets('Rex');
  const started = await mock('pets.yaml');
  put('parts/pet.yaml', part('Another pet.'));
  expect(await started.reloaded()).toMatchObject({ ok: true });
  const document = await (await fetch(`${started.controlUrl}/control/v1/openapi/pets`)).text();
  expect(document).toContain('Another pet.');
});

test('a broken edit is reported with its place, the last good one is served, and a file that appears can mend it', async () => {
  putPets('Rex');
  const started = await mock('pets.yaml');
  put('pets.yaml', pets('Tom').replace('parts/pet.yaml', 'parts/cat.yaml'));
  const broken = await started.reloaded();
  expect(broken).toMatchObject({ ok: false, documents: ['pets.yaml'] });
  expect(broken.problems.join()).toMatch(/^pets\.yaml:\d+:\d+ {2}.*cat\.yaml/);
  expect(started.said()).toMatch(/pets\.yaml:\d+:\d+/);
  expect(started.said()).toContain('the mock still serves the last valid version');
  expect(await petOf(started)).toStrictEqual({ name: 'Rex' });
  expect((await stateOf(started)).reload).toMatchObject({ ok: false, problems: broken.problems });

  put('parts/cat.yaml', part('A cat.'));
  expect(await started.reloaded()).toMatchObject({ ok: true });
  expect(await petOf(started)).toStrictEqual({ name: 'Tom' });
});

test('many changes in quick succession cause one reload', async () => {
  putPets('Rex');
  const started = await mock('pets.yaml');
  for (let i = 0; i < 50; i += 1) {
    put('pets.yaml', '');
    put('pets.yaml', pets(`Rex${String(i)}`));
  }
  expect(await started.reloaded()).toMatchObject({ number: 1, ok: true });
  expect(await petOf(started)).toStrictEqual({ name: 'Rex49' });
  put('pets.yaml', pets('Tom'));
  expect(await started.reloaded()).toMatchObject({ number: 2, ok: true });
});

const header = { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' };
const run = ({ url }: Started, key: string): Promise<Response> =>
  fetch(`${url}/v1/models/mock/ok`, {
    method: 'POST',
    headers: { ...header, 'Idempotency-Key': key },
    body: '{"prompt":"x"}',
  });

test('copies of our own documents and sheets are served with their behaviour, and state outlives a change', async () => {
  for (const file of [
    'router.openapi.yaml',
    'router.behaviour.yaml',
    'jobs.openapi.yaml',
    'jobs.behaviour.yaml',
  ])
    put(file, packaged(file));
  const started = await mock(
    '--contract',
    'router=router.openapi.yaml',
    '--contract',
    'jobs=jobs.openapi.yaml',
  );
  const { url, controlUrl } = started;
  const answer = await (await run(started, 'order')).text();
  const bearer = { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json' };
  const graph = JSON.stringify({ 1: { class_type: 'Wait', inputs: { seconds: 600 } } });
  const submitted = await fetch(`${url}/api/v2/jobs`, { method: 'POST', headers: bearer, body: graph });
  const { id } = (await submitted.json()) as { id: string };
  const events = await fetch(`${url}/api/v2/jobs/${id}/events`, { headers: bearer });
  await fetch(`${controlUrl}/control/v1/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"advance":"PT1M","speed":0}',
  });
  const before = await stateOf(started);

  put('router.openapi.yaml', packaged('router.openapi.yaml').replace(/^( {2}title: ).*$/m, '$1My router'));
  expect(await started.reloaded()).toMatchObject({ ok: true });
  const after = await stateOf(started);
  expect(after.apis.map(({ title }) => title)).toContain('My router');
  const held = ({ apis }: typeof after): unknown => apis.find(({ name }) => name === 'router')?.holds;
  expect(held(before)).toMatchObject({ keys: 1 });
  expect([after.clock.now, after.latest, held(after)]).toStrictEqual([
    before.clock.now,
    before.latest,
    held(before),
  ]);
  const again = await run(started, 'order');
  expect([again.headers.get('Idempotent-Replayed'), await again.text()]).toStrictEqual(['true', answer]);

  // A stream that was open before hears of what happens behind the change.
  await fetch(`${url}/api/v2/jobs/${id}/cancel`, { method: 'POST', headers: bearer, body: '{}' });
  await fetch(`${controlUrl}/control/v1/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"advance":"PT1M"}',
  });
  expect(await events.text()).toContain('"canceled"');
});

test('a sheet alone can change what the mock does, and a broken one is reported with its place', async () => {
  put('router.openapi.yaml', packaged('router.openapi.yaml'));
  const sheet = packaged('router.behaviour.yaml');
  put('router.behaviour.yaml', sheet);
  const started = await mock('router', '--contract', 'router=router.openapi.yaml,router.behaviour.yaml');
  await run(started, 'order');
  const changed = sheet.replace(/(replayHeader:[\s\S]{0,80}?name: )[\w-]+/, '$1Sent-Again');
  expect(changed).not.toBe(sheet);
  put('router.behaviour.yaml', changed);
  expect(await started.reloaded()).toMatchObject({ ok: true });
  expect((await run(started, 'order')).headers.get('Sent-Again')).toBe('true');

  put('router.behaviour.yaml', changed.replace('kind: idempotency', 'kind: idempotancy'));
  const broken = await started.reloaded();
  expect(broken.problems.join()).toMatch(/^router\.behaviour\.yaml:\d+:\d+/);
  expect((await run(started, 'order')).headers.get('Sent-Again')).toBe('true');
});

test('a copy of an unknown contract is refused with a message', async () => {
  await expect(mock('--contract', 'routr=x.yaml')).rejects.toThrow(/expected NAME=DOCUMENT/);
});
