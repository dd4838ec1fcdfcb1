import { expect, test } from 'vitest';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { isBroken } from '../../cli/conform/kills.ts';
import { own } from '../mock/own-document.ts';

/** What public documents have, with a sheet: each gave a false alarm against the document's own mock once. */
const DOCUMENT = `
openapi: 3.0.3
info: { title: Odd, version: '1' }
security: [{ key: [] }]
paths:
  /rooms:
    get:
      operationId: listRooms
      parameters:
        - { name: owner, in: query, required: true, schema: { type: string } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Room' } } } } } }
    post:
      operationId: addRoom
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } } }
  /rooms/{slug}:
    parameters: [{ name: slug, in: path, required: true, schema: { type: string, pattern: '^[a-z]{4,8}$' } }]
    get:
      operationId: getRoom
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } } }
    patch:
      operationId: changeRoom
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { note: { type: string } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } }, '404': { $ref: '#/components/responses/Lost' } }
  /rooms/{slug}/socket:
    get:
      operationId: openSocket
      parameters: [{ name: slug, in: path, required: true, schema: { type: string } }]
      responses: { '101': { description: switched } }
  /visits:
    get:
      operationId: listVisits
      parameters:
        - { name: offset, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Visit' } } } } } }
    post:
      operationId: addVisit
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Visit' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } } } }
  /visits/{id}:
    get:
      operationId: getVisit
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { allOf: [{ $ref: '#/components/schemas/Visit' }, { type: object, properties: { id: { type: string } } }] } } } } }
  /status:
    get:
      operationId: getStatus
      responses: { default: { description: default response, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: Authorization } }
  responses:
    Lost: { description: lost, content: { application/json: { schema: { type: object, required: [message, timestamp], properties: { message: { type: string }, timestamp: { type: string, format: date-time } } } } } }
  schemas:
    Visit: { type: object, required: [at], properties: { at: { type: string } } }
    Room:
      type: object
      required: [slug, owner]
      properties: { slug: { type: string }, owner: { type: string }, note: { type: string }, views: { type: array, items: { type: string }, example: [1] } }
`;

const SHEET = `
api: odd
contract: '1'
document: 1
policies:
  - kind: credentials
    keyHeader: Authorization
  - kind: resource
    collection: rooms
    id: { member: slug }
    operations: { create: addRoom, list: listRooms, read: getRoom, patch: changeRoom }
  - kind: resource
    collection: visits
    id: { member: id }
    operations: { create: addVisit, list: listVisits, read: getVisit }
  - kind: numbered-pages
    operations: [listVisits]
    offsetParameter: offset
    limitParameter: limit
    defaultLimit: 20
    maximumLimit: 100
rules: []
unspecified: []
`;

test('a contract in the style of public documents raises no alarm on its own mock', async () => {
  const report = await judgeOf(await own('odd', DOCUMENT, SHEET), undefined)([]);
  expect(report.rules.filter(isBroken).map(({ id, observed }) => [id, observed])).toEqual([]);
  expect(report.summary.pass).toBeGreaterThan(20);
});
