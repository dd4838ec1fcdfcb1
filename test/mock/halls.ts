import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

/** Holds that calls confirm and release, and exports that become ready by themselves: two lifecycles of one property. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Halls, version: '1' }
paths:
  /holds:
    post:
      operationId: addHold
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewHold' } } } }
      responses: { '201': &hold { description: The hold., content: { application/json: { schema: { $ref: '#/components/schemas/Hold' } } } } }
  /holds/{holdId}:
    get: { operationId: getHold, parameters: &holdId [{ name: holdId, in: path, required: true, schema: { type: string } }], responses: { '200': *hold, '404': { description: None. } } }
  /holds/{holdId}/confirm:
    post: { operationId: confirmHold, parameters: *holdId, responses: { '200': *hold, '404': { description: None. }, '409': { description: Not now. } } }
  /holds/{holdId}/events:
    get:
      operationId: watchHold
      parameters: *holdId
      responses: { '200': { description: Its states., content: { text/event-stream: { schema: { $ref: '#/components/schemas/Hold' } } } }, '404': { description: None. } }
  /exports:
    get:
      operationId: listExports
      responses: { '200': { description: Exports., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Export' } } } } } }
    post:
      operationId: startExport
      responses: { '202': &export { description: The export., content: { application/json: { schema: { $ref: '#/components/schemas/Export' } } } } }
  /exports/{exportId}:
    get: { operationId: getExport, parameters: [{ name: exportId, in: path, required: true, schema: { type: string } }], responses: { '200': *export, '404': { description: None. } } }
components:
  schemas:
    NewHold: { type: object, required: [guest], properties: { guest: { type: string, minLength: 1 } } }
    Hold:
      type: object
      required: [id, guest, state]
      properties: { id: { type: string }, guest: { type: string }, state: { enum: [held, confirmed, expired] } }
    Export:
      type: object
      required: [id, state]
      properties: { id: { type: string }, state: { enum: [pending, running, done] } }
`;

const SHEET = `
api: halls
contract: '1'
document: 1
policies:
  - { kind: resource, collection: holds, id: { member: id, parameter: holdId }, operations: { create: addHold, read: getHold } }
  - { kind: resource, collection: exports, id: { member: id, parameter: exportId }, operations: { create: startExport, list: listExports, read: getExport } }
  - kind: event-stream
    operations: [watchHold]
    authority: getHold
    events: { status: state }
  - kind: lifecycle
    schema: Hold
    property: state
    states: [held, confirmed, expired]
    initial: held
    terminal: [confirmed, expired]
    refusal: { status: 409 }
    transitions: [{ from: held, to: expired, on: expiry }, { from: held, to: confirmed, on: confirm }]
  - kind: lifecycle
    schema: Export
    property: state
    states: [pending, running, done]
    initial: pending
    terminal: [done]
    transitions: [{ from: pending, to: running, on: begin }, { from: running, to: done, on: finish }]
rules: []
unspecified: []
`;

/** The contract of these holds and exports. */
export const hallsContract = (): Promise<Contract> => own('halls', DOCUMENT, SHEET);
