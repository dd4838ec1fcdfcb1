// @module-tag long
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { startMock, type RunningMock } from '../../mock/index.ts';
import { startRecorder, type Recorder } from '../client-rules/recorder.ts';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import ts from 'typescript';
import floor from 'typescript-floor';
import { compilerErrors, imported, temporaryFolder } from './generated.ts';
import { MANIFEST_PATH, type GeneratedFile } from '../../generator/index.ts';

const KEY = 'service-mock-ok';
let mock: RunningMock;
let router: Recorder;
beforeAll(async () => {
  mock = await startMock({ apis: ['router'], controlPort: false });
  router = await startRecorder(mock.url);
});
beforeEach(() => {
  router.exchanges.length = 0;
});
afterAll(async () => {
  await router.stop();
  await mock.stop();
});

class Stream {
  text = '';
  readonly isTTY = false;
  write(chunk: string): boolean {
    this.text += chunk;
    return true;
  }
}

async function generate(cwd: string, ...more: readonly string[]): Promise<{ code: number; err: string }> {
  const [stdout, stderr] = [new Stream(), new Stream()];
  const code = await main(['generate', 'router', '--out', 'api', ...more], {
    ...({ stdout, stderr } as unknown as { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }),
    cwd,
    environment: { TALLYSTICK_API_KEY: KEY },
    onSignal: () => () => undefined,
  });
  return { code, err: stderr.text };
}

const both = ['--model', 'mock/ok,acme/echo-1'];

function filesIn(folder: string): GeneratedFile[] {
  const { files } = JSON.parse(readFileSync(join(folder, MANIFEST_PATH), 'utf8')) as { files: object };
  return Object.keys(files).map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

test('models are typed and checked by their own schemas, several at once', async () => {
  const folder = temporaryFolder();
  expect(await generate(folder, ...both, '--from', router.url)).toMatchObject({ code: 0 });
  const files = filesIn(join(folder, 'api'));
  const use = (text: string): string[] =>
    compilerErrors([...files, { path: 'use.ts', text: `${setup}${text}` }]).filter((line) =>
      line.startsWith('use.ts'),
    );
  const setup =
    "import { createRouter } from './router/index.js';\nconst router = createRouter({ baseUrl: '/' });\n";
  expect(compilerErrors(files)).toStrictEqual([]);
  expect(use("void router.model('mock/ok').run({ prompt: 'x' });\n")).toStrictEqual([]);
  expect(use("void router.model('mock/ok').run({ prompt: 7 });\n")).toHaveLength(1);
  expect(use("void router.model('mock/none').run({});\n")).toHaveLength(1);

  const { createRouter } = await imported(files, 'router/index.ts');
  const client = (createRouter as (options: object) => Client)({
    baseUrl: router.url,
    credentials: { ApiKeyAuth: KEY },
  });
  router.exchanges.length = 0;
  const wrong = await client
    .model('mock/ok')
    .run({ prompt: 7 })
    .then(undefined, (error: unknown) => error);
  expect(wrong).toMatchObject({
    name: 'InputError',
    message: expect.stringContaining('/prompt must be string') as string,
  });
  expect(router.exchanges).toStrictEqual([]);
  expect(await client.model('mock/ok').run({ prompt: 'x' })).toMatchObject({ status: 200 });
  expect(router.exchanges.map(({ target }) => target)).toStrictEqual(['/v1/models/mock/ok']);
});

interface Client {
  model(id: string): { run(input: unknown): Promise<unknown> };
}

test('a current document is not sent again; --check and runs without an address ask no server', async () => {
  const folder = temporaryFolder();
  await generate(folder, ...both, '--from', router.url);
  expect(await generate(folder, ...both, '--from', router.url)).toMatchObject({ code: 0 });
  expect(router.exchanges.map(({ status }) => status)).toStrictEqual([200, 200, 304, 304]);
  router.exchanges.length = 0;
  expect((await generate(folder, ...both, '--from', router.url, '--check')).code).toBe(0);
  expect((await generate(folder, ...both)).code).toBe(0);
  expect(router.exchanges).toStrictEqual([]);
});

test('without a kept document and without an address nothing is made up', async () => {
  const { code, err } = await generate(temporaryFolder(), ...both);
  expect([code, err]).toStrictEqual([
    2,
    expect.stringContaining('npx --no -- tallystick generate router --model'),
  ]);
});

test.each([
  ['a model that the server does not have', 'mock/no-such-model', 3, 'answered 404'],
  ['what is no id', 'mock', 2, 'is not a model id'],
])('%s stops the run, and nothing is changed', async (_what, id, code, said) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{}');
  const told = await generate(folder, '--model', id, '--from', router.url);
  expect([told.code, told.err]).toStrictEqual([code, expect.stringContaining(said)]);
});

test('an address without an answer is reported as such', async () => {
  const { code } = await generate(temporaryFolder(), ...both, '--from', 'http://127.0.0.1:9');
  expect(code).toBe(3);
});

async function catalogue(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const response = await fetch(`${mock.url}/v1/models?${String(query)}`, { headers: { 'X-API-Key': KEY } });
    const page = (await response.json()) as { data: { id: string }[]; next_cursor?: string };
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

test('the code for every model of the catalogue compiles, from the oldest compiler on, with strict and without', async () => {
  const folder = temporaryFolder();
  const ids = await catalogue();
  expect(ids).toContain('acme/easel-2.1');
  expect(await generate(folder, '--model', ids.join(','), '--from', mock.url)).toMatchObject({ code: 0 });
  const files = filesIn(join(folder, 'api')).filter(({ path }) => path.endsWith('.ts'));
  const models = files.find(({ path }) => path === 'router/models.ts')?.text ?? '';
  expect(ids.filter((id) => !models.includes(`'${id}': Input`))).toStrictEqual([]);
  const loose = { strict: false, exactOptionalPropertyTypes: false, isolatedDeclarations: false };
  for (const compiler of [floor as unknown as typeof ts, ts]) {
    expect(compilerErrors(files, 'nodenext', {}, compiler)).toStrictEqual([]);
    expect(compilerErrors(files, 'nodenext', loose, compiler)).toStrictEqual([]);
  }
});

test('models stay when a later run does not name them, and --prune drops them', async () => {
  const folder = temporaryFolder();
  await generate(folder, '--model', 'mock/ok', '--from', mock.url);
  expect((await generate(folder, '--check')).code).toBe(0);
  expect((await generate(folder, '--model', 'mock/ok', '--check')).code).toBe(0);
  await generate(folder, '--model', 'acme/echo-1', '--from', mock.url);
  expect((await generate(folder, '--check')).code).toBe(0);
  const paths = (): string[] => filesIn(join(folder, 'api')).map(({ path }) => path);
  expect(paths()).toEqual(expect.arrayContaining(['model-mock-ok/types.ts', 'model-acme-echo-1/types.ts']));
  await generate(folder, '--prune', '--model', 'mock/ok');
  expect(paths()).not.toContain('model-acme-echo-1/types.ts');
  expect(paths()).toContain('model-mock-ok/types.ts');
});

test.each([
  ['endless', (response: ServerResponse) => response],
  [
    'endless when it is decompressed',
    (response: ServerResponse) => {
      response.setHeader('content-encoding', 'gzip');
      const gzip = createGzip();
      gzip.pipe(response);
      return gzip;
    },
  ],
])('a schema that is %s is read up to a bound', async (_what, bodyOf) => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    const body = bodyOf(response);
    const piece = Buffer.alloc(65_536, ' ');
    const push = (): void => {
      while (!response.destroyed && body.write(piece));
      if (!response.destroyed) body.once('drain', push);
    };
    push();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const told = await generate(temporaryFolder(), ...both, '--from', `http://127.0.0.1:${String(port)}`);
    expect([told.code, told.err]).toStrictEqual([
      3,
      expect.stringContaining('sent more than 4 MB as the schema of'),
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
