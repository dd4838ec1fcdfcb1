// @module-tag long
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadContract, type Contract } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { compilerErrors, contractOf, filesOf, imported } from './generated.ts';
import { wireDocument } from './wire-document.ts';

const fixtures = join(import.meta.dirname, '../fixtures/documents');

async function read(document: string): Promise<Contract> {
  const loaded = await loadContract({ document, cwd: fixtures });
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  return loaded.contract;
}

function mockOf(contract: Contract): Mock {
  const mock = createMock({ contracts: [contract] });
  onTestFinished(() => {
    mock.close();
  });
  return mock;
}

const ask = (mock: Mock, target: string, init: RequestInit = {}): Promise<Response> =>
  mock.fetch(`http://localhost${target}`, init);

describe.each([
  'server-variables.yaml',
  'percent-in-names.yaml',
  'names-of-every-object.yaml',
  'no-operations.yaml',
])('%s', (document) => {
  test.each(['nodenext', 'bundler'] as const)(
    'becomes code that a strict compiler takes (%s)',
    async (resolution) => {
      const files = await generate([await read(document)], { server: true });
      expect(compilerErrors(files, resolution)).toStrictEqual([]);
    },
  );
});

test('every way of describing bodies, answers and addresses becomes types that a strict compiler takes', async () => {
  const files = await filesOf(wireDocument, 'sample', { server: true });
  const use = {
    path: 'use.ts',
    text: `import { readFailingFailure } from './sample/failures.js';
import { createSample, ItemStream, NotFoundError } from './sample/index.js';
import { createServer } from './sample/server.js';
const client = createSample({ variables: { region: 'us' } });
export async function calls(stream: ReadableStream): Promise<number> {
  await client.sendOctets({ body: stream });
  await client.sendOctets({ body: new Uint8Array(1) });
  await client.sendSeveral({ body: { message: 'm' } });
  await client.sendSeveral({ contentType: 'text/plain', body: 'm' });
  await client.sendHeadedParts({
    body: { doc: { message: 'm' } },
    partHeaders: { doc: { 'X-Doc-Id': 'a', 'X-Kind': 'draft' }, pages: [{ 'X-Page': '1' }] },
  });
  const { data } = await client.chat();
  const first: string | undefined = data instanceof ItemStream ? undefined : data.message;
  if (data instanceof ItemStream) for await (const event of data) return event.data.message.length;
  for await (const row of (await client.readRows()).data) return row.message.length;
  return first?.length ?? 0;
}
export const size = (handlers: Parameters<typeof createServer>[0]): typeof handlers => ({
  ...handlers,
  sendOctets: ({ body }) => ({ status: 204, headers: { 'X-Size': String(body.size) } }),
  sendSeveral: (input) => ({
    status: 204,
    headers: { 'X-Size': input.contentType === 'application/octet-stream' ? String(input.body.size) : '' },
  }),
});
export function told(error: unknown): string {
  if (error instanceof NotFoundError) {
    // @ts-expect-error: the body is no \`any\`
    error.body.anything.goes;
  }
  return readFailingFailure(error, '4XX')?.body.message ?? readFailingFailure(error, 'default')?.body.kind ?? '';
}
createSample({ variables: { region: 'mars' } });
await client.sendSeveral({ contentType: 'text/plain', body: { message: 'm' } });
await client.sendOctets({ body: 'text' });
await client.sendHeadedParts({ body: {}, partHeaders: { doc: { 'X-Kind': 'draft' } } });
await client.sendHeadedParts({ body: {}, partHeaders: { pages: { 'X-Kind': 'draft' } } });
`,
  };
  expect(compilerErrors([...files, use]).map((error) => error.slice(0, 44))).toStrictEqual([
    'use.ts:35 Type \'"mars"\' is not assignable to',
    'use.ts:36 Argument of type \'{ contentType: "',
    "use.ts:37 Type 'string' is not assignable to",
    "use.ts:38 Property ''X-Doc-Id'' is missing i",
    'use.ts:39 Object literal may only specify kn',
  ]);
});

test('code without validators compiles', async () => {
  const files = await filesOf(wireDocument, 'sample', { withoutValidators: true });
  expect(compilerErrors(files)).toStrictEqual([]);
});

test('a document whose server variables are described is served', async () => {
  const mock = mockOf(await read('server-variables.yaml'));
  expect((await ask(mock, '/x')).status).toBe(200);
});

test.each([
  [
    { default: 'eu', descriptions: 'x' },
    '/servers/0/variables/region/descriptions unknown property "descriptions"',
  ],
  [
    { default: 'eu', describtion: 'x' },
    '/servers/0/variables/region/describtion unknown property "describtion"',
  ],
  [{ default: ['eu'] }, '/servers/0/variables/region/default'],
])('a server variable %j is refused', async (variable, said) => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Sample', version: '1' },
    servers: [{ url: 'https://{region}.example.com', variables: { region: variable } }],
    paths: {},
  };
  await expect(contractOf(document)).rejects.toThrow(said);
});

test('properties with % in their names are typed, checked and answered under these names', async () => {
  const contract = await read('percent-in-names.yaml');
  const files = await generate([contract]);
  const use = {
    path: 'use.ts',
    text: `import type { Stats } from './percent-in-names/types.js';
export const stats: Stats = {
  'growth %': { 'of %41': { a: 'x' } }, 'a#/%zz': { b: 1 }, '~25': { c: true }, 'list %': [{ 'd %': {} }],
};
export const wrong: Stats = { 'growth %': { 'of %41': { a: 1 } } };
`,
  };
  expect(compilerErrors([...files, use])).toStrictEqual([
    "use.ts:5 Type 'number' is not assignable to type 'string'.",
  ]);
  const { isStats } = (await imported(files, 'percent-in-names/validators.ts')) as {
    isStats: (value: unknown) => boolean;
  };
  const answer = await ask(mockOf(contract), '/stats?share%20%25=a');
  expect(answer.status).toBe(200);
  const stats: unknown = await answer.json();
  expect(stats).toStrictEqual({
    'growth %': { 'of %41': { a: 'x' } },
    'a#/%zz': { b: 1 },
    '~25': { c: true },
  });
  expect([isStats(stats), isStats({}), isStats({ 'growth %': { 'of %41': { a: 1 } } })]).toStrictEqual([
    ...[true, false, false],
  ]);
});

describe('parameters and properties under names that every object has', () => {
  let contract: Contract;
  beforeAll(async () => {
    contract = await read('names-of-every-object.yaml');
  });

  test.each<[string, string, RequestInit, number]>([
    ['optional and absent', '/x', {}, 200],
    ['optional and given', '/x?constructor=a', {}, 200],
    ['required and absent', '/strict', {}, 400],
    ['required and given', '/strict?toString=short', {}, 200],
    ['required and wrong', '/strict?toString=x', {}, 400],
    ['wrong beside a good one', '/strict?toString=short&valueOf=x', {}, 400],
    [
      'a body that has them',
      '/loose',
      { method: 'POST', body: '{"constructor":"a","toString":"b","valueOf":1}' },
      204,
    ],
    ['a body that lacks them', '/loose', { method: 'POST', body: '{}' }, 400],
    [
      'a body where one is wrong',
      '/loose',
      { method: 'POST', body: '{"constructor":"a","valueOf":"b"}' },
      400,
    ],
  ])('the mock judges them: %s', async (_what, target, init, status) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await ask(mockOf(contract), target, {
      ...init,
      ...(init.body === undefined ? {} : { headers }),
    });
    // Prism says 422 where a document declares no other status for a request that does not fit.
    expect(answer.status === 422 ? 400 : answer.status).toBe(status);
    if (target.startsWith('/strict') && status === 200)
      expect(await answer.json()).toStrictEqual({ constructor: 'a', toString: 'b' });
  });

  test('the client sends those that are given, and no others', async () => {
    const name = 'names-of-every-object';
    const module = await imported(await generate([contract]), `${name}/index.ts`);
    const sent: string[] = [];
    const connection = (module['connect'] as (options: object) => object)({
      baseUrl: 'https://api.example.com',
      fetch: (url: string, { headers }: { headers: Headers }) => {
        sent.push(url, ...[...new Headers(headers).keys()].filter((header) => header === 'hasownproperty'));
        return Promise.resolve(new Response());
      },
    });
    const x = module['x'] as (connection: object, input?: object) => Promise<unknown>;
    await x(connection);
    await x(connection, {});
    await x(connection, { constructor: 'a' });
    expect(sent).toStrictEqual([
      'https://api.example.com/x',
      'https://api.example.com/x',
      'https://api.example.com/x?constructor=a',
    ]);
  });
});

test('a document without operations is served: every path is unknown', async () => {
  const mock = mockOf(await read('no-operations.yaml'));
  expect((await ask(mock, '/x')).status).toBe(404);
});
