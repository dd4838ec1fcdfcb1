import { expect, test } from 'vitest';
import { documentOf, filesOf, imported, textOf } from './generated.ts';

// Frameworks declare each body under several media types. What is sent is one that exists, and a value has one type.

const row = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const rows = { type: 'array', items: { $ref: '#/components/schemas/Row' } };
const under = (schema: object, ...types: readonly string[]): object =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const document = documentOf(
  { Row: row },
  {
    '/rows': {
      get: {
        operationId: 'readRows',
        responses: {
          '200': {
            description: 'Here.',
            content: under(rows, 'text/plain', 'application/json', 'text/json', 'application/xml'),
          },
        },
      },
      post: {
        operationId: 'addRow',
        requestBody: {
          required: true,
          content: under(row, 'application/json', 'text/json', 'application/*+json'),
        },
        responses: { '204': { description: 'Done.' } },
      },
    },
    '/any': {
      get: {
        operationId: 'readAny',
        responses: { '200': { description: 'Here.', content: under(row, '*/*') } },
      },
    },
    '/word': {
      get: {
        operationId: 'readWord',
        responses: { '200': { description: 'Here.', content: under({ type: 'string' }, '*/*') } },
      },
    },
    '/page': {
      get: {
        operationId: 'readPage',
        responses: {
          '200': { description: 'Here.', content: { ...under(row, 'application/json'), 'text/html': {} } },
        },
      },
    },
  },
);

test('a value has one type, however many media types it has', async () => {
  const types = textOf(await filesOf(document), 'sample/types.ts').replace(/\s+/g, ' ');
  expect(types).toContain('200: ReadRowsResponse200;');
  expect(types).toContain("body: AddRowBody; contentType?: 'application/json' | 'text/json' | undefined;");
  expect(types).not.toContain('application/*+json');
  // Text with a meaning of its own stays.
  expect(types).toContain('200: ReadPageResponse200 | string;');
});

test.each<[string, object | undefined, object, string, string]>([
  [
    'readRows',
    undefined,
    { status: 200, body: [{ n: 1 }] },
    'application/json, text/json',
    'application/json',
  ],
  ['readAny', undefined, { status: 200, body: { n: 1 } }, '*/*', 'application/json'],
  ['readWord', undefined, { status: 200, body: 'a' }, '*/*', 'application/json'],
  [
    'readWord',
    undefined,
    { status: 200, body: 'a', raw: 'a', headers: { 'content-type': 'text/plain' } },
    '*/*',
    'text/plain',
  ],
  ['readPage', undefined, { status: 200, body: '<p>' }, 'application/json, text/html', 'text/html'],
  ['addRow', { body: { n: 1 }, contentType: 'text/json' }, { status: 204 }, 'application/json', ''],
])('%s asks for what it can read and gets it', async (name, input, reply, accept, contentType) => {
  const files = await filesOf(document, 'sample', { server: true });
  const client = (await imported(files, 'sample/index.ts')) as unknown as {
    createSample(options: object): Record<string, (input?: object) => Promise<{ readonly data: unknown }>>;
  };
  const server = (await imported(files, 'sample/server.ts')) as unknown as {
    createServer(handlers: object, options: object): (request: Request) => Promise<Response>;
  };
  let received: unknown;
  const handlers = { [name]: (given: unknown) => ((received = given), reply) };
  const serve = server.createServer(handlers, { authenticate: () => ({ id: 'ada' }) });
  const seen: (string | null)[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const response = await serve(request);
    seen.push(request.headers.get('accept'), response.headers.get('content-type') ?? '');
    return response;
  };
  const call = client.createSample({ baseUrl: 'http://localhost', fetch, retries: 0 })[name];
  const { data } = (await (input === undefined ? call?.() : call?.(input))) ?? { data: 'no call' };
  expect(seen).toStrictEqual([accept, contentType]);
  expect(data).toStrictEqual((reply as { readonly body?: unknown }).body);
  if (input !== undefined) expect(received).toStrictEqual(input);
});
