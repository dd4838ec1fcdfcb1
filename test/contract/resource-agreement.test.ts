import { expect, test } from 'vitest';
import { disagreementsOf } from '../../contract/sheet/sheet-agreement.ts';
import type { Policy } from '../../contract/policies/policy.ts';
import { own } from '../mock/own-document.ts';
import { DOCUMENT as STOCK } from '../mock/stock.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Rooms, version: '1' }
paths:
  /rooms:
    get:
      operationId: listRooms
      parameters:
        - { name: offset, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer } }
        - { name: city, in: query, schema: { type: string } }
      responses:
        '200':
          description: Rooms.
          headers: { X-Total-Count: { schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Room' } } } }
  /search:
    get:
      operationId: searchRooms
      parameters:
        - { name: offset, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer } }
      responses: { '200': { description: Rooms., content: { application/json: { schema: { type: object, properties: { rooms: { type: array } } } } } } }
  /rooms/{id}:
    get:
      operationId: getRoom
      security: [{ token: [] }]
      parameters: &id [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: &room
        '200': { description: A room., content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } }
        '404': { description: None. }
  /rooms/{id}/close:
    post: { operationId: closeRoom, parameters: *id, responses: *room }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Room: { type: object, properties: { id: { type: string }, city: { type: string }, state: { enum: [open, closed] } } }
`;

const rooms = {
  kind: 'resource',
  collection: 'rooms',
  id: { member: 'id' },
  operations: { list: 'listRooms', read: 'getRoom' },
} as const;
const pages = {
  kind: 'numbered-pages',
  operations: ['listRooms'],
  offsetParameter: 'offset',
  limitParameter: 'limit',
  defaultLimit: 10,
  maximumLimit: 50,
} as const;
const lifecycle = {
  kind: 'lifecycle',
  schema: 'Room',
  property: 'state',
  states: ['open', 'closed'],
  initial: 'open',
  terminal: ['closed'],
  transitions: [{ from: 'open', to: 'closed', on: 'close' }],
} as const;

test.each<readonly [what: string, policy: Policy, messages: readonly string[]]>([
  ['filters of the document', { ...rooms, filters: { city: 'city' } }, []],
  ['another parameter', { ...rooms, filters: { town: 'city' } }, ['listRooms has no query parameter town']],
  [
    'another member',
    { ...rooms, filters: { city: 'town' } },
    ['the document has no member town in what listRooms lists'],
  ],
  [
    'owners without credentials',
    { ...rooms, otherCaller: { status: 404 } },
    ['things belong to their caller, but the document asks for no credential of listRooms'],
  ],
  [
    'an undeclared refusal of other callers',
    { ...rooms, operations: { read: 'getRoom' }, otherCaller: { status: 403 } },
    ['the document declares no 403 for getRoom'],
  ],
  ['a declared header', { ...pages, totalHeader: 'x-total-count' }, []],
  [
    'no member for the items of a page',
    { ...pages, operations: ['searchRooms'] },
    ['the answer to searchRooms is not a list; name the member that contains the items'],
  ],
  [
    'a member for the items of a page',
    { ...pages, operations: ['searchRooms'], page: { items: 'rooms' } },
    [],
  ],
  [
    'an undeclared header',
    { ...pages, totalHeader: 'X-Total' },
    ['the document declares no header X-Total of listRooms'],
  ],
  [
    'an undeclared refusal of a transition',
    { ...lifecycle, refusal: { status: 409 } },
    ['the document declares no 409 for closeRoom'],
  ],
  ['no refusal of a transition', lifecycle, []],
])('the document and the sheet are compared: %s', async (_what, policy, messages) => {
  const contract = await own('rooms', DOCUMENT);
  expect(disagreementsOf(policy, [policy], contract).map(({ message }) => message)).toEqual(messages);
});

const parts = {
  kind: 'resource',
  collection: 'parts',
  id: { member: 'id' },
  operations: { createMany: 'createParts', read: 'getPart' },
} as const;

test.each<
  readonly [
    what: string,
    many: NonNullable<Extract<Policy, { kind: 'resource' }>['many']>,
    messages: readonly string[],
  ]
>([
  ['the members of the document', { send: 'parts', results: 'results', item: 'part', status: 'status' }, []],
  [
    'no member for the list',
    { results: 'results', item: 'part' },
    ['the request of createParts is not a list; name the member that contains the list'],
  ],
  [
    'a member that is no list',
    { send: 'parts', results: 'created' },
    ['created of createParts is not a list; name the member that contains the list'],
  ],
  [
    'other members',
    { send: 'parts', results: 'results', item: 'thing', status: 'code' },
    [
      'the document has no member code in the body of createParts',
      'the document has no member thing in the body of createParts',
    ],
  ],
  [
    'results that are no things',
    { send: 'parts', results: 'results', status: 'status' },
    ['the document has no member id in the body of createParts'],
  ],
  [
    'both ways to refuse',
    { send: 'parts', results: 'results', item: 'part', status: 'status', whole: true },
    ['either each resource has its own status, or all are created or none: leave out whole or status'],
  ],
])('things that are created together: %s', async (_, many, messages) => {
  const policy = { ...parts, many } satisfies Policy;
  const found = disagreementsOf(policy, [policy], await own('stock', STOCK));
  expect(found.map(({ message }) => message)).toEqual(messages);
});

test('the bodies of a role that no operation has contradict the sheet', async () => {
  const policy = { ...parts, operations: { read: 'getPart' }, many: { whole: true } } satisfies Policy;
  const found = disagreementsOf(policy, [policy], await own('stock', STOCK));
  expect(found.map(({ message }) => message)).toEqual(['no operation has the role createMany']);
});
