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
  Cover: {
    type: 'object',
    required: ['task'],
    properties: {
      task: { $ref: '#/components/schemas/Task' },
      tasks: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
      n: { type: 'integer' },
    },
  },
};
const bytes = { ...text, format: 'binary' };
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
  '/edits': post(
    'edit',
    multipart(
      {
        type: 'object',
        properties: {
          image: { anyOf: [bytes, { type: 'array', items: bytes }] },
          strategy: {
            anyOf: [
              { type: 'string', enum: ['auto'] },
              { type: 'object', required: ['kind'], properties: { kind: text } },
            ],
          },
          stop: { anyOf: [text, list] },
          note: { type: ['string', 'null'] },
        },
      },
      { image: { contentType: 'image/png, image/webp', style: 'form', explode: true } },
    ),
  ),
  '/attachments': post(
    'attach',
    multipart({ type: 'array', items: { type: 'object', properties: { file: bytes, note: text } } }),
  ),
  '/covers': post('cover', {
    ...multipart(
      { allOf: [{ $ref: '#/components/schemas/Cover' }] },
      { task: { contentType: 'application/xml' }, tasks: { contentType: 'text/xml; charset=utf-8' } },
    ),
    'application/json': { schema: { $ref: '#/components/schemas/Cover' } },
  }),
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
  ['a list of objects that have parts', 'attach', { body: [{ note: 'a' }, { note: 'b' }] }],
  ['one of some texts, where an object is possible', 'edit', { body: { strategy: 'auto' } }],
  ['an object, where a text is possible', 'edit', { body: { strategy: { kind: 'vad' } } }],
  ['a single part, where several are possible', 'edit', { body: { stop: '\n', note: 'null' } }],
  ['several parts, where a single one is possible', 'edit', { body: { stop: ['a', 'b'], note: '' } }],
  [
    'parts of XML',
    'cover',
    { contentType: 'multipart/form-data', body: { task: '<task/>', tasks: ['<a/>', '<b/>'], n: 1 } },
  ],
  [
    'JSON of the same schema',
    'cover',
    { contentType: 'application/json', body: { task: { title: 'a' }, tasks: [{ title: 'b' }] } },
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

/** What is sent as the body of a call. */
async function sentBy(name: string, input: object): Promise<string> {
  let text = '';
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    text = await new Request(url, init).text();
    return new Response(null, { status: 204 });
  };
  await client.createSample({ baseUrl: 'http://localhost', fetch, retries: 0 })[name]?.(input);
  return text.replace(/--+part\w+/g, '--B');
}

const png = new File(['x'], 'a.png', { type: 'image/png' });

test.each<[string, string, object, readonly string[]]>([
  ['a file of a style', 'edit', { image: png }, ['image']],
  ['files of a style', 'edit', { image: [png, png] }, ['image', 'image']],
  ['files of a list of objects', 'attach', [{ file: png }, { file: png }], ['file', 'file']],
])('%s stay files', async (_, name, body, names) => {
  const parts = names.map(
    (part) =>
      `--B\r\nContent-Disposition: form-data; name="${part}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n`,
  );
  expect(await sentBy(name, { body })).toBe(`${parts.join('')}--B--\r\n`);
  const { received } = await exchanged(name, { body });
  expect(shapeOf((received as { readonly body: unknown }).body)).toStrictEqual(shapeOf(body));
});

/** A value with the names of its files in place of these. */
function shapeOf(value: unknown): unknown {
  if (value instanceof File) return `file ${value.name}`;
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

test('an object as a part of XML is refused before anything is sent', async () => {
  const body = { task: { title: 'a' } };
  await expect(sentBy('cover', { contentType: 'multipart/form-data', body })).rejects.toThrow(
    'the part "task" must be a text, because it is application/xml',
  );
});

test('an answer is judged as the media type that it names, with its parameters', async () => {
  const headers = { 'Content-Type': 'application/json; stream=watch' };
  const { data, misfits } = await exchanged('readReport', undefined, { status: 200, headers, body: ['a'] });
  expect(misfits).toStrictEqual([]);
  expect(data).toStrictEqual(['a']);
});
