import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { own } from './own-document.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Shops, version: '1' }
paths:
  /towns/{town}/shops:
    post:
      operationId: openShop
      parameters: [{ name: town, in: path, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } }
      responses:
        '201': { description: Open., content: { application/json: { schema: { type: object } } } }
        '409': { description: Taken. }
        '422': { description: Wrong. }
`;
const SHEET = `
api: shops
contract: '1'
document: 1
policies:
  - { kind: uniqueness, operations: [openShop], member: name, within: [town] }
  - { kind: reserved-fields, operations: [openShop], members: [owner] }
rules: []
unspecified: []
`;

test.each<[string, readonly string[], readonly [status: number, ...rest: readonly number[]]]>([
  [
    'a unique value is refused the second and the third time',
    ['a {"name":"x"}', 'a {"name":"x"}', 'a {"name":"x"}'],
    [201, 409, 409],
  ],
  ['it may be given in another place', ['a {"name":"x"}', 'b {"name":"x"}'], [201, 201]],
  ['a reserved member is refused, null as well', ['a {"owner":1}', 'a {"owner":null}'], [422, 422]],
])('%s', async (_, calls, statuses) => {
  const mock = createMock({ contracts: [await own('shops', DOCUMENT, SHEET)] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const seen: number[] = [];
  for (const call of calls) {
    const [town = '', body = ''] = call.split(' ');
    const headers = { 'Content-Type': 'application/json' };
    const answer = await mock.fetch(`http://localhost/towns/${town}/shops`, {
      method: 'POST',
      headers,
      body,
    });
    seen.push(answer.status);
  }
  expect(seen).toEqual(statuses);
});
