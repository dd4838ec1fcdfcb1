import { expect, test } from 'vitest';
import { selfTest, selfTestCode } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { listDeviations } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';

const answer = (status: number): string =>
  `'${status}': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } } }`;
const no = (status: number): string => `'${status}': { description: No. }`;
const id = 'parameters: [{ name: ticket_id, in: path, required: true, schema: { type: integer } }]';

/** Tickets, of which a caller may have four that are not closed. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Tickets, version: '1' }
security: [{ token: [] }]
paths:
  /tickets:
    get: { operationId: listTickets, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Ticket' } } } } }, ${no(401)} } }
    post: { operationId: addTicket, requestBody: { required: true, content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string } } } } } }, responses: { ${answer(201)}, ${no(400)}, ${no(401)}, ${no(415)}, ${no(429)} } }
  /tickets/{ticket_id}:
    ${id}
    get: { operationId: getTicket, responses: { ${answer(200)}, ${no(401)}, ${no(404)} } }
    delete: { operationId: dropTicket, responses: { '204': { description: Gone. }, ${no(401)}, ${no(404)} } }
  /tickets/{ticket_id}/close:
    ${id}
    post: { operationId: closeTicket, responses: { ${answer(200)}, ${no(401)}, ${no(404)}, ${no(409)} } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Ticket:
      type: object
      required: [ticket_id, title, state]
      properties:
        ticket_id: { type: integer, readOnly: true }
        title: { type: string }
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
    operations: { create: addTicket, list: listTickets, read: getTicket, delete: dropTicket }
    missing: { status: 404 }
    otherCaller: { status: 404 }
  - kind: lifecycle
    schema: Ticket
    property: state
    states: [open, closed]
    initial: open
    terminal: [closed]
    transitions: [{ from: open, to: closed, on: close }]
    refusal: { status: 409 }
  - { kind: capacity, operations: [addTicket], status: 429, things: { most: 4, states: [open] } }
rules: []
unspecified: []
`;

test('each way to count things wrongly is caught by the rule about the bound alone', async () => {
  const contract = await own('tickets', DOCUMENT, SHEET);
  const chosen = listDeviations([contract]).filter((one) => one.id.includes('.things~'));
  expect(chosen.map((one) => one.id.split('~')[1])).toEqual([
    'another-status',
    'one-more',
    'removed-too',
    'in-every-state',
  ]);
  const result = await selfTest(chosen, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
  expect(selfTestCode(result)).toBe(0);
}, 120_000);
