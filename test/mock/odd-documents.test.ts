import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type Mock } from '../../mock/index.ts';
import { own } from './own-document.ts';

/** Corners of documents that are written in the wild; each was answered wrongly once. */
const DOCUMENT = `
openapi: 3.0.3
info: { title: Odd, version: '1' }
servers: [{ url: 'https://{where}.example.com/odd/v4/', variables: { where: { default: eu } } }]
x-json-schema-faker: { minItems: 3, maxItems: 3, useDefaultValue: true }
paths:
  /transport:
    get:
      responses:
        '200':
          description: ok
          headers:
            Content-Type: { schema: { type: string } }
            Content-Length: { required: true, schema: { type: integer } }
            Transfer-Encoding: { schema: { type: string } }
            Connection: { schema: { type: string } }
            X-Rate: { schema: { type: integer } }
          content: { application/json: { schema: { type: array, items: { type: string, default: a } } } }
  /form:
    post:
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, required: [a], properties: { a: { type: string }, n: { type: integer }, list: { type: array, items: { type: string } } } }
          multipart/form-data:
            schema: { type: object, required: [file], properties: { file: { type: string, format: binary }, meta: { type: object, properties: { a: { type: integer } } } } }
      responses: { '204': { description: none } }
  /styled:
    post:
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { tags: { type: array, items: { type: string } }, raw: { type: object, properties: { a: { type: string } } } } }
            encoding: { tags: { style: form, explode: false }, raw: { contentType: application/json } }
          multipart/form-data:
            schema: { type: object, properties: { raw: { type: object, properties: { a: { type: string } } } } }
            encoding: { raw: { contentType: application/json } }
      responses: { '204': { description: none } }
  /files:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: array, items: { type: object, properties: { file: { type: string, format: binary, minLength: 1 } } } }
      responses: { '204': { description: none } }
  /cover:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, required: [line], properties: { line: { $ref: '#/components/schemas/Line' } } }
            encoding: { line: { contentType: application/xml } }
      responses: { '204': { description: none } }
  /lines:
    post:
      requestBody:
        required: true
        content:
          application/x-ndjson: { schema: { $ref: '#/components/schemas/Line' } }
          application/json-seq: { schema: { type: array, items: { $ref: '#/components/schemas/Line' } } }
      responses: { '204': { description: none } }
  /made-up:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                required: [layout, link, self]
                properties:
                  layout: { type: string, example: null }
                  link: { type: string, format: uri, example: not an address }
                  self: { $ref: '#/components/schemas/Node' }
  /numbers:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: object, properties: { id: { type: integer, format: int64 }, part: { type: number, format: double }, secret: { type: string, writeOnly: true } } }
  /text:
    post:
      requestBody:
        content:
          text/csv: { schema: { type: string } }
          multipart/mixed: { schema: { type: string } }
          text/xml: { schema: { type: object, required: [a], properties: { a: { type: integer } } } }
      responses: { '204': { description: none } }
  /headers:
    get:
      parameters: [{ name: Accept-Encoding, in: header, schema: { type: string, enum: [gzip] } }]
      responses:
        '200':
          description: ok
          headers:
            X-List: { required: true, schema: { type: array, items: { type: integer } } }
            X-Pairs: { required: true, schema: { type: object, required: [a], properties: { a: { type: integer } } } }
            X-Exploded: { explode: true, schema: { type: object, required: [a], properties: { a: { type: integer } } } }
            X-Flag: { required: true, schema: { type: boolean } }
            X-Json: { required: true, content: { application/json: { schema: { type: array, minItems: 1, items: { type: boolean } } } } }
  /number:
    post:
      requestBody:
        content:
          text/plain: { schema: { type: integer, minimum: 2 } }
          application/yaml: { schema: { type: object, required: [a] } }
      responses: { '204': { description: none } }
  /search:
    get:
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [q] } } }
      responses: { '204': { description: none } }
  /markup:
    get:
      responses: { '200': { description: ok, content: { application/xml: { schema: { type: object, properties: { id: { type: integer } } } } } } }
components:
  schemas:
    Line: { type: object, required: [n], properties: { n: { type: integer } } }
    Node: { type: object, required: [name], properties: { name: { type: string }, next: { $ref: '#/components/schemas/Node' } } }
`;

let mock: Mock;
beforeAll(async () => {
  mock = createMock({ apis: [], contracts: [await own('odd', DOCUMENT)] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

async function ask(path: string, init: RequestInit = {}): Promise<Response & { readonly told: string }> {
  const response = await mock.fetch(path, init);
  return Object.assign(response, { told: await response.text() });
}

test('headers that OpenAPI does not describe are those of the answer', async () => {
  const { headers } = await ask('/transport');
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-rate')).toBe('0');
  for (const name of ['transfer-encoding', 'connection', 'sl-violations'])
    expect(headers.get(name)).toBeNull();
});

test('a document says by x-json-schema-faker how values are made up', async () => {
  const { told } = await ask('/transport', { headers: { prefer: 'dynamic=true' } });
  expect(JSON.parse(told)).toStrictEqual(['a', 'a', 'a']);
});

test('no body is required of a GET, which cannot have one in a browser', async () => {
  expect((await ask('/search')).status).toBe(204);
});

const form = (text: string): RequestInit => ({
  method: 'POST',
  body: text,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const parts = (members: Readonly<Record<string, string | Blob>>): RequestInit => {
  const body = new FormData();
  for (const [name, value] of Object.entries(members)) body.append(name, value);
  return { method: 'POST', body };
};

test.each<[string, RequestInit, number, string]>([
  ['no form where it is optional', { method: 'POST' }, 204, ''],
  ['a form', form('a=1&n=3'), 204, ''],
  ['a list of several', form('a=1&list=x&list=y'), 204, ''],
  ['a list of one', form('a=1&list=x'), 204, ''],
  ['a member of another type', form('a=1&n=x'), 422, 'body.n'],
  ['a missing member', form('n=1'), 422, 'property \\"a\\"'],
  ['a form that reads as JSON', form('1'), 422, 'property \\"a\\"'],
  ['parts, one of them JSON', parts({ file: new Blob(['x']), meta: '{"a":1}' }), 204, ''],
  ['a part of another type', parts({ file: new Blob(['x']), meta: '{"a":"b"}' }), 422, 'body.meta.a'],
  ['a missing part', parts({ meta: '{}' }), 422, 'property \\"file\\"'],
])('forms are judged by their members: %s', async (_what, init, status, words) => {
  const answer = await ask('/form', init);
  expect(answer.status).toBe(status);
  expect(answer.told).toContain(words);
});

test('a made-up answer keeps its schema, where examples of members do not', async () => {
  const { headers, told } = await ask('/made-up');
  expect(headers.get('sl-violations')).toBeNull();
  expect(JSON.parse(told)).toMatchObject({ layout: expect.any(String) as string });
});

test('made-up numbers are none that only computers know, and nothing that is only written is shown', async () => {
  const { told } = await ask('/numbers');
  expect(JSON.parse(told)).toStrictEqual({ id: 0, part: 0 });
});

test.each<[string, RequestInit]>([
  ['a comma between items', form('tags=a,b%20c')],
  ['blanks and signs as HTML forms have them', form(String(new URLSearchParams({ raw: '{"a":"b c*"}' })))],
  ['a part of JSON', parts({ raw: '{"a":"b/c?"}' })],
])('members with an encoding are taken as forms are written: %s', async (_what, init) => {
  const answer = await ask('/styled', init);
  expect([answer.status, answer.told]).toStrictEqual([204, '']);
});

test.each<[string, string, Readonly<Record<string, string | Blob>>, number]>([
  ['files of a body that is a list', '/files', { file: new Blob(['x']) }, 204],
  ['an empty one', '/files', { file: new Blob([]) }, 422],
  ['a part of XML', '/cover', { line: '<line n="1"/>' }, 204],
])('odd parts are judged: %s', async (_what, path, members, status) => {
  expect((await ask(path, parts(members))).status).toBe(status);
});

test.each<[string, string, string, number, string]>([
  ['lines', 'application/x-ndjson', '{"n":1}\n{"n":2}\n', 204, ''],
  ['a single line', 'application/x-ndjson; charset=utf-8', '{"n":1}', 204, ''],
  ['a sequence', 'application/json-seq', '\u001E{"n":1}\n\u001E{"n":2}\n', 204, ''],
  ['a line of another type', 'application/x-ndjson', '{"n":1}\n{"n":"x"}\n', 422, 'body.1.n'],
  ['an item of another type', 'application/json-seq', '\u001E{"n":"x"}\n', 422, 'body.0.n'],
  ['a line that is no JSON', 'application/x-ndjson', '{"n":1}\n{"n"\n', 400, 'not valid JSON'],
])('JSON values one after another are judged one by one: %s', async (_what, type, body, status, words) => {
  const answer = await ask('/lines', { method: 'POST', body, headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
  expect(answer.told).toContain(words);
});

test('the path of a server may stand before a path of the document', async () => {
  expect((await ask('/odd/v4/numbers')).status).toBe(200);
  expect((await ask('/odd/numbers')).status).toBe(404);
});

test.each([
  ['text/csv', '1'],
  ['text/csv; charset=utf-8', 'a,b'],
  ['multipart/mixed;boundary=x', '--x\r\n\r\na\r\n--x--'],
  ['text/xml', '<a>1</a>'],
])('a body that is neither JSON nor a form is taken as its text: %s %j', async (type, body) => {
  const answer = await ask('/text', { method: 'POST', body, headers: { 'content-type': type } });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('sl-violations') ?? '').toBe(
    type === 'text/xml'
      ? '[{"location":["request","body"],"severity":"Warning","code":"unjudgeable","message":"the body is XML, and is not judged by its schema"}]'
      : '',
  );
});

test('headers that are lists, objects, booleans or JSON are made up too', async () => {
  const { headers } = await ask('/headers', { headers: { 'accept-encoding': 'br, gzip' } });
  const made = ['x-list', 'x-pairs', 'x-exploded', 'x-flag', 'x-json', 'sl-violations'].map((name) =>
    headers.get(name),
  );
  expect(made).toStrictEqual(['1', 'a,1', 'a=1', 'true', '[true]', null]);
});

test.each([
  ['text/plain', '2', 204, ''],
  ['text/plain', '1', 422, 'must be at least 2'],
  ['text/plain', 'two', 422, 'must be integer'],
  ['application/yaml', 'a: 1', 204, ''],
])(
  'a text that represents another value is judged as that value, if it can be read: %s %j',
  async (type, body, status, words) => {
    const answer = await ask('/number', { method: 'POST', body, headers: { 'content-type': type } });
    expect([answer.status, answer.told]).toStrictEqual([status, expect.stringContaining(words)]);
  },
);

test('XML that was made of a value is not a violation', async () => {
  const { headers, told } = await ask('/markup');
  expect(told).toContain('<id>0</id>');
  expect(headers.get('sl-violations')).toBeNull();
});

test('a refusal has the type and the violations of one of Prism', async () => {
  const { told } = await ask('/form', form('a=1&n=x'));
  expect(JSON.parse(told)).toMatchObject({
    type: 'https://stoplight.io/prism/errors#UNPROCESSABLE_ENTITY',
    status: 422,
    validation: [{ location: ['body', 'n'], severity: 'Error', code: 'type' }],
  });
});
