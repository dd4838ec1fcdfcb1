import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { generate } from '../../generator/index.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import { imported } from '../generator/generated.ts';
import { notesContract } from './notes.ts';

// The mock of a contract and the server that is generated from it answer alike: both are the engine. The handlers of the
// server answer with the examples of the document, as the mock does.

type Handle = (request: Request) => Promise<Response>;
interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const notes = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const handlers = {
  listNotes: ({ limit }: { readonly limit: number }): Reply => {
    const more = limit < notes.length;
    const next = more ? { next_cursor: Buffer.from(`after ${String(limit)}`).toString('base64url') } : {};
    return { status: 200, body: { data: notes.slice(0, limit), has_more: more, limit, ...next } };
  },
  addNote: (): Reply => ({ status: 201, body: { id: 'n1' } }),
  getNote: (): Reply => ({ status: 200, body: { id: 'n1' } }),
};

let mock: Mock;
let serve: () => Handle;
let server: Handle;

// The server's module is made by the first test, which is when a test may ask for a folder.
let made: Promise<void> | undefined;
beforeAll(async () => {
  mock = createMock({ contracts: [await notesContract()] });
  await mock.ready();
});
beforeEach(async () => {
  await (made ??= make());
  mock.reset();
  server = serve();
});
afterAll(() => {
  mock.close();
});

async function make(): Promise<void> {
  const files = await generate([await notesContract()], { server: true });
  const module = (await imported(files, 'notes/server.ts')) as unknown as {
    createServer: (handlers: object, options: object) => Handle;
  };
  serve = () =>
    module.createServer(handlers, {
      authenticate: (credentials: object) => ({ id: JSON.stringify(credentials) }),
    });
}

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const list = (query = ''): Call => ({ path: `/notes${query}` });
const add = (text: string, key: string, more: Partial<Call> = {}): Call => ({
  method: 'POST',
  path: '/notes',
  headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ text }),
  ...more,
});

const courses: readonly [name: string, calls: readonly Call[]][] = [
  ['a page', [list()]],
  [
    'page sizes below, above and beside the bounds',
    ['0', '1', '500', '-3', 'x', '', '1.5', '1&limit=2'].map((limit) => list(`?limit=${limit}`)),
  ],
  ['a retry', [add('milk', 'k1'), add('milk', 'k1'), add('milk', 'k1')]],
  ['another body under one key', [add('milk', 'k1'), add('bread', 'k1'), add('milk', 'k1')]],
  ['one key of two callers', [add('milk', 'k1'), add('bread', 'k1', { token: 'bob' })]],
  ['an empty key and an endless one', [add('milk', ''), add('milk', 'k'.repeat(256))]],
  ['a key spent on a refusal', [add('', 'k1'), add('', 'k1'), add('milk', 'k1')]],
  [
    'a body that is no JSON, none, deep, or of another type',
    [
      add('', 'k1', { body: '{' }),
      add('', 'k2', { body: '' }),
      add('', 'k3', { body: '['.repeat(300) + ']'.repeat(300) }),
      add('', 'k4', { headers: { 'Content-Type': 'text/plain' } }),
      add('', 'k5', { body: '"text"' }),
      add('', 'k6', { body: '{"text":7}' }),
    ],
  ],
  [
    'no credential, a broken one, and one of another scheme',
    [
      { ...list(), token: null },
      { ...list(), token: null, headers: { Authorization: 'Bearer' } },
      { ...list(), token: null, headers: { Authorization: 'Basic YTpi' } },
      { ...add('milk', 'k1'), token: null },
    ],
  ],
  [
    'paths and methods that are not there',
    [
      { path: '/' },
      { path: '/notes/' },
      { path: '/notes/a/b' },
      { method: 'DELETE', path: '/notes' },
      { method: 'PUT', path: '/notes/a' },
    ],
  ],
  [
    'conditional reads',
    [
      { path: '/notes/a' },
      { path: '/notes/a', headers: { 'If-None-Match': '*' } },
      { path: '/notes/a', headers: { 'If-None-Match': '"other"' } },
      { path: '/notes/a', headers: { 'If-None-Match': 'W/"other", *' } },
      { path: '/notes', headers: { 'If-None-Match': '*' } },
    ],
  ],
];

const TOLD = ['allow', 'content-type', 'etag', 'replayed', 'retry-after', 'www-authenticate'];

async function told(handle: Handle, calls: readonly Call[]): Promise<object[]> {
  const answers: object[] = [];
  for (const { method = 'GET', path, token = 'ada', headers = {}, body } of calls) {
    const answer = await handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );
    const known = TOLD.map((name) => [name, answer.headers.get(name)]);
    answers.push({ method, path, status: answer.status, known, body: await answer.text() });
  }
  return answers;
}

test.each(courses)('mock and generated server answer alike: %s', async (_name, calls) => {
  expect(await told((request) => mock.fetch(request), calls)).toStrictEqual(await told(server, calls));
});

// Whether a call meets the first one still at work is a matter of moments; what it gets then is not.
test('calls with one key at the same moment: one runs, and the others get its answer or are told to wait, on both sides', async () => {
  for (const handle of [(request: Request) => mock.fetch(request), server]) {
    const calls = Array.from({ length: 5 }, () => told(handle, [add('milk', 'k1')]));
    const answers = (await Promise.all(calls)).flat() as { readonly status: number; readonly body: string }[];
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => body)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  }
});
