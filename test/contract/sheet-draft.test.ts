import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draftText, proposalsOf } from '../../contract/draft/index.ts';
import { type Contract, type LoadResult, loadContract, loadOwnContract } from '../../contract/index.ts';
import { DOCUMENT } from '../mock/bookings.ts';
import { codedRooms } from '../mock/coded-rooms.ts';
import { DOCUMENT as PAPERS } from '../mock/papers.ts';
import { DOCUMENT as STOCK } from '../mock/stock.ts';

/** Sheets that are proposed from a document. */
async function withDocument<Result>(
  document: string,
  use: (contract: Contract, check: (sheet: string) => Promise<LoadResult>) => Promise<Result>,
): Promise<Result> {
  const cwd = mkdtempSync(join(tmpdir(), 'tallystick-draft-'));
  try {
    writeFileSync(join(cwd, 'api.yaml'), document);
    const loaded = await loadContract({ document: 'api.yaml', cwd });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    return await use(loaded.contract, (sheet) => {
      writeFileSync(join(cwd, 'api.behaviour.yaml'), sheet);
      return loadContract({ document: 'api.yaml', sheet: 'api.behaviour.yaml', cwd });
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const textOf = (contract: Contract): string => draftText(contract, proposalsOf(contract), './schema.json');

test('collections, pages and conditions are proposed with places and reasons', async () => {
  await withDocument(DOCUMENT, async (contract, check) => {
    const text = textOf(contract);
    expect(text).toContain('# yaml-language-server: $schema=./schema.json\n');
    expect(text).toMatch(/# GET \/bookings\/\{bookingId\} can read \(api\.yaml:\d+:\d+\)/);
    const checked = await check(text);
    expect(checked).toMatchObject({ ok: true, warnings: [] });
    const policies = checked.ok ? (checked.contract.sheet?.policies ?? []) : [];
    expect(policies).toContainEqual({
      kind: 'resource',
      collection: 'bookings',
      id: { member: 'id', parameter: 'bookingId' },
      operations: {
        create: 'createBooking',
        list: 'listBookings',
        read: 'getBooking',
        replace: 'replaceBooking',
        patch: 'patchBooking',
        delete: 'deleteBooking',
      },
      items: 'bookings',
    });
    expect(policies).toContainEqual({
      kind: 'error-codes',
      code: 'code',
      message: 'detail',
      status: 'status',
      title: 'title',
      codes: [],
      roles: {},
    });
    expect(policies.map(({ kind }) => kind)).toContain('conditional-get');
  });
});

test('what the document does not say is a comment, and says what is missing', async () => {
  await withDocument(DOCUMENT, (contract) => {
    const text = textOf(contract);
    expect(text).toMatch(
      /# To say: the document does not say the size of a page without per_page.*\n {2}# - kind: numbered-pages/,
    );
    expect(text).toMatch(/# To say: which state is the first.*\n {2}# - kind: lifecycle/);
    return Promise.resolve();
  });
});

test('a change whose parameters name If-None-Match evaluates it', async () => {
  const proposals = proposalsOf(await codedRooms());
  expect(proposals.map(({ policy }) => policy)).toContainEqual({
    kind: 'conditional-write',
    operations: ['putRoom'],
    mismatch: { status: 412 },
    exists: { status: 412 },
  });
});

test('a draft is the same each time', async () => {
  await withDocument(DOCUMENT, (contract) => {
    expect(textOf(contract)).toBe(textOf(contract));
    return Promise.resolve();
  });
});

test.each(['router', 'registry', 'jobs'] as const)(
  'the draft of %s has no policy that its document contradicts',
  async (name) => {
    const own = await loadOwnContract(name);
    const { readFileSync } = await import('node:fs');
    const document = readFileSync(new URL(`../../specs/${name}.openapi.yaml`, import.meta.url), 'utf8');
    await withDocument(document, async (contract, check) => {
      expect(contract.operations.length).toBe(own.operations.length);
      expect(await check(textOf(contract))).toMatchObject({ ok: true });
    });
  },
);

test('without its comment signs a draft still fits the schema of sheets', async () => {
  await withDocument(DOCUMENT, async (contract, check) => {
    const all = textOf(contract).replaceAll(/^ {2}# ((?:- kind| {2}).*)$/gm, '  $1');
    expect(await check(all)).toMatchObject({ ok: true });
  });
});

test('a document that suggests nothing gives a sheet without policies', async () => {
  const bare = "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\n";
  await withDocument(bare, async (contract, check) => {
    expect(textOf(contract)).toContain('policies: []\nrules: []');
    expect(await check(textOf(contract))).toMatchObject({ ok: true });
  });
});

test('a line break in a name does not end the comment', async () => {
  const hostile = `
openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /things:
    get:
      operationId: "list\\n- kind: x"
      parameters: [{ name: "limit", in: query, schema: { type: integer } }, { name: cursor, in: query, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: {} } } } } }
`;
  await withDocument(hostile, async (contract, check) => {
    expect(await check(textOf(contract))).toMatchObject({ ok: true });
  });
});

const paths = (...lines: readonly string[]): string =>
  ["openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths:", ...lines].join('\n');
const read = (path: string, schema: string, more = ''): string =>
  `  ${path}: { get: { operationId: get${path.replace(/\W/g, '_')}, ${more}responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } } }`;
const at = (path: string, name: string, schema: string): string =>
  read(path, schema, `parameters: [{ name: ${name}, in: path, required: true, schema: { type: string } }], `);
const pages = (...names: readonly string[]): string =>
  `parameters: [${names.map((name) => `{ name: ${name}, in: query, schema: { type: integer, default: 10, maximum: 10 } }`).join(', ')}], `;
const THING = 'components: { schemas: { Thing: { type: object, properties: { id: { type: string } } } } }';
const REF = "{ $ref: '#/components/schemas/Thing' }";

/** Habits of public documents: what is proposed, whether it is sure, and why not. */
test.each<[string, string, string]>([
  [
    'a thing in an envelope, by reference',
    paths(
      read('/things', `{ properties: { data: { type: array, items: ${REF} }, meta: { type: object } } }`),
      at('/things/{id}', 'id', `{ properties: { data: ${REF}, meta: { type: object } } }`),
      THING,
    ),
    'resource item=data items=data',
  ],
  [
    'a list of names alone',
    paths(read('/pools', '{ type: array, items: { type: string } }'), at('/pools/{id}', 'id', REF), THING),
    'resource?what GET /pools lists has no member id',
  ],
  [
    'a list of other things',
    paths(
      read('/txs', '{ type: array, items: { properties: { tx_hash: {} } } }'),
      at('/txs/{hash}', 'hash', '{ properties: { hash: { type: string } } }'),
    ),
    'resource?what GET /txs lists has no member hash',
  ],
  [
    'a list of which nothing is said',
    paths(read('/txs', '{ type: array, items: {} }'), at('/txs/{id}', 'id', REF), THING),
    'resource',
  ],
  [
    'a cursor that each page has',
    paths(
      read(
        '/rows',
        '{ required: [next_cursor], properties: { rows: { type: array }, next_cursor: { type: string } } }',
        pages('cursor', 'limit'),
      ),
    ),
    'pagination?next_cursor is left out of the last page, but the document requires it of get_rows',
  ],
  [
    'errors without a code',
    paths(
      `  /a: { get: { operationId: a, responses: { '200': { description: ok }, '400': { description: no, content: { application/json: { schema: { required: [status, message], properties: { status: { type: integer }, message: { type: string } } } } } } } } }`,
    ),
    'error-codes?no error body of the document has the member code',
  ],
  [
    'a key at one operation of two',
    paths(
      read('/open', '{}', 'security: [{}], '),
      read('/shut', '{}', 'security: [{ key: [] }], '),
      'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }',
    ),
    'credentials by GET /shut takes a key in X-Key',
  ],
])('%s: the draft says what holds, and what has to be read', async (_, document, said) => {
  await withDocument(document, async (contract, check) => {
    const proposals = proposalsOf(contract).map(({ policy, doubt, reasons }) => {
      const parts =
        policy.kind === 'resource'
          ? (['item', 'items'] as const).map((name) =>
              policy[name] === undefined ? '' : ` ${name}=${policy[name]}`,
            )
          : policy.kind === 'credentials'
            ? [` by ${reasons[0]?.says ?? ''}`]
            : [];
      return doubt === undefined ? `${policy.kind}${parts.join('')}` : `${policy.kind}?${doubt}`;
    });
    expect(proposals).toEqual([said]);
    expect(await check(textOf(contract))).toMatchObject({ ok: true });
  });
});

test('states behind a reference and the read above a stream of events are found', async () => {
  const document = `
openapi: 3.1.0
info: { title: Trips, version: '1' }
paths:
  /trips/{tripId}:
    parameters: [{ name: tripId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getTrip
      responses: { '200': { description: A trip., content: { application/json: { schema: { $ref: '#/components/schemas/Trip' } } } } }
  /trips/{tripId}/events:
    parameters: [{ name: tripId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: watchTrip
      responses: { '200': { description: Events., content: { text/event-stream: { schema: { type: string } } } } }
components:
  schemas:
    State: { type: string, enum: [planned, running, over] }
    Trip: { type: object, properties: { state: { $ref: '#/components/schemas/State' } } }
`;
  await withDocument(document, async (contract, check) => {
    const policies = proposalsOf(contract).map(({ policy }) => policy);
    expect(policies).toContainEqual(
      expect.objectContaining({ kind: 'lifecycle', states: ['planned', 'running', 'over'] }),
    );
    expect(policies).toContainEqual(
      expect.objectContaining({ kind: 'event-stream', events: { status: 'status' }, authority: 'getTrip' }),
    );
    expect(await check(textOf(contract))).toMatchObject({ ok: true });
  });
});

test('a deletion that can be taken back is proposed, and how a deleted thing is refused', async () => {
  await withDocument(PAPERS, async (contract, check) => {
    const papers = proposalsOf(contract).find(
      ({ policy }) => policy.kind === 'resource' && policy.collection === 'papers',
    );
    expect(papers?.policy).toMatchObject({
      operations: { restore: 'restorePaper' },
      gone: { status: 410 },
      sort: { parameter: 'sort', descending: '-' },
    });
    expect(papers?.reasons.map(({ says }) => says)).toContain('GET /papers/{name} answers 410');
    expect(await check(textOf(contract))).toMatchObject({ ok: true, warnings: [] });
  });
});

test('calls that create the things of a list are proposed, with the members of their bodies', async () => {
  await withDocument(STOCK, async (contract, check) => {
    const policies = proposalsOf(contract).map(({ policy }) => policy);
    expect(policies).toContainEqual(
      expect.objectContaining({
        collection: 'parts',
        operations: expect.objectContaining({ create: 'createPart', createMany: 'createParts' }) as object,
        many: { send: 'parts', results: 'results', item: 'part', status: 'status' },
      }),
    );
    const boxes = policies.find((policy) => policy.kind === 'resource' && policy.collection === 'boxes');
    expect(boxes).toMatchObject({ operations: { createMany: 'createBoxs' } });
    expect(boxes).not.toHaveProperty('many');
    expect(textOf(contract)).toContain('POST /parts/batch can create many');
    expect(await check(textOf(contract))).toMatchObject({ ok: true, warnings: [] });
  });
});

test('a call with a list of things creates no single one, and null is a cursor in the words of 3.0', async () => {
  const document = `
openapi: 3.0.3
info: { title: Parts, version: '1' }
paths:
  /parts:
    get:
      operationId: listParts
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, default: 5, maximum: 10 } }
      responses:
        '200': { description: Parts., content: { application/json: { schema: { allOf: [{ $ref: '#/components/schemas/Page' }, { type: object, properties: { parts: { type: array, items: { $ref: '#/components/schemas/Part' } } } }] } } } }
    post:
      operationId: addParts
      requestBody: { content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Part' } } } } }
      responses: { '207': { description: Several results. } }
  /parts/{id}:
    get:
      operationId: getPart
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: A part., content: { application/json: { schema: { $ref: '#/components/schemas/Part' } } } } }
components:
  schemas:
    Page: { type: object, required: [next_cursor], properties: { next_cursor: { type: string, nullable: true } } }
    Part: { type: object, properties: { id: { type: string } } }
`;
  await withDocument(document, async (contract, check) => {
    const proposals = proposalsOf(contract);
    expect(proposals.flatMap(({ doubt }) => doubt ?? [])).toEqual([]);
    expect(proposals.map(({ policy }) => policy)).toEqual([
      expect.objectContaining({ operations: { list: 'listParts', read: 'getPart' } }),
      expect.objectContaining({ kind: 'pagination', page: { items: 'parts', next: 'next_cursor' } }),
    ]);
    expect(await check(textOf(contract))).toMatchObject({ ok: true, warnings: [] });
  });
});

const BELOW = `
openapi: 3.1.0
info: { title: Bills, version: '1' }
paths:
  /clients/{clientId}/bills:
    parameters: [{ name: clientId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listBills
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, default: 5, maximum: 10 } }
        - { name: state, in: query, schema: { $ref: '#/components/schemas/State' } }
        - { name: text, in: query, schema: { type: string } }
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/Bill' } }, cursor: { type: [string, 'null'] } } } } }
        '400': { $ref: '#/components/responses/Error' }
    post: { operationId: addBill, responses: { '201': &bill { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Bill' } } } } } }
  /bills/{billId}:
    parameters: &id [{ name: billId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBill, responses: { '200': *bill } }
  /bills/{billId}/send:
    parameters: *id
    post: { operationId: sendBill, responses: { '200': *bill } }
  /plans/{planCode}:
    parameters: [{ name: planCode, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPlan, responses: { '200': &plan { description: ok, content: { application/json: { schema: { type: object, properties: { code: { type: string } } } } } } } }
    put: { operationId: putPlan, responses: { '200': *plan, '201': *plan } }
  /plans:
    get:
      operationId: listPlans
      parameters:
        - { name: page, in: query, schema: { type: integer } }
        - { name: per_page, in: query, schema: { type: integer, default: 5, maximum: 10 } }
      responses:
        '200':
          description: ok
          headers: { X-Total-Count: { schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { type: object, properties: { code: { type: string } } } } } }
components:
  responses:
    Error:
      description: no
      content: { application/json: { schema: { type: object, properties: { error: { type: object, properties: { code: { enum: [bad, gone] }, message: { type: string } } } } } } }
  schemas:
    State: { type: string, enum: [draft, sent] }
    Bill: { type: object, properties: { id: { type: string }, state: { $ref: '#/components/schemas/State' }, text: { type: string } } }
`;

test('things that are made below another path, ids by another name, and what lists and errors say of themselves', async () => {
  await withDocument(BELOW, (contract) => {
    const proposals = proposalsOf(contract);
    const sure = proposals.filter(({ doubt }) => doubt === undefined).map(({ policy }) => policy);
    expect(sure).toMatchObject([
      {
        collection: 'bills',
        operations: { create: 'addBill', list: 'listBills', read: 'getBill' },
        filters: { state: 'state' },
      },
      { collection: 'plans', id: { member: 'code', parameter: 'planCode', form: 'caller' }, upsert: true },
      { kind: 'pagination', page: { items: 'data', next: 'cursor' } },
      { kind: 'numbered-pages', totalHeader: 'X-Total-Count' },
      { kind: 'error-codes', code: 'error.code', codes: [{ name: 'bad' }, { name: 'gone' }] },
    ]);
    const states = proposals.find(({ policy }) => policy.kind === 'lifecycle');
    expect(states?.reasons.map(({ says }) => says)).toContain(
      'POST /bills/{billId}/send may lead to another',
    );
    return Promise.resolve();
  });
});

const HELP_DESK = `
openapi: 3.1.0
info: { title: Desk, version: '1' }
paths:
  /tickets:
    get:
      operationId: listTickets
      parameters:
        - { name: status, in: query, schema: { $ref: '#/components/schemas/Status' } }
        - { name: assignee, in: query, description: The id of an agent., schema: { type: string } }
        - { name: author, in: query, description: A login., schema: { type: string } }
        - { name: teamId, in: query, schema: { type: string } }
        - { name: subject, in: query, schema: { type: string } }
        - { name: created_after, in: query, schema: { type: string, format: date-time } }
        - { name: offset, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer, default: 20, maximum: 100 } }
      responses:
        '200':
          description: Tickets.
          content:
            application/json:
              schema:
                type: object
                properties:
                  tickets: { type: array, items: { $ref: '#/components/schemas/Ticket' } }
                  meta: { type: object, properties: { total: { type: integer }, offset: { type: integer }, limit: { type: integer } } }
  /tickets/{id}:
    get: { operationId: getTicket, parameters: &id [{ name: id, in: path, required: true, schema: { type: string } }], responses: &ticket { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } } } } }
    delete: { operationId: deleteTicket, parameters: *id, responses: { '204': { description: Gone. } } }
  /teams/{team}/tickets: { post: { operationId: openTicket, parameters: [{ name: team, in: path, required: true, schema: { type: string } }], responses: *ticket } }
  /tickets/{id}/restore: { post: { operationId: restoreTicket, parameters: *id, responses: *ticket } }
  /tickets/{id}/actions/close:
    post:
      operationId: closeTicket
      parameters: *id
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: *ticket
components:
  schemas:
    Status: { enum: [open, closed] }
    Ticket:
      type: object
      properties:
        id: { type: string }
        status: { $ref: '#/components/schemas/Status' }
        subject: { type: string }
        assignee_id: { type: [string, 'null'] }
        teamId: { type: string }
        author_id: { type: string }
`;

test('references select things, and the facts of a page can be in a member of it', async () => {
  await withDocument(HELP_DESK, async (contract, check) => {
    const checked = await check(textOf(contract));
    expect(checked).toMatchObject({ ok: true, warnings: [] });
    const policies = checked.ok ? (checked.contract.sheet?.policies ?? []) : [];
    expect(policies).toContainEqual(
      expect.objectContaining({ filters: { status: 'status', assignee: 'assignee_id', teamId: 'teamId' } }),
    );
    expect(policies).toContainEqual(
      expect.objectContaining({
        page: { items: 'tickets', total: 'meta.total', place: 'meta.offset', limit: 'meta.limit' },
      }),
    );
  });
});

test('actions may lead to another state, and a restoration does not', async () => {
  await withDocument(HELP_DESK, (contract) => {
    const text = textOf(contract);
    expect(text).toContain('POST /tickets/{id}/actions/close may lead to another');
    expect(text).not.toContain('/restore may lead to another');
    expect(text).not.toContain('/tickets may lead to another');
    return Promise.resolve();
  });
});

test('a count is proposed with the doubt what it counts', async () => {
  await withDocument(HELP_DESK.replace('total: {', 'count: {'), (contract) => {
    expect(textOf(contract)).toContain('whether meta.count counts all items or those of the page');
    return Promise.resolve();
  });
});
