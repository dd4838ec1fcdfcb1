// @module-tag long
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { generate } from '../../generator/index.ts';
import { createMock, type Mock, type SteerableMock } from '../../mock/index.ts';
import { imported } from '../generator/generated.ts';
import { own } from '../mock/own-document.ts';

// A contract of a user's own, its mock, and the server that is generated from it: what the sheet says of versions, values,
// pages and collections is kept by both. The handlers of the server know nothing of tags, taken values and bounds.

const DOCUMENT = `
openapi: 3.1.0
info: { title: Cards, version: '1' }
paths:
  /cards:
    get:
      operationId: listCards
      parameters:
        - { name: page, in: query, schema: { type: string } }
        - { name: size, in: query, schema: { type: integer } }
      responses:
        '200':
          description: One page.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Card' } }
              example: [{ text: one, id: c1 }, { text: two, id: c2 }, { text: three, id: c3 }]
        default: { $ref: '#/components/responses/Problem' }
    post:
      operationId: addCard
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewCard' } } }
      responses:
        '201':
          description: Added.
          content: { application/json: { schema: { $ref: '#/components/schemas/Card' } } }
        default: { $ref: '#/components/responses/Problem' }
  /cards/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: readCard
      responses: &shown
        '200':
          description: The card.
          headers: { ETag: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Card' } } }
        '304': { description: Not modified. }
        default: { $ref: '#/components/responses/Problem' }
    put:
      operationId: replaceCard
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewCard' } } }
      responses: *shown
    delete:
      operationId: deleteCard
      responses:
        '204': { description: Gone. }
        default: { $ref: '#/components/responses/Problem' }
  /names:
    post:
      operationId: takeName
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } }
      responses:
        '204': { description: Taken for the caller. }
        '409': { $ref: '#/components/responses/Problem' }
        default: { $ref: '#/components/responses/Problem' }
components:
  responses:
    Problem:
      description: What went wrong.
      content:
        application/problem+json:
          schema:
            type: object
            required: [title, status, code]
            properties: { title: { type: string }, status: { type: integer }, detail: { type: string }, code: { type: string } }
  schemas:
    NewCard: { type: object, required: [text], properties: { text: { type: string, minLength: 1 } } }
    Card:
      type: object
      required: [id, text]
      properties: { id: { type: string, readOnly: true }, text: { type: string, minLength: 1 } }
`;

const SHEET = `
api: cards
contract: '1'
document: 1
policies:
  - kind: resource
    collection: cards
    id: { member: id, form: integer, prefix: c }
    operations: { create: addCard, list: listCards, read: readCard, replace: replaceCard, delete: deleteCard }
    missing: { status: 404, bucket: no_card }
  - kind: numbered-pages
    operations: [listCards]
    pageParameter: page
    limitParameter: size
    defaultLimit: 2
    maximumLimit: 3
    link: true
  - kind: conditional-write
    operations: [replaceCard, deleteCard]
    mismatch: { status: 412, bucket: stale }
    required: { status: 428, bucket: version_needed }
    exists: { status: 412, bucket: stale }
  - kind: conditional-get
    operations: [readCard]
    status: 304
    keptHeaders: [ETag]
  - { kind: uniqueness, operations: [takeName], member: name, within: [] }
  - { kind: reserved-fields, operations: [addCard, takeName], members: [owner], refusal: { status: 422, bucket: reserved } }
  - kind: error-codes
    code: code
    message: detail
    status: status
    title: title
    codes: [{ name: invalid, status: 400 }, { name: no_card, status: 404 }, { name: taken, status: 409 }, { name: stale, status: 412 }, { name: reserved, status: 422 }, { name: version_needed, status: 428 }]
    roles: { badInput: invalid }
rules: []
unspecified: []
`;

interface Card {
  readonly id: string;
  readonly text: string;
}
interface Input {
  readonly id: string;
  readonly page?: string;
  readonly size: number;
  readonly body: Pick<Card, 'text'>;
}
type Handle = (request: Request) => Promise<Response>;
interface Module {
  readonly createServer: (handlers: object, options: object) => Handle;
  readonly Refusal: new (reason: string, message: string, options: object) => Error;
}

/** What a team writes: the cards, and nothing of the sheet but the word for a card that is not there. */
function serverIn({ createServer, Refusal }: Module): Handle {
  const cards = new Map<string, Card>(
    ['one', 'two', 'three'].map((text, index) => [`c${index + 1}`, { id: `c${index + 1}`, text }]),
  );
  let made = cards.size;
  const found = (id: string): Card => {
    const card = cards.get(id);
    if (card === undefined) throw new Refusal('no_card', `There is no resource with the id ${id}.`, {});
    return card;
  };
  const put = async (card: Card): Promise<Card> => {
    await Promise.resolve();
    cards.set(card.id, card);
    return card;
  };
  const handlers = {
    listCards: ({ page = '1', size }: Input) => {
      const start = (Number(page) - 1) * size;
      return { status: 200, body: [...cards.values()].slice(start, start + size) };
    },
    addCard: async ({ body: { text } }: Input) => {
      const card = await put({ id: `c${(made += 1)}`, text });
      return { status: 201, body: card, headers: { Location: `/cards/${card.id}` } };
    },
    readCard: ({ id }: Input) => ({ status: 200, body: found(id) }),
    replaceCard: async ({ id, body: { text } }: Input) => ({
      status: 200,
      body: await put({ ...found(id), text }),
    }),
    deleteCard: ({ id }: Input) => {
      cards.delete(found(id).id);
      return { status: 204 };
    },
    takeName: () => ({ status: 204 }),
  };
  return createServer(handlers, { authenticate: () => ({ id: 'anybody' }), checkResponses: true });
}

let mock: SteerableMock;
let server: Handle;
let module: Module | undefined;

beforeAll(async () => {
  mock = createMock({ contracts: [await own('cards', DOCUMENT, SHEET)] });
  await mock.ready();
});
beforeEach(async () => {
  module ??= (await imported(
    await generate([await own('cards', DOCUMENT, SHEET)], { server: true }),
    'cards/server.ts',
  )) as unknown as Module;
  mock.reset();
  server = serverIn(module);
});
afterAll(() => {
  for (const each of [mock, ...plainMocks]) each.close();
});

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const read = (headers?: Call['headers'], id = 'c1'): Call => ({
  path: `/cards/${id}`,
  ...(headers && { headers }),
});
const replace = (text: string, ifMatch?: string, id = 'c1'): Call => ({
  method: 'PUT',
  path: `/cards/${id}`,
  body: { text },
  ...(ifMatch === undefined ? {} : { headers: { 'If-Match': ifMatch } }),
});
const remove = (ifMatch?: string, id = 'c1'): Call => ({
  method: 'DELETE',
  path: `/cards/${id}`,
  ...(ifMatch === undefined ? {} : { headers: { 'If-Match': ifMatch } }),
});
const add = (body: object): Call => ({ method: 'POST', path: '/cards', body });
const take = (body: object): Call => ({ method: 'POST', path: '/names', body });
const list = (query: string): Call => ({ path: `/cards${query}` });

/** `<0>` is the first tag that the answers of a course have shown, `<1>` the second. */
const courses: readonly [name: string, statuses: readonly number[], calls: readonly Call[]][] = [
  ['a change of the present version', [200, 200, 200], [read(), replace('new', '<0>'), read()]],
  [
    'a change of an older version, and one more of the present one',
    [200, 200, 412, 200, 200],
    [read(), replace('new', '<0>'), replace('late', '<0>'), read(), replace('again', '<1>')],
  ],
  ['a change without a version', [428, 428], [replace('new'), remove()]],
  [
    'any version, a list, a weak tag',
    [200, 200, 200, 412],
    [read(), replace('a', '*'), replace('b', '"x", <1>'), replace('c', 'W/<2>')],
  ],
  ['a broken header', [412, 412], [replace('a', 'x'), replace('a', '"x')]],
  [
    'what is not there',
    [404, 404, 404],
    [replace('a', '*', 'c9'), remove('"x"', 'c9'), remove(undefined, 'c9')],
  ],
  ['a wrong body is told before the version', [400], [{ ...replace('', '"x"') }]],
  ['what was deleted', [200, 204, 404, 404], [read(), remove('<0>'), read(), remove('<0>')]],
  [
    'a read with the tag that it showed, and with others',
    [200, 304, 304, 200, 304],
    [
      read(),
      read({ 'If-None-Match': '<0>' }),
      read({ 'If-None-Match': 'W/<0>' }),
      read({ 'If-None-Match': '"x"' }),
      read({ 'If-None-Match': '*' }),
    ],
  ],
  [
    'a change that excludes versions',
    [200, 412, 412, 412, 200, 404],
    [
      read(),
      { ...replace('a'), headers: { 'If-Match': '*', 'If-None-Match': '*' } },
      { ...replace('a'), headers: { 'If-None-Match': 'W/<0>' } },
      { ...remove(), headers: { 'If-None-Match': '*' } },
      { ...replace('a'), headers: { 'If-None-Match': '"x"' } },
      { ...replace('a', undefined, 'c9'), headers: { 'If-None-Match': '*' } },
    ],
  ],
  ['a new thing, with the tag that a read shows', [201, 200], [add({ text: 'four' }), read(undefined, 'c4')]],
  [
    'a reserved member',
    [422, 422, 422],
    [add({ text: 'x', owner: 'me' }), add({ text: 'x', owner: null }), take({ owner: 1 })],
  ],
  [
    'a value that may be given once',
    [204, 409, 204, 409, 204, 204],
    [take({ name: 'a' }), take({ name: 'a' }), take({ name: 'b' }), take({ name: 'a' }), take({}), take({})],
  ],
  [
    'pages and their bounds',
    [200, 200, 200, 200],
    ['', '?page=2', '?page=1&size=9', '?size=1&page=2'].map(list),
  ],
  ['pages that no list has', [400, 400, 400, 400], ['?page=0', '?page=x', '?page=1.5', '?page=-1'].map(list)],
];

const TOLD = ['content-type', 'link', 'location', 'allow'];

async function told(handle: Handle, calls: readonly Call[]): Promise<{ readonly status: number }[]> {
  const tags: string[] = [];
  const answers = [];
  for (const { method = 'GET', path, headers = {}, body } of calls) {
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      value.replace(/<(\d)>/g, (_, index: string) => tags[Number(index)] ?? 'none'),
    ]);
    const answer = await handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: [
          ...sent,
          ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
        ],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const tag = answer.headers.get('etag');
    if (tag !== null && !tags.includes(tag)) tags.push(tag);
    const { status } = answer;
    const text = await answer.text();
    const known = TOLD.map((name) => [name, answer.headers.get(name)]);
    answers.push({
      method,
      path,
      status,
      known,
      tag: tag === null ? null : tags.indexOf(tag),
      body: text === '' ? text : (JSON.parse(text) as unknown),
    });
  }
  return answers;
}

const ofMock: Handle = (request) => mock.fetch(request);

test.each(courses)(
  'mock and generated server of an own contract answer alike: %s',
  async (_name, statuses, calls) => {
    const answers = await told(ofMock, calls);
    expect(answers.map(({ status }) => status)).toStrictEqual(statuses);
    expect(await told(server, calls)).toStrictEqual(answers);
  },
);

test('one of several simultaneous changes of one version is made', async () => {
  const at = async (handle: Handle): Promise<number[]> => {
    const shown = await handle(new Request('http://localhost/cards/c1'));
    const tag = shown.headers.get('etag') ?? '';
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((text) => told(handle, [replace(text, tag)])));
    return all.map(([answer]) => answer?.status ?? 0).sort((a, b) => a - b);
  };
  expect(await at(ofMock)).toStrictEqual([200, 412, 412, 412]);
  expect(await at(server)).toStrictEqual([200, 412, 412, 412]);
});

test('of two simultaneous calls with the same unique value, one is accepted', async () => {
  const at = async (handle: Handle): Promise<number[]> => {
    const all = await Promise.all([1, 2].map(() => told(handle, [take({ name: 'z' })])));
    return all.map(([answer]) => answer?.status ?? 0).sort((a, b) => a - b);
  };
  expect(await at(ofMock)).toStrictEqual([204, 409]);
  expect(await at(server)).toStrictEqual([204, 409]);
});

const WITHOUT_SHEET = `
openapi: 3.1.0
info: { title: Odds, version: '1' }
paths:
  /odds:
    get:
      operationId: readOdds
      parameters:
        - { name: tag, in: query, schema: { anyOf: [{ type: string, pattern: '^[a-z,]+$' }, { type: array, maxItems: 1, items: { type: integer } }] } }
        - { name: id, in: query, schema: { oneOf: [{ type: integer }, { type: string, pattern: '^n[0-9]+$' }] } }
      responses: { '200': { description: Good., content: { application/json: { schema: { type: object }, example: {} } } } }
    post:
      operationId: sendOdds
      requestBody:
        required: true
        content:
          multipart/mixed:
            schema:
              type: object
              required: [meta, file]
              additionalProperties: false
              properties:
                meta: { type: object, required: [name], properties: { name: { type: string } } }
                file: { type: string, format: binary }
      responses: { '200': { description: Good., content: { application/json: { schema: { type: object }, example: {} } } } }
`;

const parts = (...all: readonly (readonly [head: string, body: string])[]): Call => ({
  method: 'POST',
  path: '/odds',
  headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
  body: `${all.map(([head, text]) => `--b\r\n${head}\r\n\r\n${text}\r\n`).join('')}--b--\r\n`,
});
const META = ['Content-Type: application/json', '{"name":"x"}'] as const;
const FILE = ['Content-Type: application/octet-stream', '\u00e9'] as const;

test.each<[string, boolean, Call]>([
  ['a text', true, { path: '/odds?tag=a' }],
  ['a text with a comma', true, { path: '/odds?tag=a,b' }],
  ['a list of one number', true, { path: '/odds?tag=7' }],
  ['neither', false, { path: '/odds?tag=7&tag=8' }],
  ['a number or a text: the number', true, { path: '/odds?id=7' }],
  ['a number or a text: the text', true, { path: '/odds?id=n7' }],
  ['a number or a text: neither', false, { path: '/odds?id=x' }],
  [
    'parts with names',
    true,
    parts(
      [`Content-Disposition: form-data; name="file"; filename="f"\r\n${FILE[0]}`, 'x'],
      [`Content-Disposition: form-data; name="meta"\r\n${META[0]}`, META[1]],
    ),
  ],
  ['parts without names, in the order of the members', true, parts(META, FILE)],
  ['a part too many', false, parts(META, FILE, FILE)],
  ['a part that is missing', false, parts(META)],
  ['parts of another form', false, parts(['Content-Type: application/json', '{}'], FILE)],
])('mock and generated server of a document read alike: %s', async (_name, isGood, call) => {
  odds ??= await oddsSides();
  for (const handle of odds) {
    const { body, path, ...rest } = call;
    const answer = await handle(
      new Request(`http://localhost${path}`, {
        ...rest,
        ...(body === undefined ? {} : { body: body as string }),
      }),
    );
    expect([answer.status === 200, await answer.text()]).toStrictEqual([
      isGood,
      isGood ? '{}' : expect.any(String),
    ]);
  }
});

let odds: readonly Handle[] | undefined;
const plainMocks: Mock[] = [];

async function oddsSides(): Promise<readonly Handle[]> {
  const contract = await own('odds', WITHOUT_SHEET);
  const files = await generate([contract], { server: true });
  const { createServer } = (await imported(files, 'odds/server.ts')) as unknown as Module;
  const good = (): object => ({ status: 200, body: {} });
  const plain = createMock({ contracts: [contract] });
  plainMocks.push(plain);
  await plain.ready();
  return [
    (request) => plain.fetch(request),
    createServer({ readOdds: good, sendOdds: good }, { authenticate: () => ({ id: 'anybody' }) }),
  ];
}
