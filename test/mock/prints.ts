import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

/** A contract of a user's own: things with a lifecycle, and a stream of which the document has no example. */
export function printsContract(): Promise<Contract> {
  return own('prints', DOCUMENT, SHEET);
}

// --- internal ---

const DOCUMENT = `
openapi: 3.1.0
info: { title: Prints, version: '1' }
security: [{ key: [] }]
paths:
  /prints:
    post:
      operationId: addPrint
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewPrint' } } }
      responses: { '201': { $ref: '#/components/responses/Print' }, '401': { $ref: '#/components/responses/Refusal' } }
  /prints/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get:
      operationId: getPrint
      responses: { '200': { $ref: '#/components/responses/Print' }, '404': { $ref: '#/components/responses/Refusal' } }
  /prints/{id}/events:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get:
      operationId: watchPrint
      responses:
        '200':
          description: Live.
          content: { text/event-stream: { schema: { $ref: '#/components/schemas/Print' } } }
        '404': { $ref: '#/components/responses/Refusal' }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  parameters: { Id: { name: id, in: path, required: true, schema: { type: string } } }
  responses:
    Print:
      description: A print.
      content: { application/json: { schema: { $ref: '#/components/schemas/Print' } } }
    Refusal:
      description: Refused.
      content: { application/json: { schema: { type: object, properties: { code: { type: string } } } } }
  schemas:
    NewPrint: { type: object, required: [title], properties: { title: { type: string }, copies: { type: integer, default: 3 } } }
    Print:
      type: object
      required: [id, title, state]
      properties:
        id: { type: string }
        title: { type: string }
        copies: { type: integer }
        state: { type: string, enum: [queued, printing, done] }
`;
const SHEET = `
api: prints
contract: '1'
document: 1
policies:
  - kind: credentials
  - kind: resource
    collection: prints
    id: { member: id, parameter: id }
    operations: { create: addPrint, read: getPrint }
  - kind: lifecycle
    schema: Print
    property: state
    states: [queued, printing, done]
    initial: queued
    terminal: [done]
    transitions: [{ from: queued, to: printing, on: start }, { from: printing, to: done, on: finish }]
  - kind: event-stream
    operations: [watchPrint]
    events: { status: state }
    authority: getPrint
rules: []
unspecified: []
`;
