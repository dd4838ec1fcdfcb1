import type { WireRequest } from '../../conformance/index.ts';
import { headerIn, type Scripted } from './servers.ts';

export const DOCUMENT = `
openapi: 3.0.3
info: { title: Tables, version: '1' }
paths:
  /tables:
    post:
      operationId: addTable
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewTable' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Table' } } } }, '409': { description: no } }
  /tables/{tableId}:
    parameters: [{ name: tableId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getTable, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Table' } } } }, '404': { description: no } } }
    put:
      operationId: replaceTable
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewTable' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Table' } } } }, '404': { description: no }, '409': { description: no } }
    patch:
      operationId: changeTable
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema: { type: object, properties: { seats: { type: integer, minimum: 1 }, state: { type: string, enum: [open, held, closed] }, labels: { type: object, nullable: true, additionalProperties: { type: string, nullable: true } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Table' } } } }, '404': { description: no }, '409': { description: no } }
  /tables/{tableId}/call:
    parameters: [{ name: tableId, in: path, required: true, schema: { type: integer } }]
    post: { operationId: callTable, responses: { '204': { description: called }, '404': { description: no } } }
components:
  schemas:
    NewTable: { type: object, required: [reference, seats], properties: { reference: { type: string, minLength: 3 }, seats: { type: integer, minimum: 1 } } }
    Table:
      allOf:
        - $ref: '#/components/schemas/NewTable'
        - { type: object, required: [id, state], properties: { id: { type: integer, readOnly: true }, state: { type: string, enum: [open, held, closed], readOnly: true }, labels: { type: object, additionalProperties: { type: string } } } }
`;

export const SHEET = `
api: tables
contract: '1'
document: 1
policies:
  - kind: resource
    collection: tables
    id: { member: id, parameter: tableId, form: integer }
    operations: { create: addTable, read: getTable, replace: replaceTable, patch: changeTable }
  - { kind: uniqueness, operations: [addTable, replaceTable], member: reference, within: [], refusal: { status: 409 } }
  - { kind: error-codes, code: code, message: title, status: status, codes: [], roles: {} }
  - { kind: conditional-write, operations: [changeTable], mismatch: { status: 412 } }
  - kind: lifecycle
    schema: Table
    property: state
    states: [open, held, closed]
    initial: open
    terminal: [closed]
    transitions: [{ from: open, to: held, on: hold }, { from: held, to: closed, on: close }]
rules: []
unspecified: []
`;

export type Fault =
  | 'own reference refused'
  | 'reference of another taken'
  | 'only the last reference known'
  | 'address of nothing'
  | 'tag of before'
  | 'state skipped'
  | 'state reset'
  | 'labels replaced'
  | 'unknown table called'
  | 'another status in the error';

interface Table {
  readonly id: number;
  readonly reference: string;
  readonly seats: number;
  readonly state: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A server that passes over members of a patch that its document does not name. */
export function tables(fault?: Fault): (request: WireRequest) => Scripted {
  const kept = new Map<number, Table>();
  const ways: Readonly<Record<string, string>> = { open: 'held', held: 'closed' };
  const refused = (status: number): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/problem+json' },
    body: { title: 'no', code: 'no', status: fault === 'another status in the error' ? 400 : status },
  });
  const tagOf = (table: Table): string => `"${Buffer.from(JSON.stringify(table)).toString('base64url')}"`;
  const shown = (table: Table, status = 200, more: Readonly<Record<string, string>> = {}): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', ETag: tagOf(table), ...more },
    body: table,
  });
  const isTaken = (reference: string, self?: Table): boolean => {
    const all = [...kept.values()];
    const known = fault === 'only the last reference known' ? all.slice(-1) : all;
    return known.some(
      (one) => one.reference === reference && (one !== self || fault === 'own reference refused'),
    );
  };
  return (request) => {
    const [, root, id, call] = request.target.split('/');
    if (root !== 'tables') return refused(404);
    const table = kept.get(Number(id));
    const body = read(request);
    if (id === undefined) {
      if (isTaken(body.reference)) return refused(409);
      const made: Table = { id: kept.size + 1, state: 'open', reference: body.reference, seats: body.seats };
      kept.set(made.id, made);
      const path = fault === 'address of nothing' ? '/table' : '/tables';
      return shown(made, 201, { Location: `${path}/${made.id}` });
    }
    if (call !== undefined)
      return table === undefined && fault !== 'unknown table called' ? refused(404) : { status: 204 };
    if (table === undefined) return refused(404);
    if (request.method === 'GET') return shown(table);
    if (request.method === 'PUT') {
      if (isTaken(body.reference, table) && fault !== 'reference of another taken') return refused(409);
      const state = fault === 'state reset' ? 'open' : table.state;
      return keep(kept, shown, { ...table, reference: body.reference, seats: body.seats, state });
    }
    const tags = headerIn(request, 'if-match');
    if (tags !== undefined && tags !== '*' && !tags.split(', ').includes(tagOf(table))) return refused(412);
    const { seats = table.seats, state = table.state, labels } = body;
    if (state !== table.state && ways[table.state] !== state && fault !== 'state skipped')
      return refused(409);
    const before = fault === 'labels replaced' ? {} : table.labels;
    const merged = Object.entries({ ...before, ...labels }).filter(([, value]) => value !== null);
    const next = {
      ...table,
      seats,
      state,
      ...(labels === undefined ? {} : { labels: Object.fromEntries(merged) }),
    };
    return keep(kept, shown, next, fault === 'tag of before' ? { ETag: tagOf(table) } : {});
  };
}

// --- internal ---

function read({ body }: WireRequest): Table {
  return JSON.parse(Buffer.from(body ?? []).toString() || '{}') as Table;
}

function keep(
  kept: Map<number, Table>,
  shown: (table: Table, status?: number, more?: Readonly<Record<string, string>>) => Scripted,
  next: Table,
  more: Readonly<Record<string, string>> = {},
): Scripted {
  kept.set(next.id, next);
  return shown(next, 200, more);
}
