import { expect, test } from 'vitest';
import { servedApiOf } from '../../contract/served/served.ts';
import { serverOf } from '../../engine/serve.ts';
import { own } from '../mock/own-document.ts';

const document = (statuses: readonly (number | string)[]): string => `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [text] } } } }
      responses:
        '201': { description: Added. }
${statuses.map((status) => `        '${String(status)}': { description: Refused. }`).join('\n')}
`;

const sheet = (roles: string): string => `
api: notes
contract: '1'
document: 1
policies:
  - kind: error-codes
    code: code
    message: message
    codes: [{ name: invalid, status: 422 }, { name: unreadable, status: 400 }, { name: conflict, status: 409 }]
    roles: ${roles}
rules: []
unspecified: []
`;

/** The status and the code of the refusal of a body. */
async function refusalOf(
  body: string,
  statuses: readonly (number | string)[],
  roles: string,
): Promise<readonly [number, unknown]> {
  const api = servedApiOf(await own('notes', document(statuses), sheet(roles)), (_, { name }) => name);
  const checks = Object.fromEntries(
    ['addNote body application/json'].map((name) => [
      name,
      (value: unknown) =>
        typeof value === 'object' && value !== null && 'text' in value
          ? { ok: true as const, value }
          : {
              ok: false as const,
              errors: [{ pointer: '/text', keyword: 'required', message: 'is missing' }],
            },
    ]),
  );
  const server = serverOf(api, checks as never, { addNote: () => ({ status: 201 }) } as never, {
    authenticate: () => ({ id: 'anybody' }),
  });
  const answer = await server(
    new Request('http://localhost/notes', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    }),
  );
  return [answer.status, ((await answer.json()) as { code?: unknown }).code];
}

test.each([
  [
    'a body that its schema refuses has the status of its code',
    '{}',
    [400, 422],
    '{ badInput: invalid }',
    422,
    'invalid',
  ],
  [
    'so has a malformed one, without a code of its own',
    '{',
    [400, 422],
    '{ badInput: invalid }',
    422,
    'invalid',
  ],
  [
    'a malformed one with a code of its own has its status',
    '{',
    [400, 422],
    '{ badInput: invalid, malformed: unreadable }',
    400,
    'unreadable',
  ],
  [
    'the code of a status that is not declared is not sent',
    '{}',
    [400],
    '{ badInput: invalid }',
    400,
    'unreadable',
  ],
  [
    'a status that only `default` declares is that of the code',
    '{',
    [422, 'default'],
    '{ badInput: invalid, malformed: unreadable }',
    400,
    'unreadable',
  ],
  ['so is one of a declared range', '{}', [400, '4XX'], '{ badInput: invalid }', 422, 'invalid'],
  ['a sheet without a code for it leaves the usual one', '{}', [422], '{}', 400, 'bad_request'],
])('%s', async (_what, body, statuses, roles, status, code) => {
  expect(await refusalOf(body, statuses, roles)).toEqual([status, code]);
});
