import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

/** Rooms with codes that callers choose, in pages whose numbers are inside `meta`; a deletion succeeds twice. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Rooms, version: '1' }
paths:
  /rooms:
    get:
      operationId: listRooms
      parameters:
        - { name: offset, in: query, schema: { type: integer, minimum: 0 } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
        - { name: name, in: query, schema: { type: string } }
      responses:
        '200':
          description: Rooms.
          content:
            application/json:
              schema:
                type: object
                required: [meta, data]
                properties:
                  meta:
                    type: object
                    required: [total, offset, limit]
                    properties: { total: { type: integer }, offset: { type: integer }, limit: { type: integer } }
                  data:
                    type: object
                    required: [rooms]
                    properties: { rooms: { type: array, items: { $ref: '#/components/schemas/Room' } } }
  /rooms/{roomCode}:
    parameters: [{ name: roomCode, in: path, required: true, schema: { type: string, pattern: '^[A-Z]{2}[0-9]{1,8}$' } }]
    get:
      operationId: getRoom
      responses:
        '200': &room { description: The room., headers: { ETag: { schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } }
        '404': { description: None. }
    put:
      operationId: putRoom
      parameters:
        - { name: If-Match, in: header, schema: { type: string } }
        - { name: If-None-Match, in: header, schema: { type: string } }
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewRoom' } } }
      responses: { '200': *room, '201': *room, '412': { description: Another version. } }
    delete:
      operationId: deleteRoom
      responses: { '204': { description: There is no such room any more. } }
components:
  schemas:
    NewRoom: { type: object, required: [name], properties: { name: { type: string, minLength: 1 }, seats: { type: integer, minimum: 1, default: 4 } } }
    Room:
      type: object
      required: [code, name, seats]
      properties: { code: { type: string, pattern: '^[A-Z]{2}[0-9]{1,8}$' }, name: { type: string }, seats: { type: integer } }
`;

const SHEET = `
api: coded-rooms
contract: '1'
document: 1
policies:
  - kind: resource
    collection: rooms
    id: { member: code, parameter: roomCode, form: caller }
    operations: { list: listRooms, read: getRoom, replace: putRoom, delete: deleteRoom }
    items: data.rooms
    filters: { name: name }
    upsert: true
    idempotentDelete: true
  - { kind: conditional-write, operations: [putRoom], mismatch: { status: 412 }, exists: { status: 412 } }
  - kind: numbered-pages
    operations: [listRooms]
    offsetParameter: offset
    limitParameter: limit
    defaultLimit: 5
    maximumLimit: 20
    page: { items: data.rooms, total: meta.total, limit: meta.limit, place: meta.offset }
rules: []
unspecified: []
`;

/** The contract of these rooms. */
export const codedRooms = (): Promise<Contract> => own('coded-rooms', DOCUMENT, SHEET);
