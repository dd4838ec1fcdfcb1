import { beforeAll, expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { parseJson } from '../../conformance/exchanges/exchange.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const named = `{ required: true, content: { application/json: { schema: { type: object, required: [ticket_id], properties: { ticket_id: { type: integer, minimum: 1 } } } } } }`;
const refusals = ['400', '401', '403', '404', '409', '415']
  .map((status) => `'${status}': { $ref: '#/components/responses/Refused' }`)
  .join(', ');
const shown = `{ '200': { $ref: '#/components/responses/Ticket' }, ${refusals} }`;
const inPath = 'parameters: [{ name: ticket_id, in: path, required: true, schema: { type: integer } }]';
const action = (id: string): string =>
  `  /${id}: { post: { operationId: ${id}, requestBody: ${named}, responses: ${shown} } }`;

/** Tickets, which calls name in their paths, in their bodies and in the query; the path of each call is its own. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Tickets, version: '1' }
security: [{ token: [] }]
paths:
  /writeTicket:
    post:
      operationId: writeTicket
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string, minLength: 1 } } } } } }
      responses: { '201': { $ref: '#/components/responses/Ticket' }, ${refusals} }
  /getTicket/{ticket_id}: { get: { operationId: getTicket, ${inPath}, responses: ${shown} } }
  /checkTicket:
    get:
      operationId: checkTicket
      parameters: [{ name: ticket_id, in: query, required: true, schema: { type: integer } }]
      responses: ${shown}
  /dropTicket/{ticket_id}: { post: { operationId: dropTicket, ${inPath}, responses: ${shown} } }
  /bringBackTicket/{ticket_id}: { post: { operationId: bringBackTicket, ${inPath}, responses: ${shown} } }
${['startTicket', 'closeTicket'].map(action).join('\n')}
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  responses:
    Refused: { description: Why., content: { application/json: { schema: { type: object, required: [error] } } } }
    Ticket: { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } } }
  schemas:
    Ticket:
      type: object
      required: [ticket_id, title, state]
      properties: { ticket_id: { type: integer }, title: { type: string }, state: { type: string } }
`;

const SHEET = `
api: tickets
contract: '1'
document: 1
policies:
  - kind: resource
    collection: tickets
    id: { member: ticket_id, form: integer }
    operations: { create: writeTicket, read: getTicket, delete: dropTicket, restore: bringBackTicket }
    otherCaller: { status: 403 }
  - kind: lifecycle
    schema: Ticket
    property: state
    states: [new, begun, closed]
    initial: new
    terminal: [closed]
    transitions:
      - { from: new, to: begun, on: startTicket }
      - { from: begun, to: closed, on: closeTicket }
    refusal: { status: 409 }
rules: []
unspecified: []
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('tickets', DOCUMENT, SHEET);
});

type Fault =
  | 'closes at once'
  | 'closes for all'
  | 'shows to all'
  | 'drops again'
  | 'restores new'
  | 'closes all'
  | 'keeps all';

interface Ticket {
  readonly owner: string;
  readonly title: string;
  state: string;
  isDropped: boolean;
}

/** What each call leads from and to. */
const WAYS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  startTicket: ['new', 'begun'],
  closeTicket: ['begun', 'closed'],
};

/** A desk with three tickets that were there before. */
function desk(fault?: Fault): {
  readonly tickets: Map<number, Ticket>;
  readonly answer: (request: WireRequest) => Scripted;
} {
  const tickets = new Map<number, Ticket>(
    [1, 2, 3].map((id) => [id, { owner: 'ada', title: `t${id}`, state: 'new', isDropped: false }]),
  );
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const refused = (status: number): Scripted => json(status, { error: {} });
  const answer = (request: WireRequest): Scripted => {
    const owner = /^Bearer (ada|ben)$/.exec(headerIn(request, 'Authorization') ?? '')?.[1];
    if (owner === undefined) return refused(401);
    if (request.body !== undefined && headerIn(request, 'Content-Type') !== 'application/json')
      return refused(415);
    const url = new URL(request.target, 'http://localhost');
    const [call = '', inPath] = url.pathname.slice(1).split('/');
    const body = parseJson(Buffer.from(request.body ?? []).toString()) as Readonly<Record<string, unknown>>;
    if (call === 'writeTicket') {
      if (typeof body?.['title'] !== 'string' || body['title'] === '') return refused(400);
      const id = tickets.size + 1;
      tickets.set(id, { owner, title: body['title'], state: 'new', isDropped: false });
      return json(201, { ticket_id: id, title: body['title'], state: 'new' });
    }
    const inQuery = url.searchParams.get('ticket_id');
    const id = inPath === undefined && inQuery === null ? body?.['ticket_id'] : Number(inPath ?? inQuery);
    if (fault === 'closes all' && call === 'closeTicket' && id === undefined)
      for (const one of tickets.values()) one.state = 'closed';
    if (!Number.isInteger(id) || (id as number) < 1) return refused(400);
    const ticket = tickets.get(id as number);
    if (ticket === undefined) return refused(404);
    const isOpenToAll =
      (fault === 'closes for all' && call === 'closeTicket') ||
      (fault === 'shows to all' && call === 'checkTicket');
    if (ticket.owner !== owner && !isOpenToAll) return refused(403);
    if (call === 'bringBackTicket') {
      if (!ticket.isDropped) return refused(409);
      ticket.isDropped = false;
      if (fault === 'restores new') ticket.state = 'new';
    } else if (ticket.isDropped && !(fault === 'drops again' && call === 'dropTicket')) return refused(404);
    if (call === 'dropTicket') ticket.isDropped = fault !== 'keeps all';
    const way = WAYS[call];
    if (way !== undefined) {
      const isOpen = ticket.state === way[0] || (fault === 'closes at once' && call === 'closeTicket');
      if (!isOpen) return refused(409);
      ticket.state = way[1];
    }
    const { title, state } = ticket;
    return json(200, { ticket_id: id, title, state });
  };
  return { tickets, answer };
}

async function judged(serve: ReturnType<typeof desk>, more: object = {}): Promise<Report> {
  const read = readFixtures(JSON.stringify({ cred: { secondAccount: 'ben' }, ...more }), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer ada' },
    allow: permissions,
    fixtures: read.fixtures,
    transport: scripted(serve.answer).transport,
    clock: virtualClock(),
  });
}

const verdictsOf = ({ rules }: Report, verdict: string): readonly string[] =>
  rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);

test('calls that name things in their bodies are judged, and what they make is taken back by POST', async () => {
  const server = desk();
  const report = await judged(server);
  for (const verdict of ['fail', 'warn', 'error']) expect(verdictsOf(report, verdict)).toEqual([]);
  expect(verdictsOf(report, 'pass')).toEqual(
    expect.arrayContaining([
      'resource.tickets.deleted',
      'resource.tickets.missing',
      'resource.tickets.owned',
      'resource.tickets.restored',
      'lifecycle.Ticket.refused',
      'lifecycle.Ticket.transitions',
      'document.closeTicket.answer',
    ]),
  );
  expect(report.left ?? []).toEqual([]);
  expect(server.tickets.size).toBeGreaterThan(5);
  expect([...server.tickets].filter(([, { isDropped }]) => !isDropped).map(([id]) => id)).toEqual([1, 2, 3]);
  expect([1, 2, 3].map((id) => server.tickets.get(id)?.state)).toEqual(['new', 'new', 'new']);
});

test.each([
  ['closes at once', 'lifecycle.Ticket.refused'],
  ['closes for all', 'resource.tickets.owned'],
  ['shows to all', 'resource.tickets.owned'],
  ['drops again', 'resource.tickets.deleted'],
  ['restores new', 'resource.tickets.restored'],
] as const)('a server that %s breaks %s', async (fault, rule) => {
  expect(verdictsOf(await judged(desk(fault)), 'fail')).toContain(rule);
});

test('an action that names nothing is not sent: a server may take it for one on all things', async () => {
  const server = desk('closes all');
  const report = await judged(server);
  expect([1, 2, 3].map((id) => server.tickets.get(id)?.state)).toEqual(['new', 'new', 'new']);
  expect(verdictsOf(report, 'pass')).toContain('lifecycle.Ticket.transitions');
});

test('what a POST does not remove is listed, without a call that a later command cannot know', async () => {
  const { left = [] } = await judged(desk('keeps all'));
  expect(left.length).toBeGreaterThan(3);
  expect(left.filter(({ removal }) => removal !== undefined)).toEqual([]);
});

test('an occasion of a read names what it reads, and nothing is made for it', async () => {
  const occasions = { getTicket: { hidden: { parameters: { ticket_id: 1 } } } };
  const report = await judged(desk(), { occasions });
  expect(verdictsOf(report, 'error')).toEqual([]);
  expect(report.exchanges.some(({ scenario }) => scenario === 'occasions.getTicket')).toBe(true);
});
