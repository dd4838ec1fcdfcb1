import { beforeEach, expect, test } from 'vitest';
import { filesOf, imported, textOf } from './generated.ts';

// Bodies and headers that documents describe in less usual ways: what a generated client sends, and what a
// generated server makes of it.

const string = { type: 'string' };
const done = { responses: { '204': { description: 'done' } } };
const body = (mediaType: string, schema?: object): object => ({
  requestBody: { required: true, content: { [mediaType]: schema === undefined ? {} : { schema } } },
  ...done,
});
const parts = {
  type: 'object',
  properties: {
    photo: { $ref: '#/components/schemas/Photo' },
    photos: { type: 'array', items: { $ref: '#/components/schemas/Photo' } },
    drawing: { type: 'string', contentMediaType: 'image/svg+xml' },
    encoded: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
    document: { type: 'string', contentMediaType: 'application/json' },
    named: { type: 'string', contentMediaType: 'text/csv' },
  },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Odd bytes', version: '1' },
  components: { schemas: { Photo: { type: 'string', contentMediaType: 'image/png' } } },
  paths: {
    '/parts': { post: { operationId: 'sendParts', ...body('multipart/form-data') } },
    '/typed': {
      post: {
        operationId: 'sendTyped',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: parts,
              encoding: { named: { contentType: 'text/tab-separated-values' } },
            },
          },
        },
        ...done,
      },
    },
    '/form': { post: { operationId: 'sendForm', ...body('application/x-www-form-urlencoded') } },
    '/yaml': {
      post: {
        operationId: 'sendYaml',
        ...body('application/yaml', { type: 'object' }),
        responses: { '200': { description: 'ok', content: { 'application/x-yaml': {} } } },
      },
    },
    '/related': {
      post: {
        operationId: 'sendRelated',
        ...body('multipart/related', {
          type: 'object',
          properties: {
            meta: { type: 'object', properties: { title: string } },
            media: { type: 'string', format: 'binary' },
          },
        }),
      },
    },
    '/batch': {
      post: { operationId: 'sendBatch', ...body('multipart/mixed', { type: 'array', items: string }) },
    },
    '/cookies': {
      get: {
        operationId: 'askCookies',
        parameters: [
          { name: 'Cookie', in: 'header', schema: string },
          { name: 'session', in: 'cookie', schema: string },
        ],
        ...done,
      },
    },
    '/reserved': {
      get: {
        operationId: 'askReserved',
        parameters: [{ name: 'v', in: 'query', allowReserved: true, schema: string }],
        ...done,
      },
    },
    '/thing': {
      head: {
        operationId: 'askHead',
        responses: {
          '200': { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } },
          '404': { description: 'no', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
  },
};

type Client = Record<string, (input: object, options?: object) => Promise<{ data: unknown; status: number }>>;
let files: Awaited<ReturnType<typeof filesOf>>;
let create: (options: object) => Client;
let createServer: (handlers: object, options: object) => (request: Request) => Promise<Response>;

// Made once, by the test that runs first.
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));
async function make(): Promise<void> {
  files = await filesOf(document, 'sample', { server: true });
  create = ((await imported(files, 'sample/index.ts')) as { createSample: typeof create }).createSample;
  ({ createServer } = (await imported(files, 'sample/server.ts')) as { createServer: typeof createServer });
}

/** The request of a call, and the input of the handler of a generated server. */
async function sent(
  name: string,
  input: object,
  options: object = {},
): Promise<{ request: Request; text: string; received: Record<string, unknown> | undefined }> {
  let seen: Request | undefined;
  let received: Record<string, unknown> | undefined;
  const handlers = {
    [name]: (given: Record<string, unknown>) => {
      received = given;
      return name === 'sendYaml' ? { status: 200, body: 'a: 1' } : { status: 204 };
    },
  };
  const serve = createServer(handlers, { authenticate: () => ({ id: 'ada' }) });
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    seen = request.clone();
    return serve(request);
  };
  await create({ baseUrl: 'http://localhost', fetch, retries: 0, ...options })[name]?.(input);
  if (seen === undefined) throw new Error('nothing was sent');
  const boundary = /boundary=(\S+)/.exec(seen.headers.get('content-type') ?? '')?.[1] ?? '\0';
  const text = new TextDecoder('latin1').decode(await seen.clone().arrayBuffer()).replaceAll(boundary, 'B');
  return { request: seen, text, received };
}

test('a FormData is sent as its parts', async () => {
  const form = new FormData();
  form.append('a', 'x');
  form.append('a', 'y');
  form.append('file', new File(['z'], 'z.txt', { type: 'text/plain' }));
  const { text, received } = await sent('sendParts', { body: form });
  expect(text).toBe(
    [
      ...['--B', 'Content-Disposition: form-data; name="a"', '', 'x'],
      ...['--B', 'Content-Disposition: form-data; name="a"', '', 'y'],
      ...[
        '--B',
        'Content-Disposition: form-data; name="file"; filename="z.txt"',
        'Content-Type: text/plain',
        '',
        'z',
      ],
      ...['--B--', ''],
    ].join('\r\n'),
  );
  expect(received?.['body']).toMatchObject({ a: ['x', 'y'] });
});

test('URLSearchParams are sent as the form that they are', async () => {
  const { text } = await sent('sendForm', { body: new URLSearchParams('a=1&a=2&b=x+y') });
  expect(text).toBe('a=1&a=2&b=x+y');
});

test('YAML is text', async () => {
  const { text, request, received } = await sent('sendYaml', { body: 'a: ü' });
  expect([text, request.headers.get('content-type')]).toStrictEqual(['a: Ã¼', 'application/yaml']);
  expect(received?.['body']).toBe('a: ü');
  const client = create({
    baseUrl: 'http://localhost',
    fetch: () => Promise.resolve(new Response('b: 1', { headers: { 'content-type': 'application/x-yaml' } })),
  });
  expect((await client['sendYaml']?.({ body: 'a: 1' }))?.data).toBe('b: 1');
});

test('a cookie parameter is added to the cookies of a header', async () => {
  const cookies = async (input: object, options?: object): Promise<string | null> =>
    (await sent('askCookies', input, options)).request.headers.get('cookie');
  expect(await cookies({ cookie: 'a=1', session: 'x y' })).toBe('a=1; session=x%20y');
  expect(await cookies({ session: 's' }, { headers: { cookie: 'b=2' } })).toBe('b=2; session=s');
});

test('what is percent-encoded already stays so with allowReserved', async () => {
  const { request } = await sent('askReserved', { v: 'a%26b 100% /?%zz' });
  expect(request.url).toBe('http://localhost/reserved?v=a%26b%20100%25%20/?%25zz');
});

test('a part has the media type of its schema, unless its encoding names another', async () => {
  const photo = new Blob(['p']);
  const { text } = await sent('sendTyped', {
    body: {
      ...{ photo, photos: [photo, new Blob(['j'], { type: 'image/jpeg' })], drawing: '<svg/>' },
      ...{ encoded: 'AA==', document: '{"a":1}', named: 'a' },
    },
  });
  const types = text
    .split('--B')
    .slice(1, -1)
    .map((part) => [/name="(\w+)"/.exec(part)?.[1], /Content-Type: (\S+)/.exec(part)?.[1]]);
  expect(types).toStrictEqual([
    ['photo', 'image/png'],
    ['photos', 'image/png'],
    ['photos', 'image/jpeg'],
    ['drawing', 'image/svg+xml'],
    ['encoded', undefined],
    ['document', undefined],
    ['named', 'text/tab-separated-values'],
  ]);
  expect(text).toContain('{"a":1}');
});

test('bytes of a part without a name arrive as they are, with their type', async () => {
  const media = new Blob([new Uint8Array([255, 0, 13, 10, 254])], { type: 'image/gif' });
  const { received, request } = await sent('sendRelated', { body: { meta: { title: 'ü' }, media } });
  // RFC 2387, section 3.1: the type of the first part is required.
  expect(request.headers.get('content-type')).toMatch(
    /^multipart\/related; type="application\/json"; boundary=/,
  );
  const { meta, media: arrived } = received?.['body'] as { meta: object; media: Blob };
  expect(meta).toStrictEqual({ title: 'ü' });
  expect([arrived.type, ...new Uint8Array(await arrived.arrayBuffer())]).toStrictEqual([
    ...['image/gif', 255, 0, 13, 10, 254],
  ]);
});

test('a list of texts is a part for each, without a name', async () => {
  const { text, received } = await sent('sendBatch', { body: ['GET /a', 'GET /b'] });
  const parts = ['GET /a', 'GET /b'].map((one) => ['--B', 'Content-Type: text/plain', '', one].join('\r\n'));
  expect(text).toBe([...parts, '--B--', ''].join('\r\n'));
  expect(received?.['body']).toStrictEqual(['GET /a', 'GET /b']);
});

test('an answer to HEAD has no body, even if the document declares one', () => {
  const types = textOf(files, 'sample/types.ts');
  expect(types.slice(types.indexOf('export interface AskHeadResponses'))).toMatch(
    /200: undefined;[^}]*404: undefined;/,
  );
});
