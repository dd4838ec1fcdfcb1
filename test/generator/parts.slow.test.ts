import { expect, test } from 'vitest';
import { nameTable } from '../../generator/names.ts';
import { splitParts } from '../../generator/schemas/parts.ts';
import { documentOf, filesOf, imported, textOf } from './generated.ts';

// Only a part of a multipart body can be bytes: what JSON carries is text, also under `format: binary`.

const bytes = { type: 'string', format: 'binary' };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const operation = (operationId: string, mediaType: string, schema: object): object => ({
  post: {
    operationId,
    requestBody: { required: true, content: { [mediaType]: { schema } } },
    responses: { '204': { description: 'Done.' } },
  },
});

const schemas = {
  Scan: bytes,
  Picture: { type: 'object', required: ['data'], properties: { data: bytes, note: { type: 'string' } } },
  Album: {
    allOf: [
      { type: 'object', properties: { cover: ref('Scan'), pages: { type: 'array', items: ref('Scan') } } },
    ],
    properties: { first: ref('Picture') },
  },
};
const paths = {
  '/pictures': operation('addPicture', 'application/json', ref('Picture')),
  '/uploads': operation('uploadPicture', 'multipart/form-data', ref('Picture')),
  '/albums': operation('uploadAlbum', 'multipart/form-data', ref('Album')),
  '/forms': operation('fillForm', 'application/x-www-form-urlencoded', ref('Picture')),
};

test('a schema of a JSON and of a multipart body has a variant with Blobs', async () => {
  const types = textOf(await filesOf(documentOf(schemas, paths)), 'sample/types.ts').replace(/\s+/g, ' ');
  expect(types).toContain('export interface Picture { data: string; note?: string; }');
  expect(types).toContain('export interface PictureParts { data: Blob; note?: string; }');
  expect(types).toContain('export type AddPictureBody = Picture;');
  expect(types).toContain('export type UploadPictureBody = PictureParts;');
  expect(types).toContain('export type FillFormBody = Picture;');
});

test('what only a multipart body uses keeps its name, and an object in a part is JSON', async () => {
  const types = textOf(await filesOf(documentOf(schemas, paths)), 'sample/types.ts').replace(/\s+/g, ' ');
  expect(types).toContain('export type Scan = Blob;');
  expect(types).toContain('export type Album = { cover?: Scan; pages?: Scan[]; } & { first?: Picture; };');
});

type Call = (input: object) => Promise<unknown>;

test.each<[string, object, string]>([
  ['addPicture', { data: 'raw' }, '{"data":"raw"}'],
  ['fillForm', { data: 'raw' }, 'data=raw'],
])('%s sends text, and the server takes it', async (name, body, sent) => {
  const files = await filesOf(documentOf(schemas, paths), 'sample', { server: true });
  const client = (await imported(files, 'sample/index.ts')) as unknown as {
    createSample(options: object): Record<string, Call>;
  };
  const server = (await imported(files, 'sample/server.ts')) as unknown as {
    createServer(handlers: object, options: object): (request: Request) => Promise<Response>;
  };
  let received: unknown;
  const handlers = { [name]: (given: unknown) => ((received = given), { status: 204 }) };
  const serve = server.createServer(handlers, { authenticate: () => ({ id: 'ada' }) });
  let text = '';
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    text = String(init.body);
    return serve(new Request(url, init));
  };
  await client.createSample({ baseUrl: 'http://localhost', fetch, retries: 0 })[name]?.({ body });
  expect(text).toBe(sent);
  expect(received).toStrictEqual({ body });
});

test.each([
  ['with', bytes],
  ['without', { type: 'string' }],
])('a chain of thousands of schemas %s bytes at its end is followed', (_, last) => {
  const length = 3_000;
  const entries = Array.from({ length }, (__, index) => ({
    name: `S${String(index)}`,
    schema:
      index === length - 1
        ? { type: 'object', properties: { data: last } }
        : { allOf: [ref(`S${String(index + 1)}`)] },
  })) as Parameters<typeof splitParts>[0];
  const body = { schema: ref('S0') as { $ref: string }, isMultipart: true };
  const split = splitParts(entries, [body], nameTable([], []));
  expect(split.entries).toHaveLength(length);
  expect(JSON.stringify(split.entries.at(-1)).includes('x-bytes')).toBe(last === bytes);
});
