import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { own } from '../mock/own-document.ts';

/** One operation requires a key beside the token of all others. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Users, version: '1' }
security: [{ token: [] }]
paths:
  /users:
    post:
      operationId: addUser
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
  /users/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: readUser
      responses: { '200': { description: Here., content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }, '404': { description: None. } }
    delete:
      operationId: deleteUser
      security: [{ token: [], key: [] }, { login: [] }]
      responses: { '204': { description: Gone. }, '404': { description: None. } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    login: { type: http, scheme: basic }
    key: { type: apiKey, in: query, name: key }
  schemas:
    User: { type: object, required: [name], properties: { id: { type: string, readOnly: true }, name: { type: string } } }
`;
const SHEET = `
api: users
contract: '1'
document: 1
policies:
  - { kind: resource, collection: users, id: { member: id }, operations: { create: addUser, read: readUser, delete: deleteUser } }
rules: []
unspecified: []
`;

async function verdicts(cred: object): Promise<Record<string, readonly [string, string | undefined]>> {
  const contracts = [await own('users', DOCUMENT, SHEET)];
  const mock = createMock({ contracts });
  await mock.ready();
  const report = await runConformance({
    contracts,
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer token' },
    fixtures: { cred },
    allow: ['writes', 'negatives'],
    transport: inProcess(mock.handle),
  } as Parameters<typeof runConformance>[0]);
  mock.close();
  return Object.fromEntries(report.rules.map(({ id, verdict, reason }) => [id, [verdict, reason]]));
}

test('a refusal for want of the second of two credentials is no fault of the server', async () => {
  const found = await verdicts({});
  expect(Object.values(found).filter(([verdict]) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  expect(found['document.deleteUser.answer']?.[1]).toMatch(
    /requires several credentials together here, and the query key is not given.*--header, or as cred\.apiKey/,
  );
});

test('both of two credentials are sent where one does not open an operation', async () => {
  expect((await verdicts({ apiKey: 'k' }))['resource.users.deleted']?.[0]).toBe('pass');
});
