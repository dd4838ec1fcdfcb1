import { expect, test } from 'vitest';
import { servedApiOf } from '../../contract/served/served.ts';
import { bodiesOf } from '../../contract/judge/bodies.ts';
import { Refusal, refusalReply } from '../../engine/refusal.ts';
import { own } from '../mock/own-document.ts';

/** Error schemas as documents declare them, and what a refusal looks like then. */
test.each<[string, string, unknown]>([
  ['no schema of errors', '{}', { error: 'no_such_note', message: 'gone' }],
  [
    'a code and a message',
    '{ type: object, properties: { code: { type: string }, message: { type: string } } }',
    { code: 'no_such_note', message: 'gone' },
  ],
  [
    'the status as its code',
    '{ type: object, required: [code], properties: { code: { type: integer }, message: { type: string } } }',
    { code: 404, message: 'gone' },
  ],
  [
    'a time and an object that are required',
    '{ type: object, required: [message, timestamp, errors], properties: { code: { type: string }, message: { type: string }, timestamp: { type: string, format: date-time }, errors: { type: object } } }',
    { code: 'no_such_note', message: 'gone', timestamp: '2026-01-02T03:04:05.000Z', errors: {} },
  ],
  [
    'no place for a code',
    '{ type: object, additionalProperties: false, properties: { message: { type: string } } }',
    { message: 'gone' },
  ],
  [
    'listed codes',
    '{ type: object, required: [code], properties: { code: { enum: [INVALID, NOT_FOUND] }, message: { type: string } } }',
    { code: 'NOT_FOUND', message: 'gone' },
  ],
  [
    'members of an inner object',
    '{ type: object, required: [error], properties: { error: { type: object, required: [code, message, request], properties: { code: { type: string }, message: { type: string }, request: { type: string, enum: [r1] } } } } }',
    { error: { code: 'no_such_note', message: 'gone', request: 'r1' } },
  ],
  [
    'a type that is an address',
    '{ type: object, required: [type, status], properties: { type: { type: string, format: uri }, status: { type: integer }, detail: { type: string } } }',
    { type: 'about:blank', status: 404, code: 'no_such_note', detail: 'gone' },
  ],
  [
    'no place for a message',
    '{ type: object, additionalProperties: false, required: [ok, at], properties: { ok: { type: boolean }, at: { type: array, items: {} } } }',
    { ok: false, at: [] },
  ],
])('an error fits a document with %s', async (_, schema, body) => {
  const document = (error: string): string =>
    `openapi: 3.1.0\ninfo: { title: Notes, version: '1' }\npaths: { /notes: { get: { responses: { '200': { description: ok }, '404': { description: gone, content: { application/json: { schema: ${error} } } } } } } }`;
  const contract = await own('notes', document(schema));
  const api = servedApiOf(contract, () => undefined);
  const refusal = new Refusal('no_such_note', 'gone', { status: 404 });
  const reply = refusalReply(api, refusal, () => Date.UTC(2026, 0, 2, 3, 4, 5));
  expect(reply).toMatchObject({ status: 404 });
  expect(reply.body).toStrictEqual(body);
  const content = contract.operations[0]?.responses.find(({ status }) => status === '404')?.content[0];
  expect(content && bodiesOf(contract).judge('response', content, reply.body as never)).toEqual([]);
});

test('each status has the body that the document declares for it', async () => {
  const body = (required: string): string =>
    `{ description: e, content: { application/json: { schema: { type: object, required: [${required}], properties: { message: { type: string }, errors: { type: object } } } } } }`;
  const contract = await own(
    'notes',
    `openapi: 3.1.0\ninfo: { title: Notes, version: '1' }\npaths: { /notes: { get: { responses: { '401': ${body('message')}, '404': ${body('message')}, '422': ${body('message, errors')} } } } }`,
  );
  const api = servedApiOf(contract, () => undefined);
  const bodyFor = (status: number): unknown => refusalReply(api, new Refusal('bad', 'no', { status })).body;
  expect([bodyFor(404), bodyFor(422)]).toEqual([
    { code: 'bad', message: 'no' },
    { code: 'bad', message: 'no', errors: {} },
  ]);
});

/** The sheet gives each listed code to a status, and none to that of an unsupported media type. */
test.each([
  ['an optional code is left out', 'detail', { detail: 'no' }],
  ['a required code cannot be', 'code, detail', { code: 'invalid', detail: 'no' }],
])('a status without a code among the listed ones: %s', async (_what, required, body) => {
  const contract = await own(
    'notes',
    `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      responses:
        '200': { description: ok }
        '400':
          description: no
          content:
            application/json:
              schema:
                type: object
                required: [${required}]
                properties: { code: { enum: [invalid, missing] }, detail: { type: string } }
`,
    `api: notes
contract: '1'
document: 1
policies:
  - kind: error-codes
    code: code
    message: detail
    codes: [{ name: invalid, status: 400 }, { name: missing, status: 404 }]
    roles: { badInput: invalid }
rules: []
unspecified: []
`,
  );
  const api = servedApiOf(contract, () => undefined);
  const reply = refusalReply(api, new Refusal('unsupported_media_type', 'no', { status: 415 }));
  expect(reply).toMatchObject({ status: 415, body });
  expect(Object.keys(reply.body as object)).toEqual(Object.keys(body));
});
