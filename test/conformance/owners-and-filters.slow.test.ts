import { expect, test } from 'vitest';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock, listDeviations } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { own } from '../mock/own-document.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Parcels, version: '1' }
security: [{ token: [] }]
paths:
  /parcels:
    get:
      operationId: listParcels
      parameters:
        - { name: offset, in: query, schema: { type: integer, minimum: 0 } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
        - { name: by, in: query, schema: { type: string } }
      responses:
        '200':
          description: Parcels.
          headers: { X-Total-Count: { schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } }
    post:
      operationId: sendParcel
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
      responses: { '201': { $ref: '#/components/responses/Parcel' } }
  /parcels/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getParcel
      responses: &responses
        '200': { $ref: '#/components/responses/Parcel' }
        '403': { $ref: '#/components/responses/Problem' }
        '404': { $ref: '#/components/responses/Problem' }
    patch:
      operationId: changeParcel
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object, properties: { carrier: { $ref: '#/components/schemas/Carrier' } } } } } }
      responses: *responses
  /parcels/{id}/notes:
    get:
      operationId: getNotes
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: Notes., content: { application/json: { schema: { type: array, items: { type: string } }, example: [] } } }
        '403': { $ref: '#/components/responses/Problem' }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  responses:
    Parcel: { description: A parcel., content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
    Problem: { description: Refused., content: { application/json: { schema: { type: object } } } }
  schemas:
    Carrier: { type: string, enum: [road, rail, air] }
    Parcel:
      type: object
      required: [carrier]
      properties:
        id: { type: string, readOnly: true }
        carrier: { $ref: '#/components/schemas/Carrier' }
`;

const SHEET = `
api: parcels
contract: '1'
document: 1
policies:
  - kind: resource
    collection: parcels
    id: { member: id, form: uuid }
    operations: { create: sendParcel, list: listParcels, read: getParcel, patch: changeParcel }
    filters: { by: carrier }
    otherCaller: { status: 403 }
  - kind: numbered-pages
    operations: [listParcels]
    offsetParameter: offset
    limitParameter: limit
    defaultLimit: 10
    maximumLimit: 50
    totalHeader: X-Total-Count
rules: []
unspecified: []
`;

const parcels = (): Promise<Contract> => own('parcels', DOCUMENT, SHEET);

test('the mock keeps things for their callers, filters them and counts them', async () => {
  const report = await judgeOf(await parcels(), undefined)([]);
  expect(report.rules.filter(isBroken).map(({ id, observed }) => [id, observed])).toEqual([]);
  const open = report.rules.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);
  expect(open.filter((id) => /owned|filtered|walk/.test(id))).toEqual([]);
});

test('each way to mix up callers, filters and totals is caught by its rule, and by no other one', async () => {
  const contract = await parcels();
  const judge = judgeOf(contract, undefined);
  const ways = listDeviations([contract]).filter(({ id }) => /owned~|filtered~|another-total/.test(id));
  expect(ways.map(({ id }) => id.split('.').at(-1))).toEqual([
    'filtered~another',
    'owned~read-by-anybody',
    'owned~changed-by-anybody',
    'owned~listed-for-anybody',
    'walk~another-total',
  ]);
  for (const { id, rule, alsoFails } of ways) {
    const broken = (await judge([id])).rules.filter(isBroken).map((one) => one.id);
    expect(broken, id).toContain(rule);
    const named = [rule, ...alsoFails.map((one) => one.rule)];
    expect(broken.filter((one) => !named.includes(one))).toEqual([]);
  }
}, 140_000);

test('without a credential of a second caller nothing is judged about owners, and the report names it', async () => {
  const contract = await parcels();
  const mock = createMock({ contracts: [contract] });
  await mock.ready();
  const { rules } = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    rules: ['resource.parcels.owned'],
    fixtures: { cred: { jwt: 'anna' }, writes: ['sendParcel'] },
    transport: inProcess(mock.handle),
  });
  mock.close();
  expect(rules.map(({ verdict, missing }) => [verdict, missing])).toEqual([
    ['not-exercised', 'cred.secondAccount'],
  ]);
});
