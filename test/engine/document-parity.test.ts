import { afterAll, expect, test } from 'vitest';
import { generate } from '../../generator/index.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { imported } from '../generator/generated.ts';
import { own } from '../mock/own-document.ts';

// One document without a sheet, its mock, and the server that is generated from it: both take the same requests.

const FINE = `responses: { '200': { description: Good., content: { application/json: { schema: { type: object }, example: {} } } } }`;
const NUMBER = '{ name: id, in: path, required: true, schema: { type: integer } }';
const DOCUMENT = `
openapi: 3.0.3
info: { title: Kinds, version: '1' }
servers: [{ url: https://api.example/v1 }]
paths:
  /lists:
    get:
      operationId: lists
      parameters:
        - { name: form, in: query, schema: { type: array, maxItems: 2, items: { type: integer } } }
        - { name: comma, in: query, explode: false, schema: { type: array, minItems: 2, items: { type: integer } } }
        - { name: space, in: query, style: spaceDelimited, explode: false, schema: { type: array, minItems: 2, items: { type: integer } } }
        - { name: pipe, in: query, style: pipeDelimited, explode: false, schema: { type: array, minItems: 2, items: { type: integer } } }
        - { name: deep, in: query, style: deepObject, explode: true, schema: { type: object, required: [a], properties: { a: { type: integer }, b: { type: string, enum: [x] } } } }
        - { name: json, in: query, content: { application/json: { schema: { type: object, required: [a], properties: { a: { type: integer } } } } } }
        - { name: flag, in: query, schema: { type: boolean } }
        - { name: maybe, in: query, schema: { type: integer, nullable: true } }
        - { name: day, in: query, schema: { type: string, format: date } }
        - { name: one, in: query, schema: { type: string, minLength: 2, maxLength: 3, pattern: '^[a-z]+$' } }
        - { name: step, in: query, schema: { type: number, multipleOf: 0.5, exclusiveMinimum: true, minimum: 0 } }
      ${FINE}
  /heads:
    get:
      operationId: heads
      parameters:
        - { name: X-Number, in: header, required: true, schema: { type: integer } }
        - { name: X-List, in: header, schema: { type: array, maxItems: 2, items: { type: integer } } }
        - { name: choice, in: cookie, schema: { type: string, enum: [a, b] } }
        - { name: Accept, in: header, required: true, schema: { type: string, enum: [text/never] } }
      ${FINE}
  /named/{id}: { get: { operationId: named, parameters: [${NUMBER}], ${FINE} } }
  /named/own: { get: { operationId: fixed, ${FINE} } }
  /caf%C3%A9/{id}: { get: { operationId: escaped, parameters: [${NUMBER}], ${FINE} } }
  /naïve/{id}: { get: { operationId: unescaped, parameters: [${NUMBER}], ${FINE} } }
  /part/{id}#read: { get: { operationId: part, parameters: [${NUMBER}], ${FINE} } }
  /do/{id}:stop: { post: { operationId: stop, parameters: [${NUMBER}], ${FINE} } }
  /file/{name}.{ext}:
    get:
      operationId: readFile
      parameters:
        - { name: name, in: path, required: true, schema: { type: string } }
        - { name: ext, in: path, required: true, schema: { type: string, enum: [pdf] } }
      ${FINE}
  /key: { get: { operationId: key, security: [{ inQuery: [] }, { inCookie: [], inHeader: [] }], ${FINE} } }
  /basic: { get: { operationId: readBasic, security: [{ basic: [] }], ${FINE} } }
  /open: { get: { operationId: open, security: [{}, { basic: [] }], ${FINE} } }
  /oauth: { get: { operationId: oauth, security: [{ oauth: [read] }], ${FINE} } }
  /body:
    post:
      operationId: body
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [kind, made]
              properties:
                kind: { type: string }
                made: { type: string, readOnly: true }
                note: { type: string, nullable: true, enum: [x, null] }
                shape: { $ref: '#/components/schemas/Shape' }
                tree: { $ref: '#/components/schemas/Tree' }
              additionalProperties: false
      ${FINE}
  /form:
    post:
      operationId: sendForm
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [n]
              properties: { n: { type: integer }, list: { type: array, minItems: 2, items: { type: boolean } } }
      ${FINE}
  /optional:
    post:
      operationId: optional
      requestBody: { content: { application/json: { schema: { type: object, nullable: true } }, text/plain: { schema: { type: string, maxLength: 3 } } } }
      ${FINE}
components:
  securitySchemes:
    inQuery: { type: apiKey, in: query, name: key }
    inCookie: { type: apiKey, in: cookie, name: session }
    inHeader: { type: apiKey, in: header, name: X-Key }
    basic: { type: http, scheme: basic }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: { read: r } } } }
  schemas:
    Tree: { type: object, required: [leaf], properties: { leaf: { type: integer }, next: { $ref: '#/components/schemas/Tree' } } }
    Shape:
      oneOf: [{ $ref: '#/components/schemas/Round' }, { $ref: '#/components/schemas/Square' }]
      discriminator: { propertyName: is, mapping: { round: '#/components/schemas/Round', square: '#/components/schemas/Square' } }
    Round: { type: object, required: [is, radius], properties: { is: { type: string, enum: [round] }, radius: { type: number } } }
    Square: { type: object, required: [is, side], properties: { is: { type: string, enum: [square] }, side: { type: number } } }
`;

type Handle = (request: Request) => Promise<Response>;

let mock: Mock | undefined;
afterAll(() => {
  mock?.close();
});

async function bothSides(): Promise<readonly Handle[]> {
  const contract = await own('kinds', DOCUMENT);
  const files = await generate([contract], { server: true });
  const { createServer } = (await imported(files, 'kinds/server.ts')) as unknown as {
    readonly createServer: (handlers: object, options: object) => Handle;
  };
  const handlers = contract.operations.map(({ id }) => [id, () => ({ status: 200, body: {} })]);
  const served = createMock({ contracts: [contract] });
  mock = served;
  await served.ready();
  return [
    (request) => served.fetch(request),
    createServer(Object.fromEntries(handlers) as object, { authenticate: () => ({ id: 'anybody' }) }),
  ];
}

type Ask = readonly [path: string, init?: RequestInit];
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const form = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
});
const heads = (headers: Record<string, string>): RequestInit => ({ headers });

/** A parameter in the path that does not fit: the mock says what is wrong with it, the server knows no such path. */
const REFUSED = { mock: 400, server: 404 };

/** The status that both sides give, and what is asked. */
const asked: readonly (readonly [status: number | typeof REFUSED, ...Ask])[] = [
  [200, '/lists'],
  [200, '/lists?form=1&form=2'],
  [400, '/lists?form=1&form=2&form=3'],
  [400, '/lists?form=x'],
  [400, '/lists?form=1,2'],
  [200, '/lists?comma=1,2'],
  [400, '/lists?comma=1'],
  [400, '/lists?comma=1%2C2'],
  [200, '/lists?space=1%202'],
  [200, '/lists?space=1+2'],
  [400, '/lists?space=1'],
  [200, '/lists?pipe=1|2'],
  [200, '/lists?pipe=1%7C2'],
  [400, '/lists?pipe=1'],
  [200, '/lists?deep[a]=1'],
  [200, '/lists?deep%5Ba%5D=1&deep%5Bb%5D=x'],
  [400, '/lists?deep[a]=x'],
  [400, '/lists?deep[b]=x'],
  [400, '/lists?deep[a]=1&deep[b]=y'],
  [200, `/lists?json=${encodeURIComponent('{"a":1}')}`],
  [400, `/lists?json=${encodeURIComponent('{"a":"1"}')}`],
  [400, '/lists?json=%7B'],
  [200, '/lists?flag=true'],
  [400, '/lists?flag=1'],
  [400, '/lists?flag=yes'],
  [200, '/lists?maybe=7'],
  [400, '/lists?maybe=x'],
  [200, '/lists?day=2024-02-29'],
  [400, '/lists?day=2023-02-29'],
  [400, '/lists?day=yesterday'],
  [200, '/lists?one=ab'],
  [400, '/lists?one=a'],
  [400, '/lists?one=abcd'],
  [400, '/lists?one=AB'],
  [200, '/lists?step=1.5'],
  [400, '/lists?step=1.3'],
  [400, '/lists?step=0'],
  [400, '/lists?step='],
  [200, '/lists?unknown=1'],
  [404, '/v2/lists'],
  [404, '/lists/'],
  [404, '//lists'],
  [200, '/heads', heads({ 'X-Number': '1' })],
  [400, '/heads'],
  [400, '/heads', heads({ 'X-Number': 'x' })],
  [200, '/heads', heads({ 'X-Number': '1', 'X-List': '1, 2' })],
  [400, '/heads', heads({ 'X-Number': '1', 'X-List': '1,2,3' })],
  [200, '/heads', heads({ 'X-Number': '1', Cookie: 'other=z; choice=a' })],
  [400, '/heads', heads({ 'X-Number': '1', Cookie: 'choice=z' })],
  [200, '/named/7'],
  [REFUSED, '/named/x'],
  [200, '/named/own'],
  [200, '/named/%37'],
  [404, '/named/7/8'],
  [200, '/caf%C3%A9/7'],
  [200, '/caf%c3%a9/7'],
  [REFUSED, '/caf%C3%A9/x'],
  [200, '/na%C3%AFve/7'],
  [200, '/part/7'],
  [REFUSED, '/part/x'],
  [200, '/do/7:stop', { method: 'POST' }],
  [REFUSED, '/do/x:stop', { method: 'POST' }],
  [405, '/do/7:stop'],
  [200, '/file/a.pdf'],
  [200, '/file/a.b.pdf'],
  [REFUSED, '/file/a.txt'],
  [401, '/key'],
  [200, '/key?key=k'],
  [401, '/key', heads({ 'X-Key': 'k' })],
  [200, '/key', heads({ 'X-Key': 'k', Cookie: 'session=s' })],
  [401, '/basic'],
  [401, '/basic', heads({ Authorization: 'Bearer x' })],
  [200, '/basic', heads({ Authorization: `Basic ${btoa('a:b')}` })],
  [200, '/open'],
  [401, '/oauth'],
  [200, '/oauth', heads({ Authorization: 'Bearer x' })],
  [200, '/oauth', heads({ Authorization: 'bearer x' })],
  [200, '/body', json({ kind: 'a' })],
  [400, '/body', json({})],
  [400, '/body', json({ kind: 'a', more: 1 })],
  [200, '/body', json({ kind: 'a', note: null })],
  [400, '/body', json({ kind: 'a', note: 'y' })],
  [400, '/body', json({ kind: null })],
  [200, '/body', json({ kind: 'a', shape: { is: 'round', radius: 1 } })],
  [400, '/body', json({ kind: 'a', shape: { is: 'round', side: 1 } })],
  [400, '/body', json({ kind: 'a', shape: { is: 'other', side: 1 } })],
  [200, '/body', json({ kind: 'a', tree: { leaf: 1, next: { leaf: 2 } } })],
  [400, '/body', json({ kind: 'a', tree: { leaf: 1, next: { leaf: 'x' } } })],
  [400, '/body', json('{')],
  [400, '/body', json('')],
  [415, '/body', { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: 'a' }],
  [405, '/body'],
  [200, '/body', { ...json({ kind: 'a' }), headers: { 'Content-Type': 'Application/JSON; charset=utf-8' } }],
  [200, '/form', form('n=1')],
  [400, '/form', form('n=x')],
  [400, '/form', form('list=true')],
  [200, '/form', form('n=1&list=true&list=false')],
  [400, '/form', form('n=1&list=true&list=7')],
  [200, '/optional', { method: 'POST' }],
  [200, '/optional', json(null)],
  [400, '/optional', json([])],
  [200, '/optional', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'abc' }],
  [200, '/named/7', { method: 'HEAD' }],
];

test('mock and generated server of one document give one verdict of each request', async () => {
  const sides = await bothSides();
  const wrong: unknown[] = [];
  for (const [status, path, init = {}] of asked) {
    const [ofMock, ofServer] = await Promise.all(
      sides.map(async (handle) => (await handle(new Request(`http://localhost${path}`, init))).status),
    );
    // A mock of a document says 422 where the document declares no answer for what it refuses.
    const found = { mock: ofMock === 422 ? 400 : ofMock, server: ofServer };
    const wanted = typeof status === 'number' ? { mock: status, server: status } : status;
    if (found.mock !== wanted.mock || found.server !== wanted.server)
      wrong.push({ method: init.method, path, headers: init.headers, body: init.body, wanted, found });
  }
  expect(wrong).toStrictEqual([]);
});
