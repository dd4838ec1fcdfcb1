import { beforeEach, expect, test } from 'vitest';
import { documentOf, filesOf, imported } from './generated.ts';

// A member that may be a text or an object, where the text can itself be JSON of an object.

const either = {
  oneOf: [{ type: 'string' }, { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }],
};
const schema = {
  type: 'object',
  required: ['source'],
  properties: { source: either, sources: { type: 'array', items: either }, note: { type: 'string' } },
};
const operation = (operationId: string, mediaType: string): object => ({
  post: {
    operationId,
    requestBody: { required: true, content: { [mediaType]: { schema } } },
    responses: { '204': { description: 'Done.' } },
  },
});
const paths = {
  '/forms': operation('fillForm', 'application/x-www-form-urlencoded'),
  '/parts': operation('sendParts', 'multipart/form-data'),
  '/mixed': operation('sendMixed', 'multipart/mixed'),
};

type Call = (input: object) => Promise<unknown>;
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

const TEXT = '{"name":"an object"}';
const ALIKE = '{"id":7}';

test.each<[string, object]>([
  ['fillForm', { source: TEXT, sources: ['a', TEXT] }],
  ['fillForm', { source: { id: 7 }, sources: ['a', { id: 8 }] }],
  ['fillForm', { source: '{not JSON' }],
  ['fillForm', { source: { id: 7 }, sources: ['a', TEXT] }],
  ['sendParts', { source: TEXT, sources: ['a', TEXT] }],
  ['sendParts', { source: ALIKE, sources: [ALIKE, 'a'] }],
  ['sendParts', { source: { id: 7 }, sources: [ALIKE, { id: 8 }], note: ALIKE }],
  ['sendMixed', { source: { id: 7 } }],
  ['sendMixed', { source: ALIKE }],
])('%s: %j arrives as it was', async (name, body) => {
  let received: unknown;
  const handlers = { [name]: (given: unknown) => ((received = given), { status: 204 }) };
  const serve = server.createServer(handlers, { authenticate: () => ({ id: 'ada' }) });
  const fetch = (url: string, init: RequestInit): Promise<Response> => serve(new Request(url, init));
  await client.createSample({ baseUrl: 'http://localhost', fetch, retries: 0 })[name]?.({ body });
  expect(received).toStrictEqual({ body });
});

test('an object in a part without a media type is an object where it can be no text', async () => {
  let received: unknown;
  const only = { oneOf: [{ type: 'string', enum: ['none'] }, { type: 'object' }] };
  const whole = { type: 'object', properties: { source: only } };
  const parts = {
    post: {
      operationId: 'sendParts',
      requestBody: { content: { 'multipart/form-data': { schema: whole } } },
      responses: { '204': { description: 'Done.' } },
    },
  };
  const files = await filesOf(documentOf({}, { '/parts': parts }), 'sample', { server: true });
  const own = (await imported(files, 'sample/server.ts')) as unknown as typeof server;
  const handlers = { sendParts: (given: unknown) => ((received = given), { status: 204 }) };
  const serve = own.createServer(handlers, { authenticate: () => ({ id: 'ada' }) });
  const body = new FormData();
  body.set('source', ALIKE);
  await serve(new Request('http://localhost/parts', { method: 'POST', body }));
  expect(received).toStrictEqual({ body: { source: { id: 7 } } });
});
