// @module-tag long
// @module-tag attack
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract, type Contract } from '../../contract/index.ts';
import { startMock } from '../../mock/index.ts';
import { startProxy } from '../../proxy/index.ts';
import { freshFolder, tallystickHere } from '../cli/command.ts';
import { answerTo, answered, basicValue, leaksIn, places, requests } from './marked-secrets.ts';

let folder = '';
let server: Server;
let url = '';
let contract: Contract;
/** All that passed the wire. */
const wire: string[] = [];

const scheme = (place: string, name: string): object => ({ type: 'apiKey', in: place, name });
const schema = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
const answer = { description: 'd', content: { 'application/json': { schema } } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: '/' }],
  security: [{ own: [] }, { who: [] }],
  paths: {
    '/things': {
      get: { operationId: 'list', responses: { 200: answer } },
      post: {
        operationId: 'add',
        requestBody: { content: { 'application/json': { schema } } },
        responses: { 200: answer },
      },
    },
  },
  components: { securitySchemes: { own: scheme('header', 'X-Own'), who: scheme('query', 'who') } },
};

beforeAll(async () => {
  folder = await freshFolder();
  await writeFile(join(folder, 'things.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'things.json', cwd: folder });
  if (!loaded.ok) throw new Error('the document is refused');
  ({ contract } = loaded);
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const sent = `${request.url ?? ''}\n${request.rawHeaders.join('\n')}\n${Buffer.concat(parts).toString()}`;
      const body = answerTo(sent);
      wire.push(sent, body, Object.values(answered).join('\n'));
      response.writeHead(200, { 'Content-Type': 'application/json', ...answered });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function callAll(base: string): Promise<void> {
  for (const { target, headers, body } of requests)
    await (await fetch(`${base}${target}`, { method: 'POST', headers, body })).text();
}

/** A script in the folder that makes all calls to the address in a variable. */
async function callsOf(variable: string): Promise<string> {
  const name = `${variable.toLowerCase()}.mjs`;
  const script = `
    const requests = ${JSON.stringify(requests)};
    for (const { target, headers, body } of requests)
      await (await fetch(process.env.${variable} + target, { method: 'POST', headers, body })).text();`;
  await writeFile(join(folder, name), script);
  return name;
}

async function filesIn(place: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const files = await readdir(place, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')] as const));
}

function expectNoMark(outputs: readonly (readonly [name: string, text: string])[]): void {
  for (const [name, text] of outputs) expect(`${name}: ${leaksIn(text).join(', ')}`).toBe(`${name}: `);
}

/** Everything that the control API says of exchanges. */
async function inspected(control: string): Promise<readonly (readonly [string, string])[]> {
  const list = await (await fetch(`${control}/control/v1/journal`)).text();
  const { entries } = JSON.parse(list) as { entries: { number: number }[] };
  const numbers = entries.map(({ number }) => number);
  expect(numbers).toHaveLength(requests.length);
  const each = await Promise.all(
    numbers.map(async (number) => {
      const text = await (await fetch(`${control}/control/v1/journal/${number}`)).text();
      return [`exchange ${number}`, text] as const;
    }),
  );
  return [['journal page', list], ...each];
}

test('the places: each of them is on the wire, and would be seen', async () => {
  expect(places.length).toBeGreaterThanOrEqual(25);
  await callAll(url);
  expect(leaksIn(wire.join('\n'))).toStrictEqual(places.map(({ name }) => name));
  expect(leaksIn(`x ${basicValue} y`)).toStrictEqual(['the password of Basic']);
});

test('proxy: terminal, JSON lines, report and HAR have no marked secret', async () => {
  const script = await callsOf('TALLYSTICK_PROXY_URL');
  for (const [form, ...more] of [['lines'], ['json', '--json']] as const) {
    const report = join(folder, `proxy-${form}`);
    await mkdir(report, { recursive: true });
    const ran = await tallystickHere(
      [
        'proxy',
        url,
        '--contract',
        'things.json',
        '--port',
        '0',
        '--no-control',
        '--exec',
        `node ${script}`,
        '--report',
        report,
        '--record',
        `${form}.har`,
        ...more,
      ],
      { cwd: folder },
    );
    const har = await readFile(join(folder, `${form}.har`), 'utf8');
    expect((JSON.parse(har) as { log: { entries: unknown[] } }).log.entries).toHaveLength(requests.length);
    expect(ran.stdout + ran.stderr).toContain('/things');
    expectNoMark([['stdout', ran.stdout], ['stderr', ran.stderr], ['har', har], ...(await filesIn(report))]);
  }
});

test('proxy: the inspector has no marked secret', async () => {
  const proxy = await startProxy({ target: new URL(url), contracts: [contract], controlPort: 0 });
  await callAll(proxy.url);
  await expect
    .poll(
      async () =>
        (
          (await (await fetch(`${proxy.controlUrl ?? ''}/control/v1/journal`)).text()).match(/"number"/g) ??
          []
        ).length,
    )
    .toBe(requests.length);
  expectNoMark(await inspected(proxy.controlUrl ?? ''));
  await proxy.stop();
});

test('mock: journal and inspector have no marked secret', async () => {
  const mock = await startMock({ apis: [], contracts: [contract], controlPort: 0 });
  await callAll(mock.url);
  expectNoMark([
    ['journal', JSON.stringify(mock.journal.entries())],
    ...(await inspected(mock.controlUrl ?? '')),
  ]);
  await mock.stop();
});

const terminals: readonly (readonly string[])[] = [
  [],
  ['--json'],
  ['--judge-client'],
  ['--judge-client', '--json'],
];

test.each(terminals.map((flags) => [flags] as const))(
  'mock: the terminal with %j has no marked secret',
  async (more) => {
    const script = await callsOf('TALLYSTICK_MOCK_URL');
    const ran = await tallystickHere(
      ['mock', 'things.json', '--port', '0', '--control-port', '0', '--exec', `node ${script}`, ...more],
      { cwd: folder },
    );
    const output = ran.stdout + ran.stderr;
    expect(output.match(/\/things/g)?.length).toBeGreaterThanOrEqual(requests.length);
    expectNoMark([['output', output]]);
  },
);

test('conform and replay: no format, script, event or line has a marked secret', async () => {
  const [first] = requests;
  const key = first?.headers['X-Own'] ?? '';
  const gateway = `X-Auth-Token: ${first?.headers['X-Auth-Token'] ?? ''}`;
  const environment = { TALLYSTICK_API_KEY: key };
  const run = await tallystickHere(['conform', url, '--contract', 'things.json', '--header', gateway], {
    cwd: folder,
    environment,
  });
  const report = join(folder, 'tallystick-report');
  const files = await filesIn(report);
  expect(files.length).toBeGreaterThan(8);
  expect(files.some(([name]) => name.endsWith('.sh'))).toBe(true);
  const { exchanges } = JSON.parse(await readFile(join(report, 'report.json'), 'utf8')) as {
    exchanges: { id: string; answer?: object }[];
  };
  const [one] = exchanges.filter((exchange) => exchange.answer !== undefined);
  const replay = await tallystickHere(
    ['conform', 'replay', join(report, 'report.json'), one?.id ?? '', '--base-url', url, '--header', gateway],
    { cwd: folder, environment: { ...environment, API_KEY: key } },
  );
  expect(replay.stdout).toContain('200');
  expectNoMark([
    ...[['run', run.stdout + run.stderr] as const, ['replay', replay.stdout + replay.stderr] as const],
    ...files,
  ]);
});
