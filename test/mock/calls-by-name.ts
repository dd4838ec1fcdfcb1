import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

const answers = (...statuses: readonly number[]): string =>
  statuses.map((status) => `'${status}': { description: No. }`).join(', ');
const one = `description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } }`;
const body = (required: string, properties: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: { type: object, required: [${required}], properties: { ${properties} } } } } }`;
const id = 'ticket_id: { type: integer }';
const refused = answers(400, 401, 404, 410, 415);

/** Tickets by calls with names: a query or a body has the id of the ticket that a call is about. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Tickets, version: '1' }
security: [{ token: [] }]
paths:
  /addTicket:
    post: { operationId: addTicket, ${body('title', 'title: { type: string }, queue: { type: string }')}, responses: { '201': { ${one} }, ${answers(400, 401, 415)} } }
  /listTickets:
    get: { operationId: listTickets, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Ticket' } } } } }, ${answers(401)} } }
  /getTicket:
    get: { operationId: getTicket, parameters: [{ name: ticket_id, in: query, required: true, schema: { type: integer } }], responses: { '200': { ${one} }, ${answers(400, 401, 404, 410)} } }
  /editTicket:
    post: { operationId: editTicket, ${body('ticket_id', `${id}, title: { type: string }, queue: { type: string }`)}, responses: { '200': { ${one} }, ${refused} } }
  /closeTicket:
    post: { operationId: closeTicket, ${body('ticket_id', id)}, responses: { '200': { ${one} }, ${answers(409)}, ${refused} } }
  /dropTicket:
    post: { operationId: dropTicket, ${body('ticket_id', id)}, responses: { '204': { description: Gone. }, ${refused} } }
  /bringBackTicket:
    post: { operationId: bringBackTicket, ${body('ticket_id', id)}, responses: { '200': { ${one} }, ${answers(409)}, ${refused} } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Ticket:
      type: object
      required: [ticket_id, title, state]
      properties:
        ticket_id: { type: integer, readOnly: true }
        title: { type: string }
        queue: { type: string }
        state: { type: string, enum: [open, closed], readOnly: true }
`;

const SHEET = `
api: tickets
contract: '1'
document: 1
policies:
  - kind: resource
    collection: tickets
    id: { member: ticket_id, form: integer }
    operations: { create: addTicket, list: listTickets, read: getTicket, patch: editTicket, delete: dropTicket, restore: bringBackTicket }
    missing: { status: 404 }
    gone: { status: 410 }
    otherCaller: { status: 404 }
  - kind: lifecycle
    schema: Ticket
    property: state
    states: [open, closed]
    initial: open
    terminal: [closed]
    transitions: [{ from: open, to: closed, on: closeTicket }]
    frozen: [title]
    refusal: { status: 409 }
rules: []
unspecified: []
`;

/** A contract whose operations are calls by name. @param change of its document */
export const callsByName = (change = (document: string): string => document): Promise<Contract> =>
  own('tickets', change(DOCUMENT), SHEET);
