import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { createMock, type Mock, type MockOptions } from '../../mock/index.ts';

/** What a document of a user's own is answered like: as Prism answers it, or better for a reason. */
const DOCUMENT = String.raw`
openapi: 3.1.0
info: { title: Rooms, version: '1' }
paths:
  /rooms:
    get:
      parameters:
        - { name: old, in: query, deprecated: true, schema: { type: string } }
        - { name: size, in: query, schema: { type: integer } }
      responses:
        '200':
          description: Rooms.
          headers:
            X-Total: { schema: { type: integer }, example: 12 }
            X-Names: { schema: { type: array, items: { type: string } }, example: [red, blue] }
            X-Open: { schema: { type: boolean }, example: true }
          content:
            application/json:
              schema: { type: array, items: { type: object, required: [id], properties: { id: { type: integer } } } }
              examples: { one: { value: [{ id: 1 }] }, none: { value: [] } }
            application/xml: { schema: { type: object }, example: { room: [{ id: 1, note: a < b }] } }
        '404': { description: None., content: { application/json: { example: { why: none } } } }
        5XX: { description: Down., content: { application/json: { example: { why: down } } } }
    post:
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [name, id], properties: { name: { type: string }, id: { type: string, readOnly: true } } } } }
      responses:
        '201': { description: Made. }
        '422': { description: Refused., content: { application/json: { examples: { usual: { value: { error: refused } }, other: { value: { error: other } } } } } }
        '415': { description: Wrong type., content: { application/json: { example: { error: type } } } }
    head:
      responses: { '200': { description: Counted., headers: { X-Total: { schema: { type: integer }, example: 12 } } } }
    options:
      responses: { '200': { description: Said., content: { application/json: { example: { can: all } } } } }
  /keys:
    get:
      security: [{ key: [] }, { user: [] }]
      responses: { '200': { description: Keys. } }
    put:
      security: [{ token: [] }]
      responses:
        '200': { description: Key. }
        '401': { description: No., content: { application/json: { example: { error: who } } } }
  /public:
    get:
      security: [{}]
      responses: { '204': { description: Public. } }
    put:
      security: [{ token: [] }, {}]
      responses: { '204': { description: Public. } }
  /strict:
    post:
      requestBody: { content: { application/json: { schema: { type: integer } } } }
      responses: { '200': { description: ok }, default: { description: Wrong., content: { application/json: { example: { error: any } } } } }
  /any:
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: [boolean, 'null', integer, string] } } } }
      responses: { '200': { description: ok } }
  /tuple:
    post:
      requestBody: { content: { application/json: { schema: { prefixItems: [{ type: string }, { type: integer }], items: false } } } }
      responses: { '200': { description: ok } }
  /sibling:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Base', required: [b], properties: { b: { type: integer } }, unevaluatedProperties: false } } } }
      responses: { '200': { description: ok } }
  /loose:
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { a: { pattern: '^[\w-.]+$' }, b: { type: integer } } } } } }
      responses: { '200': { description: ok } }
  /wrong:
    get:
      responses: { '200': { description: ok, content: { application/json: { schema: { type: string }, example: 3 } } } }
  /forms:
    get:
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object, properties: { a: { type: integer } } } } } }
        '400': { description: no, content: { application/problem+json: { example: { title: no } } } }
  /unsaid: { get: { responses: { '200': { description: ok, content: { application/json: {} } } } } }
  /ranges:
    get: { responses: { '200': { description: ok, content: { '*/*': { schema: { type: object, properties: { a: { type: integer } } } } } } } }
    put: { responses: { '200': { description: ok, content: { 'image/*': { schema: { type: string, format: binary } } } } } }
  /things/{id}:stop:
    post:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '202': { description: ok, content: { application/json: { example: { stopped: true } } } } }
components:
  schemas: { Base: { type: object, required: [a], properties: { a: { type: string } } } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    user: { type: http, scheme: basic }
    token: { type: oauth2, flows: { implicit: { authorizationUrl: 'https://example.com', scopes: {} } } }
`;

let folder: string;
let mock: Mock;
let strict: Mock;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'own-documents-'));
  writeFileSync(join(folder, 'rooms.yaml'), DOCUMENT);
  mock = await made({});
  strict = await made({ answers: { strict: true, defaults: { dynamic: true, seed: 'x' } } });
});
afterAll(() => {
  mock.close();
  strict.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Want {
  readonly status: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

const none: Asked = {};

test.each<readonly [title: string, call: string, asked: Asked, want: Want]>([
  ['the first example', 'GET /rooms', none, { status: 200, body: [{ id: 1 }] }],
  [
    'an example by its name',
    'GET /rooms',
    { headers: { Prefer: 'example=none' } },
    { status: 200, body: [] },
  ],
  [
    'a credential that is not needed',
    'GET /public',
    { headers: { Authorization: 'Bearer mine' } },
    { status: 204 },
  ],
  ['no credential where it is optional', 'PUT /public', none, { status: 204 }],
  [
    'another credential than the optional one',
    'PUT /public',
    { headers: { Authorization: 'Basic bWU6bWU=' } },
    { status: 204 },
  ],
  ['a status', 'GET /rooms', { headers: { Prefer: 'code=404' } }, { status: 404, body: { why: 'none' } }],
  [
    'a status of a range',
    'GET /rooms',
    { headers: { Prefer: 'code=503' } },
    { status: 503, body: { why: 'down' } },
  ],
  [
    'a status and an example',
    'GET /rooms',
    { headers: { Prefer: 'code=200; example="none"' } },
    { status: 200, body: [] },
  ],
  ['a status by query', 'GET /rooms?__code=404', none, { status: 404, body: { why: 'none' } }],
  ['an example by query', 'GET /rooms?__example=none', none, { status: 200, body: [] }],
  ['a status that is not declared', 'GET /rooms', { headers: { Prefer: 'code=418' } }, { status: 404 }],
  [
    'an example that is not declared',
    'GET /rooms',
    { headers: { Prefer: 'example=zebra' } },
    { status: 404 },
  ],
  ['a status that is none', 'GET /rooms', { headers: { Prefer: 'code=many' } }, { status: 422 }],
  [
    'a media type',
    'GET /rooms',
    { headers: { Accept: 'application/xml' } },
    { status: 200, text: '<xml><room><id>1</id><note>a &lt; b</note></room></xml>' },
  ],
  ['a media type that is not declared', 'GET /rooms', { headers: { Accept: 'image/png' } }, { status: 406 }],
  [
    'an Accept that is none',
    'GET /rooms',
    { headers: { Accept: 'garbage' } },
    { status: 200, body: [{ id: 1 }] },
  ],
  [
    'an Accept of old clients',
    'GET /rooms',
    { headers: { Accept: 'image/gif, *; q=.2' } },
    { status: 200, body: [{ id: 1 }] },
  ],
  [
    'a status whose content is not what is accepted',
    'GET /forms',
    { headers: { Prefer: 'code=400', Accept: 'application/json' } },
    { status: 400, body: { title: 'no' } },
  ],
  [
    'a status with an example that it does not have',
    'GET /rooms',
    { headers: { Prefer: 'code=404, example=zebra' } },
    { status: 404, headers: { 'Content-Type': 'application/problem+json' } },
  ],
  [
    'JSON of which the document says nothing',
    'GET /unsaid',
    none,
    { status: 200, body: {}, headers: { 'Content-Type': 'application/json', 'Sl-Violations': null } },
  ],
  [
    'a range as media type',
    'GET /ranges',
    none,
    { status: 200, headers: { 'Content-Type': 'application/json', 'Sl-Violations': null } },
  ],
  [
    'a range as media type, and one that is accepted',
    'PUT /ranges',
    { headers: { Accept: 'image/webp, */*;q=0.1' } },
    { status: 200, headers: { 'Content-Type': 'image/webp', 'Sl-Violations': null } },
  ],
  ['escaped fixed text of a path', 'POST /things/7%3Astop', none, { status: 202, body: { stopped: true } }],
  [
    'headers that are no strings',
    'GET /rooms',
    none,
    {
      status: 200,
      headers: { 'X-Total': '12', 'X-Names': 'red,blue', 'X-Open': 'true', 'Sl-Violations': null },
    },
  ],
  [
    'a deprecated parameter',
    'GET /rooms?old=x',
    none,
    {
      status: 200,
      headers: {
        'Sl-Violations':
          '[{"location":["request","query","old"],"severity":"Warning","code":"deprecated","message":"Query param old is deprecated"}]',
      },
    },
  ],
  [
    'a declared HEAD',
    'HEAD /rooms',
    none,
    { status: 200, text: '', headers: { 'X-Total': '12', 'X-Names': null } },
  ],
  ['a declared OPTIONS', 'OPTIONS /rooms', none, { status: 200, body: { can: 'all' } }],
  [
    'a method that is not declared',
    'DELETE /rooms',
    none,
    { status: 405, headers: { Allow: 'GET, HEAD, OPTIONS, POST' } },
  ],
  [
    'an OPTIONS that is not declared',
    'OPTIONS /keys',
    none,
    { status: 204, headers: { Allow: 'GET, HEAD, PUT' } },
  ],
  ['a parameter that is refused without an answer for that', 'GET /rooms?size=big', none, { status: 422 }],
  ['a body that is refused', 'POST /rooms', { body: '{}' }, { status: 422, body: { error: 'refused' } }],
  [
    'a body that is refused, and an example of that',
    'POST /rooms',
    { body: '{}', headers: { Prefer: 'code=422, example=other' } },
    { status: 422, body: { error: 'other' } },
  ],
  ['a body that is missing', 'POST /rooms', none, { status: 422, body: { error: 'refused' } }],
  [
    'a body of another type',
    'POST /rooms',
    { body: 'a', type: 'text/csv' },
    { status: 415, body: { error: 'type' } },
  ],
  ['a body that is not JSON', 'POST /rooms', { body: '{"a":' }, { status: 422, body: { error: 'refused' } }],
  ['a body that is not JSON, without an answer for that', 'POST /any', { body: '{"a":' }, { status: 400 }],
  ['a body without what only the server sets', 'POST /rooms', { body: '{"name":"r"}' }, { status: 201 }],
  [
    'a refused body where the default says it',
    'POST /strict',
    { body: '"a"' },
    { status: 422, body: { error: 'any' } },
  ],
  [
    'no credential',
    'GET /keys',
    none,
    { status: 401, headers: { 'WWW-Authenticate': 'ApiKey in="header", name="X-Key", Basic realm="*"' } },
  ],
  [
    'no credential where the document says how',
    'PUT /keys',
    none,
    { status: 401, body: { error: 'who' }, headers: { 'WWW-Authenticate': 'Bearer' } },
  ],
  ['false', 'POST /any', { body: 'false' }, { status: 200 }],
  ['null', 'POST /any', { body: 'null' }, { status: 200 }],
  ['0', 'POST /any', { body: '0' }, { status: 200 }],
  ['an empty string', 'POST /any', { body: '""' }, { status: 200 }],
  ['a tuple', 'POST /tuple', { body: '["a", 1]' }, { status: 200 }],
  ['a tuple of the wrong types', 'POST /tuple', { body: '[1, "a"]' }, { status: 422 }],
  ['a tuple that is too long', 'POST /tuple', { body: '["a", 1, 2]' }, { status: 422 }],
  ['members beside a reference', 'POST /sibling', { body: '{"a":"x","b":1}' }, { status: 200 }],
  ['no member of what is referred to', 'POST /sibling', { body: '{"b":1}' }, { status: 422 }],
  ['no member beside a reference', 'POST /sibling', { body: '{"a":"x"}' }, { status: 422 }],
  ['a member that is in neither', 'POST /sibling', { body: '{"a":"x","b":1,"c":1}' }, { status: 422 }],
  ['a wrong member beside a loose pattern', 'POST /loose', { body: '{"a":"x","b":"y"}' }, { status: 422 }],
  ['a value that a loose pattern refuses', 'POST /loose', { body: '{"a":"!"}' }, { status: 422 }],
  [
    'an answer that the document does not allow',
    'GET /wrong',
    none,
    {
      status: 200,
      body: 3,
      headers: {
        'Sl-Violations':
          '[{"location":["response","body"],"severity":"Error","code":"type","message":"must be string"}]',
      },
    },
  ],
])('%s: %s', async (_, call, asked, want) => {
  const response = await ask(mock, call, asked);
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: want.status });
  if (want.body !== undefined) expect(JSON.parse(text)).toStrictEqual(want.body);
  if (want.text !== undefined) expect(text).toBe(want.text);
  for (const [name, value] of Object.entries(want.headers ?? {}))
    expect(response.headers.get(name), name).toBe(value);
});

test('with --dynamic and a seed, answers are made up from the schema, equal ones each time', async () => {
  const [one, other] = [await ask(strict, 'GET /rooms', none), await ask(strict, 'GET /rooms', none)];
  expect(one.headers.get('Tallystick-Answer')).toBe('generated');
  const made = await one.json();
  expect(made).toStrictEqual(await other.json());
  expect(made).not.toStrictEqual([{ id: 1 }]);
});

test('with --errors, an answer that the document does not allow is a 500', async () => {
  const response = await ask(strict, 'GET /wrong', { headers: { Prefer: 'dynamic=false' } });
  expect(response.status).toBe(500);
});

async function made(options: MockOptions): Promise<Mock> {
  const loaded = await loadContract({ document: 'rooms.yaml', cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const mock = createMock({ contracts: [loaded.contract], ...options });
  await mock.ready();
  return mock;
}

function ask(
  served: Mock,
  call: string,
  { body, type = 'application/json', headers = {} }: Asked,
): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  const request = new Request(`http://localhost${path}`, {
    method,
    ...(body === undefined ? { headers } : { body, headers: { ...headers, 'Content-Type': type } }),
  });
  return served.fetch(request);
}

test('a missing credential is reported in words', async () => {
  const response = await ask(mock, 'GET /keys', none);
  expect(response.status).toBe(401);
  expect(await response.text()).toContain('the request has no credential that the operation accepts');
});
