import { expect, test } from 'vitest';
import { selfTest, selfTestCode } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { listDeviations } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';

const answer = (status: number): string =>
  `'${status}': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } } }`;
const no = (status: number): string => `'${status}': { description: No. }`;
const id = 'parameters: [{ name: ticket_id, in: path, required: true, schema: { type: integer } }]';

/** Tickets in numbered pages, of which a caller may have four that are not closed. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Tickets, version: '1' }
security: [{ token: [] }]
paths:
  /tickets:
    get:
      operationId: listTickets
      parameters: [{ name: page, in: query, schema: { type: integer, minimum: 1 } }, { name: size, in: query, schema: { type: integer, minimum: 1 } }]
      responses: { '200': { description: One page., content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } } }, ${no(400)}, ${no(401)} }
    post: { operationId: addTicket, requestBody: { required: true, content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string, maxLength: 60 } } } } } }, responses: { ${answer(201)}, ${no(400)}, ${no(401)}, ${no(415)}, ${no(429)} } }
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
        title: { type: string, maxLength: 60 }
        state: { type: string, enum: [open, closed], readOnly: true }
    Page:
      type: object
      required: [items, more]
      properties: { items: { type: array, items: { $ref: '#/components/schemas/Ticket' } }, more: { type: boolean } }
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
    items: items
  - { kind: numbered-pages, operations: [listTickets], pageParameter: page, limitParameter: size, defaultLimit: 10, maximumLimit: 20, page: { items: items, more: more } }
  - { kind: diagnostics, findings: [], accepts: { addTicket: [title] } }
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

/** Each of the chosen deviations is caught by its rule, and breaks no other one. */
async function caught(chosen: (id: string) => boolean, wanted: readonly string[]): Promise<void> {
  const contract = await own('tickets', DOCUMENT, SHEET);
  const deviations = listDeviations([contract]).filter((one) => chosen(one.id));
  expect(deviations.map((one) => one.id.split('~')[1])).toEqual(wanted);
  const result = await selfTest(deviations, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
  expect(selfTestCode(result)).toBe(0);
}

test('each way to count things wrongly is caught by the rule about the bound alone', async () => {
  await caught(
    (id) => id.includes('.things~'),
    ['another-status', 'one-more', 'removed-too', 'in-every-state'],
  );
}, 120_000);

test('a full last page that announces another one, and a bound in bytes, are caught', async () => {
  const ends = ['more-after-a-full-page', 'long-by-its-bytes'];
  await caught((id) => ends.some((end) => id.endsWith(end)), ends);
}, 120_000);
