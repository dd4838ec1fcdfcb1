import { own } from './own-document.ts';

const ticketPath = '{ name: ticket_id, in: path, required: true, schema: { type: string } }';
const shown = (name: string, status = 200): string =>
  `'${String(status)}': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }`;
const sent = (schema: string, type = 'application/json'): string =>
  `{ required: true, content: { ${type}: { schema: ${schema} } } }`;

/** Tickets that actions move, with times of their states, counted comments and references to agents. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Help desk, version: '1' }
paths:
  /agents:
    get:
      operationId: listAgents
      responses:
        '200': { description: Agents., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Agent' } } } } }
  /agents/{agent_id}:
    get:
      operationId: getAgent
      parameters: [{ name: agent_id, in: path, required: true, schema: { type: string } }]
      responses: { ${shown('Agent')}, '404': { description: None. } }
  /tickets:
    get:
      operationId: listTickets
      responses:
        '200': { description: Tickets., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Ticket' } } } } }
    post:
      operationId: openTicket
      requestBody: ${sent("{ $ref: '#/components/schemas/NewTicket' }")}
      responses: { ${shown('Ticket', 201)}, '400': { description: Wrong. } }
  /tickets/bulk:
    post:
      operationId: openTickets
      requestBody: ${sent("{ type: array, items: { $ref: '#/components/schemas/NewTicket' } }")}
      responses:
        '200':
          description: Results.
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [status]
                  properties:
                    status: { type: integer }
                    ticket: { $ref: '#/components/schemas/Ticket' }
                    error: { $ref: '#/components/schemas/Problem' }
  /tickets/{ticket_id}:
    parameters: [${ticketPath}]
    get:
      operationId: getTicket
      responses: { ${shown('Ticket')}, '404': { description: None. } }
    patch:
      operationId: changeTicket
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { $ref: '#/components/schemas/TicketPatch' } }, application/json-patch+json: { schema: { type: array, items: { type: object } } } } }
      responses: { ${shown('Ticket')}, '400': { description: Wrong. }, '404': { description: None. }, '409': { description: Differs. } }
    delete:
      operationId: deleteTicket
      responses: { '204': { description: Gone. }, '404': { description: None. } }
  /tickets/{ticket_id}/restore:
    parameters: [${ticketPath}]
    post:
      operationId: restoreTicket
      responses: { ${shown('Ticket')}, '404': { description: None. } }
  /tickets/{ticket_id}/actions/solve:
    parameters: [${ticketPath}]
    post:
      operationId: solveTicket
      requestBody: ${sent('{ type: object, required: [resolution], properties: { resolution: { enum: [fixed, duplicate] }, note: { type: string } } }')}
      responses: { ${shown('Ticket')}, '404': { description: None. }, '409': { description: Not now. } }
  /tickets/{ticket_id}/actions/close:
    parameters: [${ticketPath}]
    post:
      operationId: closeTicket
      responses: { ${shown('Ticket')}, '404': { description: None. }, '409': { description: Not now. } }
  /tickets/{ticket_id}/actions/reopen:
    parameters: [${ticketPath}]
    post:
      operationId: reopenTicket
      responses: { ${shown('Ticket')}, '404': { description: None. }, '409': { description: Not now. } }
  /tickets/{ticket_id}/comments:
    parameters: [${ticketPath}]
    get:
      operationId: listComments
      responses:
        '200': { description: Comments., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Comment' } } } } }
    post:
      operationId: addComment
      requestBody: ${sent('{ type: object, required: [text], properties: { text: { type: string } } }')}
      responses: { ${shown('Comment', 201)} }
  /tickets/{ticket_id}/comments/{comment_id}:
    parameters: [${ticketPath}, { name: comment_id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getComment
      responses: { ${shown('Comment')}, '404': { description: None. } }
    delete:
      operationId: deleteComment
      responses: { '204': { description: Gone. }, '404': { description: None. } }
components:
  schemas:
    Status: { type: string, enum: [open, solved, closed] }
    Resolution: { type: string, enum: [fixed, duplicate] }
    Ticket:
      type: object
      required: [id, subject, status, assignee_id, labels, label_count, comment_count, created_at, updated_at, solved_at, closed_at, resolution]
      properties:
        id: { type: string, readOnly: true }
        subject: { type: string }
        status: { $ref: '#/components/schemas/Status', readOnly: true }
        assignee_id: { type: [string, 'null'], description: An agent. }
        labels: { type: array, items: { type: string } }
        label_count: { type: integer, readOnly: true }
        comment_count: { type: integer, readOnly: true }
        created_at: { type: string, format: date-time, readOnly: true }
        updated_at: { type: string, format: date-time, readOnly: true }
        solved_at: { type: [string, 'null'], format: date-time, readOnly: true }
        closed_at: { type: [string, 'null'], format: date-time, readOnly: true }
        resolution: { oneOf: [{ $ref: '#/components/schemas/Resolution' }, { type: 'null' }], readOnly: true }
    NewTicket:
      type: object
      required: [subject]
      additionalProperties: false
      properties:
        subject: { type: string, minLength: 1 }
        assignee_id: { type: [string, 'null'] }
        labels: { type: array, items: { type: string }, default: [] }
    TicketPatch: { type: object, properties: { subject: { type: string }, labels: { type: array, items: { type: string } } } }
    Comment:
      type: object
      required: [id, text]
      properties: { id: { type: string, readOnly: true }, text: { type: string } }
    Agent:
      type: object
      required: [id, name]
      properties: { id: { type: string }, name: { type: string } }
    Problem:
      type: object
      required: [type, title, status]
      properties: { type: { type: string }, title: { type: string }, status: { type: integer }, detail: { type: string } }
`;

const SHEET = `
api: help-desk
contract: '1'
document: 1
policies:
  - kind: resource
    collection: tickets
    id: { member: id, parameter: ticket_id }
    operations: { create: openTicket, createMany: openTickets, list: listTickets, read: getTicket, patch: changeTicket, delete: deleteTicket, restore: restoreTicket }
    many: { item: ticket, status: status }
  - kind: resource
    collection: comments
    id: { member: id, parameter: comment_id }
    operations: { create: addComment, list: listComments, read: getComment, delete: deleteComment }
  - kind: resource
    collection: agents
    id: { member: id, parameter: agent_id }
    operations: { list: listAgents, read: getAgent }
  - kind: lifecycle
    schema: Ticket
    property: status
    states: [open, solved, closed]
    initial: open
    terminal: [closed]
    transitions:
      - { from: open, to: solved, on: solve }
      - { from: open, to: closed, on: close }
      - { from: solved, to: closed, on: close }
      - { from: solved, to: open, on: reopen }
    refusal: { status: 409 }
rules: []
unspecified: []
`;

export const helpDeskContract = () => own('help-desk', DOCUMENT, SHEET);
