import { beforeEach, expect, test } from 'vitest';
import { documentOf, filesOf, imported } from './generated.ts';

// Bodies and parameters as vendors describe them: what a generated client sends is what a generated server gets.

const done = { '204': { description: 'Done.' } };
const post = (operationId: string, content: object): object => ({
  post: { operationId, requestBody: { required: true, content }, responses: done },
});
const text = { type: 'string' };
const list = { type: 'array', items: text };
const multipart = (schema: object, encoding: object = {}): object => ({
  'multipart/form-data': { schema, encoding },
});
const schemas = {
  Granularity: { type: 'string', enum: ['word', 'segment'] },
  Task: {
    type: 'object',
    required: ['title'],
    properties: { title: text, parent: { oneOf: [{ $ref: '#/components/schemas/Task' }, { type: 'null' }] } },
  },
};
const task = { $ref: '#/components/schemas/Task' };

const paths = {
  '/transcriptions': post(
    'transcribe',
    multipart(
      {
        type: 'object',
        properties: {
          levels: { type: 'array', items: { $ref: '#/components/schemas/Granularity' } },
          level: { $ref: '#/components/schemas/Granularity' },
          options: { type: 'object' },
        },
      },
      {
        levels: { contentType: 'application/json' },
        level: { contentType: 'application/json' },
        options: { contentType: 'application/json' },
      },
    ),
  ),
  '/photos': post(
    'upload',
    multipart({
      type: 'object',
      properties: { photo: { ...text, contentMediaType: 'image/png', contentEncoding: 'binary' } },
    }),
  ),
  '/tasks': post('addTask', { ...multipart(task), 'application/x-www-form-urlencoded': { schema: task } }),
  '/raw': post('sendRaw', { 'application/x-www-form-urlencoded': { schema: text } }),
  '/{index}/search': {
    get: {
      operationId: 'search',
      parameters: [
        { name: 'index', in: 'path', required: true, schema: { oneOf: [text, list] } },
        { name: 'expand', in: 'query', style: 'deepObject', explode: true, schema: list },
      ],
      responses: done,
    },
  },
  '/reports': {
    get: {
      operationId: 'readReport',
      responses: {
        '200': {
          description: 'Here.',
          content: {
            'application/json': { schema: task },
            'application/json; stream=watch': { schema: list },
          },
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
  const files = await filesOf(documentOf(schemas, paths), 'sample', { server: true });
  client = (await imported(files, 'sample/index.ts')) as unknown as typeof client;
  server = (await imported(files, 'sample/server.ts')) as unknown as typeof server;
}

interface Exchanged {
  readonly received: unknown;
  readonly data: unknown;
  readonly urls: readonly string[];
  readonly misfits: readonly string[];
}

async function exchanged(name: string, input?: object, reply: object = { status: 204 }): Promise<Exchanged> {
  let received: unknown;
  const urls: string[] = [];
  const misfits: string[] = [];
  const handle = (given: unknown): object => ((received = given), reply);
  const serve = server.createServer(
    { [name]: handle },
    {
      authenticate: () => ({ id: 'ada' }),
      checkResponses: true,
      onFinding: (finding: { readonly misfits?: readonly string[] }) =>
        misfits.push(...(finding.misfits ?? [])),
    },
  );
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    urls.push(url);
    return serve(new Request(url, init));
  };
  const call = client.createSample({ baseUrl: 'http://localhost', fetch, retries: 0 })[name];
  const answer = await (input === undefined ? call?.() : call?.(input));
  return { received, data: answer?.data, urls, misfits };
}

const tree = { title: 'a', parent: { title: 'b', parent: { title: 'c' } } };

test.each<[string, string, object]>([
  [
    'parts that are declared as JSON',
    'transcribe',
    { body: { levels: ['word', 'segment'], level: 'word', options: { n: [1] } } },
  ],
  ['a list of one part that is declared as JSON', 'transcribe', { body: { levels: ['word'] } }],
  ['a part that may hold its own kind', 'addTask', { contentType: 'multipart/form-data', body: tree }],
  [
    'a member that may hold its own kind',
    'addTask',
    { contentType: 'application/x-www-form-urlencoded', body: tree },
  ],
  ['a form that is one text', 'sendRaw', { body: 'a=b&c=%20d' }],
  ['one of what may be several', 'search', { index: 'one' }],
  ['several of what may be one', 'search', { index: ['one', 'two'] }],
  ['a list in brackets', 'search', { index: 'one', expand: ['a b', 'c'] }],
])('%s arrives as it was given', async (_, name, input) => {
  expect((await exchanged(name, input)).received).toStrictEqual(input);
});

test('a list of the style for objects has brackets, as servers that know the style expect', async () => {
  const { urls } = await exchanged('search', { index: 'one', expand: ['a', 'b'] });
  expect(urls).toStrictEqual(['http://localhost/one/search?expand%5B0%5D=a&expand%5B1%5D=b']);
});

test('a part in the encoding "binary" is bytes', async () => {
  const { received } = await exchanged('upload', { body: { photo: new Blob([new Uint8Array([0, 255])]) } });
  const { photo } = (received as { readonly body: { readonly photo: Blob } }).body;
  expect([...new Uint8Array(await photo.arrayBuffer())]).toStrictEqual([0, 255]);
});

test('an answer is judged as the media type that it names, with its parameters', async () => {
  const headers = { 'Content-Type': 'application/json; stream=watch' };
  const { data, misfits } = await exchanged('readReport', undefined, { status: 200, headers, body: ['a'] });
  expect(misfits).toStrictEqual([]);
  expect(data).toStrictEqual(['a']);
});
