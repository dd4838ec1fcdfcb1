import { beforeEach, expect, test } from 'vitest';
import { documentOf, filesOf, imported } from './generated.ts';

// What a generated client and a generated server have to mean alike where OpenAPI leaves it to them.

const done = { '204': { description: 'Done.' } };
const ok = (content: object, more: object = {}): object => ({
  '200': { description: 'Here.', content, ...more },
});
const note = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } };
const numbers = { type: 'object', additionalProperties: { type: 'integer' } };

const query = (name: string): object => ({ name, in: 'query', schema: { type: 'string' } });
const inPath = (name: string, schema: object): object => ({ name, in: 'path', required: true, schema });

const paths = {
  '/cookies': {
    get: {
      operationId: 'readCookies',
      parameters: [
        { name: 'a+b', in: 'cookie', schema: { type: 'string' } },
        { name: 'c|d', in: 'cookie', content: { 'application/json': { schema: note } } },
      ],
      responses: done,
    },
  },
  '/spread': {
    get: {
      operationId: 'readSpread',
      parameters: [
        { name: 'counts', in: 'query', style: 'spaceDelimited', explode: true, schema: numbers },
        { name: 'note', in: 'query', content: { 'application/json': { schema: note } } },
      ],
      responses: done,
    },
  },
  '/versions': {
    post: {
      operationId: 'sendVersion',
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: note },
          'application/json; version=2': { schema: { type: 'array', items: note } },
        },
      },
      responses: done,
    },
  },
  '/buckets/{bucket}?acl': {
    get: {
      operationId: 'readAcl',
      parameters: [
        inPath('bucket', { type: 'string' }),
        { name: 'acl', in: 'query', required: true, schema: { type: 'boolean' } },
      ],
      responses: done,
    },
  },
  '/nested': {
    get: {
      operationId: 'readNested',
      parameters: [
        { name: 'notes', in: 'query', schema: { type: 'array', items: note } },
        {
          name: 'rows',
          in: 'query',
          schema: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
        },
      ],
      responses: done,
    },
  },
  '/sockets': {
    get: {
      operationId: 'readSockets',
      servers: [{ url: 'wss://stream.example.com/v1/' }, { url: 'https://stream.example.com/v1/' }],
      parameters: [query('name')],
      responses: done,
    },
  },
  '/uploads': {
    servers: [{ url: 'https://uploads.example.com/u/v1/' }],
    put: { operationId: 'sendUpload', parameters: [query('name')], responses: done },
  },
  '/tokens/{tenant}': {
    get: {
      operationId: 'readToken',
      servers: [{ url: '/{tenant}/oauth', variables: { tenant: { default: 'common' } } }],
      parameters: [{ name: 'tenant', in: 'path', required: true, schema: { type: 'string' } }],
      responses: done,
    },
  },
  '/styled/{label}{matrix}': {
    get: {
      operationId: 'readStyled',
      parameters: [
        { ...inPath('label', { type: 'array', items: { type: 'string' } }), style: 'label' },
        { ...inPath('matrix', { type: 'integer' }), style: 'matrix' },
      ],
      responses: done,
    },
  },
  '/rows': { get: { operationId: 'readRows', responses: ok({ 'application/jsonl': { schema: note } }) } },
  '/records': {
    get: { operationId: 'readRecords', responses: ok({ 'application/json-seq': { schema: note } }) },
  },
  '/plain': {
    get: {
      operationId: 'readPlain',
      responses: {
        ...ok({ 'application/json': { schema: note } }),
        default: {
          description: 'No.',
          headers: { 'X-Why': { required: true, schema: { type: 'string' } } },
        },
      },
    },
  },
};

type Call = (input?: object) => Promise<{ readonly data: unknown }>;
let client: { createSample(options: object): Record<string, Call> };
let server: { createServer(handlers: object, options: object): (request: Request) => Promise<Response> };

// Made once, by the test that runs first.
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));
async function make(): Promise<void> {
  const files = await filesOf(documentOf({}, paths), 'sample', { server: true });
  client = (await imported(files, 'sample/index.ts')) as unknown as typeof client;
  server = (await imported(files, 'sample/server.ts')) as unknown as typeof server;
}

interface Exchanged {
  readonly received: unknown;
  readonly data: unknown;
  readonly misfits: readonly string[];
}

async function exchanged(name: string, input: object | undefined, reply: object): Promise<Exchanged> {
  let received: unknown;
  const misfits: string[] = [];
  const serve = server.createServer(
    {
      [name]: (given: unknown) => {
        received = given;
        return reply;
      },
    },
    {
      basePath: '/v1',
      authenticate: () => ({ id: 'ada' }),
      checkResponses: true,
      onFinding: (finding: { readonly misfits?: readonly string[] }) =>
        misfits.push(...(finding.misfits ?? [])),
    },
  );
  const fetch = (url: string, init: RequestInit): Promise<Response> => serve(new Request(url, init));
  const call = client.createSample({ baseUrl: 'http://localhost/v1', fetch, retries: 0 })[name];
  const answer = await (input === undefined ? call?.() : call?.(input));
  return { received, data: answer?.data, misfits };
}

test.each<[string, string, object]>([
  ['cookies whose names a URL would escape', 'readCookies', { aB: 'x', cD: { message: 'm' } }],
  ['an object of any members beside JSON', 'readSpread', { counts: { n: 1 }, note: { message: 'm' } }],
  [
    'a media type that differs in a parameter alone',
    'sendVersion',
    { contentType: 'application/json; version=2', body: [{ message: 'm' }] },
  ],
  ['a parameter that the path names too', 'readAcl', { bucket: 'b', acl: true }],
  ['objects and lists inside a list', 'readNested', { notes: [{ message: 'm' }], rows: [[1, 2], [3]] }],
  ['an operation with a WebSocket beside its server', 'readSockets', { name: 'a' }],
  ['an operation with a server of its own', 'sendUpload', { name: 'a' }],
  ['an own server with a variable', 'readToken', { tenant: 'a' }],
  ['a label and a matrix in one segment', 'readStyled', { label: ['a', 'b'], matrix: 7 }],
])('%s arrive as they were given', async (_, name, input) => {
  expect((await exchanged(name, input, { status: 204 })).received).toStrictEqual(input);
});

test.each(['readRows', 'readRecords'])('a list that is answered arrives item by item: %s', async (name) => {
  const body = [{ message: 'a\nb' }, { message: 'c' }];
  const items: unknown[] = [];
  const { data, misfits } = await exchanged(name, undefined, { status: 200, body });
  for await (const item of data as AsyncIterable<unknown>) items.push(item);
  expect(items).toStrictEqual(body);
  expect(misfits).toStrictEqual([]);
});

test('an answer requires the headers of its own status, not those of the default', async () => {
  const { misfits } = await exchanged('readPlain', undefined, { status: 200, body: { message: 'm' } });
  expect(misfits).toStrictEqual([]);
});
