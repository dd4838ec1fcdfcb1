import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Shelves, version: '1' }
paths:
  /shelves:
    get:
      operationId: listShelves
      responses:
        '200':
          description: Shelves.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shelf' } } } }
  /shelves/{shelf}:
    parameters: [{ name: shelf, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getShelf
      responses: &shelf
        '200': { description: The shelf., content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }
        '404': { description: None. }
    put:
      operationId: putShelf
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } }
      responses: *shelf
    delete:
      operationId: dropShelf
      responses: { '204': { description: Gone. }, '404': { description: None. } }
  /shelves/{shelf}/holds:
    parameters: [{ name: shelf, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listHolds
      responses:
        '200':
          description: Holds.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Hold' } } } }
        '404': { description: None. }
    post:
      operationId: addHold
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Hold' } } }
      responses:
        '201': { description: Held., content: { application/json: { schema: { $ref: '#/components/schemas/Hold' } } } }
        '404': { description: None. }
  /shelves/{shelf}/holds/{hold}:
    parameters: &hold
      - { name: shelf, in: path, required: true, schema: { type: string } }
      - { name: hold, in: path, required: true, schema: { type: string } }
    get:
      operationId: getHold
      responses:
        '200': { description: The hold., content: { application/json: { schema: { $ref: '#/components/schemas/Hold' } } } }
        '404': { description: None. }
  /shelves/{shelf}/holds/{hold}/settle:
    parameters: *hold
    post:
      operationId: settleHold
      responses:
        '200': { description: Settled., content: { application/json: { schema: { $ref: '#/components/schemas/Hold' } } } }
        '404': { description: None. }
        '409': { description: Settled before. }
components:
  schemas:
    Shelf:
      type: object
      required: [name]
      properties:
        shelf: { type: string, readOnly: true }
        name: { type: string, minLength: 1 }
    Hold:
      type: object
      required: [reason]
      properties:
        id: { type: string, readOnly: true }
        reason: { type: string, minLength: 1 }
        state: { type: string, enum: [held, settled], readOnly: true }
`;

const SHEET = `
api: shelves
contract: '1'
document: 1
policies:
  - kind: resource
    collection: shelves
    id: { member: shelf, parameter: shelf, form: caller }
    operations: { list: listShelves, read: getShelf, replace: putShelf, delete: dropShelf }
    upsert: true
  - kind: resource
    collection: holds
    id: { member: id, parameter: hold }
    operations: { create: addHold, list: listHolds, read: getHold }
  - kind: lifecycle
    schema: Hold
    property: state
    states: [held, settled]
    initial: held
    terminal: [settled]
    transitions: [{ from: held, to: settled, on: settle }]
    refusal: { status: 409 }
rules: []
unspecified: []
`;

/** A collection that replacements create, and one below it whose things a call settles. */
export function shelvesContract(): Promise<Contract> {
  return own('shelves', DOCUMENT, SHEET);
}
