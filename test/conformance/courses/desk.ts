import type { Clock, Transport } from '../../../conformance/index.ts';
import type { Contract } from '../../../contract/index.ts';
import { own } from '../../mock/own-document.ts';
import { Refusal, digest, serve } from '../../unseen/wire.ts';
import type { Answer, Call, Thing } from '../../unseen/wire.ts';

const TICKET = "content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } }";
const REFUSED = (...statuses: readonly number[]): string =>
  statuses.map((status) => `'${String(status)}': { description: No. }`).join(', ');
const ID = 'parameters: [{ name: ticketId, in: path, required: true, schema: { type: string } }]';
const act = (name: string): string => `
  /tickets/{ticketId}/${name}:
    ${ID}
    post: { operationId: ${name}Ticket, responses: { '200': { description: Done., ${TICKET} }, ${REFUSED(404, 409)} } }`;

/** Tickets of a desk: with names of their own, versions, a deletion that can be taken back, and an end in two ways. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Desk, version: '1' }
paths:
  /tickets:
    get: { operationId: listTickets, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Ticket' } } } } } } }
    post:
      operationId: openTicket
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      requestBody: { required: true, ${TICKET} }
      responses: { '201': { description: Opened., ${TICKET} }, ${REFUSED(400, 409, 422)} }
  /tickets/{ticketId}:
    ${ID}
    get: { operationId: getTicket, responses: { '200': { description: It., ${TICKET} }, ${REFUSED(404)} } }
    patch: { operationId: changeTicket, requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object } } } }, responses: { '200': { description: Changed., ${TICKET} }, ${REFUSED(400, 404, 412)} } }
    delete: { operationId: removeTicket, responses: { '204': { description: Gone. }, ${REFUSED(404)} } }
  /tickets/{ticketId}/restore:
    ${ID}
    post: { operationId: restoreTicket, responses: { '200': { description: Back., ${TICKET} }, ${REFUSED(404, 409)} } }${act('approve')}${act('reject')}
components:
  schemas:
    Ticket:
      type: object
      required: [name, title]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string, minLength: 1, maxLength: 60, example: blue }
        title: { type: string, minLength: 1, maxLength: 40, example: A chair }
        place: { type: string, maxLength: 40, example: hall }
        weight: { type: integer, minimum: 0, maximum: 900, example: 3 }
        stage: { type: string, enum: [open, approved, rejected], readOnly: true }
`;

const SHEET = `
api: desk
contract: '1'
document: 1
policies:
  - kind: resource
    collection: tickets
    id: { member: id, parameter: ticketId }
    operations: { create: openTicket, list: listTickets, read: getTicket, patch: changeTicket, delete: removeTicket, restore: restoreTicket }
  - { kind: uniqueness, operations: [openTicket], member: name, within: [], refusal: { status: 409 } }
  - { kind: conditional-write, operations: [changeTicket], mismatch: { status: 412 } }
  - { kind: idempotency, mode: replay, operations: [openTicket], requestHeader: Idempotency-Key, window: PT24H, release: [], inFlight: { status: 409, retryAfter: false }, mismatch: { status: 422 } }
  - kind: lifecycle
    schema: Ticket
    property: stage
    states: [open, approved, rejected]
    initial: open
    terminal: [approved, rejected]
    transitions: [{ from: open, to: approved, on: approve }, { from: open, to: rejected, on: reject }]
    REFUSAL
rules: []
unspecified: []
`;

/** What the desk does wrong. Those of the second kind happen only to calls at the same time. */
export type DeskFault =
  | 'changes-after-restore-are-lost'
  | 'change-of-title-moves-place'
  | 'approved-is-rejected'
  | 'list-is-behind'
  | 'read-steps-back'
  | 'name-taken-twice'
  | 'update-lost'
  | 'version-changed-twice'
  | 'key-used-twice'
  | 'list-loses-one'
  | 'title-of-another'
  | 'left-twice';

/** What the sheet of a desk does not say. */
export interface Unsaid {
  /** How a call is refused that the state forbids. */
  readonly isRefusalUnsaid?: boolean;
  /** That no two tickets have one name: then one key, used twice, makes two tickets. */
  readonly isNameUnsaid?: boolean;
}

export function deskContract({
  isRefusalUnsaid = false,
  isNameUnsaid = false,
}: Unsaid = {}): Promise<Contract> {
  const sheet = SHEET.replace('REFUSAL', isRefusalUnsaid ? '' : 'refusal: { status: 409 }');
  return own('desk', DOCUMENT, isNameUnsaid ? sheet.replace(/^.*kind: uniqueness.*$/m, '') : sheet);
}

/** A desk whose store takes a moment for each look and each write, as that of any server does. */
export function desk(clock: Clock, fault?: DeskFault): Transport {
  const tickets = new Map<string, Thing>();
  const versions = new Map<string, number>();
  const removed = new Map<string, Thing>();
  const restored = new Set<string>();
  const keys = new Map<string, { readonly body: string; answer?: Answer }>();
  let listed: readonly string[] = [];
  let behind: readonly Thing[] = [];
  const before = new Map<string, Thing>();
  let latest: Thing = {};
  let count = 0;
  let reads = 0;
  // Each look at the store takes another while, so that calls overtake each other.
  const store = (): Promise<void> => clock.sleep(1 + ((reads += 1) % 3));
  const has = (one: DeskFault): boolean => fault === one;
  const tagOf = (id: string): string => `"${digest(`${id} ${String(versions.get(id))}`)}"`;
  const shown = (id: string, ticket: Thing, status = 200): Answer => ({
    status,
    headers: { ETag: tagOf(id) },
    json: ticket,
  });
  const found = (id: string): Thing => {
    const ticket = tickets.get(id);
    if (ticket === undefined) throw new Refusal(404, 'none');
    return ticket;
  };
  const keep = (id: string, ticket: Thing): void => {
    const old = tickets.get(id);
    if (old !== undefined) before.set(id, old);
    tickets.set(id, ticket);
    versions.set(id, (versions.get(id) ?? 0) + 1);
  };
  const isTaken = (name: unknown): boolean =>
    !has('key-used-twice') && [...tickets.values()].some((one) => one['name'] === name);

  async function open(body: Thing): Promise<Answer> {
    await store();
    const taken = isTaken(body['name']);
    const own = listed;
    if (has('name-taken-twice') || has('list-loses-one')) await store();
    latest = body;
    if (has('title-of-another')) await store();
    const title = (has('title-of-another') ? latest : body)['title'];
    if (taken || (!has('name-taken-twice') && isTaken(body['name']))) throw new Refusal(409, 'taken');
    const id = `t-${String((count += 1))}`;
    keep(id, { ...body, ...(title === undefined ? {} : { title }), id, stage: 'open' });
    listed = [...(has('list-loses-one') ? own : listed), id];
    return shown(id, found(id), 201);
  }

  async function keyed(call: Call): Promise<Answer> {
    const key = call.header('Idempotency-Key');
    if (key === undefined) return open(call.body as Thing);
    await store();
    const body = JSON.stringify(call.body);
    const known = keys.get(key);
    if (known !== undefined && known.body !== body) throw new Refusal(422, 'other');
    if (known?.answer !== undefined) return known.answer;
    if (known !== undefined) throw new Refusal(409, 'busy');
    if (has('key-used-twice')) await store();
    const record: { readonly body: string; answer?: Answer } = { body };
    keys.set(key, record);
    try {
      record.answer = await open(call.body as Thing);
    } catch (error) {
      keys.delete(key);
      throw error;
    }
    return record.answer;
  }

  async function change(id: string, call: Call): Promise<Answer> {
    await store();
    const guard = call.header('If-Match');
    const isOld = guard !== undefined && guard !== '*' && guard !== tagOf(id);
    const copy = found(id);
    if (has('update-lost') || has('version-changed-twice')) await store();
    const isOldNow = guard !== undefined && guard !== '*' && guard !== tagOf(id);
    if (isOld || (!has('version-changed-twice') && isOldNow)) throw new Refusal(412, 'stale');
    const body = call.body as Thing;
    const ticket = { ...(has('update-lost') ? copy : found(id)), ...body };
    if (has('change-of-title-moves-place') && 'title' in body) ticket['place'] = 'elsewhere';
    if (!(has('changes-after-restore-are-lost') && restored.has(id))) keep(id, ticket);
    return shown(id, ticket);
  }

  async function act(id: string, from: readonly string[], to: string): Promise<Answer> {
    await store();
    const { stage } = found(id);
    if (has('left-twice')) await store();
    const now = has('left-twice') ? stage : found(id)['stage'];
    if (!from.includes(String(now))) throw new Refusal(409, 'over');
    keep(id, { ...found(id), stage: to });
    return shown(id, found(id));
  }

  async function remove(id: string): Promise<Answer> {
    await store();
    removed.set(id, found(id));
    tickets.delete(id);
    listed = listed.filter((one) => one !== id);
    return { status: 204 };
  }

  async function restore(id: string): Promise<Answer> {
    await store();
    const ticket = removed.get(id);
    if (ticket === undefined || tickets.has(id)) throw new Refusal(tickets.has(id) ? 409 : 404, 'none');
    if (isTaken(ticket['name'])) throw new Refusal(409, 'taken');
    removed.delete(id);
    restored.add(id);
    keep(id, ticket);
    listed = [...listed, id];
    return shown(id, ticket);
  }

  async function read(id: string): Promise<Answer> {
    await store();
    const old = before.get(id);
    // A copy of the store that is one change behind answers every other read.
    if (has('read-steps-back') && old !== undefined && (reads += 1) % 2 === 0 && tickets.has(id))
      return shown(id, old);
    return shown(id, found(id));
  }

  async function list(): Promise<Answer> {
    await store();
    const all = listed.map((id) => tickets.get(id)).filter((one) => one !== undefined);
    const json = has('list-is-behind') ? behind : all;
    behind = all;
    return { status: 200, json };
  }

  function handle(call: Call): Promise<Answer> {
    const id = call.path['ticketId'] ?? '';
    switch (call.operation) {
      case 'listTickets':
        return list();
      case 'openTicket':
        return keyed(call);
      case 'getTicket':
        return read(id);
      case 'changeTicket':
        return change(id, call);
      case 'removeTicket':
        return remove(id);
      case 'restoreTicket':
        return restore(id);
      case 'approveTicket':
        return act(id, ['open'], 'approved');
      default:
        return act(id, has('approved-is-rejected') ? ['open', 'approved'] : ['open'], 'rejected');
    }
  }

  return serve(DOCUMENT, {
    admit: () => undefined,
    handle,
    refused: ({ status, code }) => ({ status, json: { code } }),
    always: () => ({}),
  });
}
