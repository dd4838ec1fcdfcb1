import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { contractOf, filesOf, imported } from './generated.ts';
import { streamsDocument } from './streams-document.ts';

type Serve = (request: Request) => Promise<Response>;
type Call = () => Promise<{ readonly data: AsyncIterable<unknown> }>;

interface Pair {
  readonly create: (options: object) => Record<string, Call>;
  readonly serverOf: (handlers: object, options: object) => Serve;
  readonly attach: (server: Serve, to: unknown) => void;
}

let made: Promise<Pair> | undefined;

/** The generated client and server, made by the first test. */
function pair(): Promise<Pair> {
  made ??= (async () => {
    const files = await filesOf(streamsDocument, 'sample', { server: true });
    const { createSample } = await imported(files, 'sample/index.ts');
    const { createServer: serverOf } = await imported(files, 'sample/server.ts');
    const { attach } = await imported(files, 'server-runtime/node.ts');
    return { create: createSample, serverOf, attach } as Pair;
  })();
  return made;
}

const authenticate = (): object => ({ id: 'ada' });

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item);
}

const rows = [{ n: 1 }, { n: 2 }];
const notes = ['', 'two\r\nlines', '--', '{"n":1}'];
const images = [new Blob([Uint8Array.of(0, 255, 13, 10)], { type: 'image/png' }), new Blob(['b'])];
const events = rows.map((data) => ({ event: 'message', data }));
/** A Blob as its bytes, because no two Blobs are equal. */
async function bytesOf(item: unknown): Promise<unknown> {
  return item instanceof Blob ? [...new Uint8Array(await item.arrayBuffer())] : item;
}

const PARTS = expect.stringMatching(/^multipart\/mixed; boundary=part-[\w-]+$/) as string;
const kinds = [
  { event: 'add', data: { n: 1 } },
  { event: 'say', data: 'two\nlines' },
];

test.each<
  [operation: string, reply: () => object, items: readonly unknown[], head: readonly (string | null)[]]
>([
  ['lines', () => ({ items: each(rows) }), rows, ['application/jsonl', 'no']],
  ['lines', () => ({ body: rows }), rows, ['application/jsonl', null]],
  ['sequence', () => ({ items: each(rows) }), rows, ['application/json-seq', 'no']],
  ['parts', () => ({ items: each(rows) }), rows, [PARTS, 'no']],
  ['parts', () => ({ items: each([]) }), [], [PARTS, 'no']],
  ['parts', () => ({ body: rows }), rows, [PARTS, null]],
  ['notes', () => ({ items: each(notes) }), notes, [PARTS, 'no']],
  ['images', () => ({ items: each(images) }), images, [PARTS, 'no']],
  ['images', () => ({ body: images }), images, [PARTS, null]],
  [
    'parts',
    () => ({ headers: { 'Content-Type': 'multipart/mixed; boundary="of: mine"' }, items: each(rows) }),
    rows,
    ['multipart/mixed; boundary="of: mine"', 'no'],
  ],
  ['listed', () => ({ events: each(events) }), events, ['text/event-stream', 'no']],
  ['printed', () => ({ events: each(events) }), events, ['text/event-stream', 'no']],
  ['either', () => ({ events: each(kinds) }), kinds, ['text/event-stream', 'no']],
  [
    'texts',
    () => ({ events: each([{ event: 'message', data: 'a' }]) }),
    [{ event: 'message', data: 'a' }],
    ['text/event-stream', 'no'],
  ],
])('%s: the client reads what the server writes', async (operation, reply, items, head) => {
  const { create, serverOf } = await pair();
  const serve = serverOf(
    { [operation]: () => ({ status: 200, ...reply() }) },
    { checkResponses: true, authenticate },
  );
  const seen: (string | null)[] = [];
  const fetched = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = await serve(new Request(input, init));
    seen.push(answer.headers.get('content-type'), answer.headers.get('x-accel-buffering'));
    return answer;
  };
  const client = create({ baseUrl: 'http://localhost', fetch: fetched });
  const { data } = (await client[operation]?.()) ?? {};
  const arrived: unknown[] = [];
  for await (const item of data ?? []) arrived.push(item);
  expect(await Promise.all(arrived.map(bytesOf))).toStrictEqual(await Promise.all(items.map(bytesOf)));
  expect(seen).toStrictEqual(head);
});

const row = { n: expect.any(Number) };
const told = (data: unknown, event: unknown = expect.any(String)): object => ({ event, data });

test.each<[operation: string, item: object]>([
  ['lines', row],
  ['sequence', row],
  ['parts', row],
  ['notes', expect.any(String)],
  ['images', expect.any(Blob)],
  ['listed', told(row)],
  ['printed', told(row, 'message')],
  ['referred', told(row)],
  ['either', expect.toSatisfy((item) => isEither(item))],
  ['texts', told(expect.any(String))],
])('%s: the client reads what the mock sends', async (operation, item) => {
  const { create } = await pair();
  const mock = createMock({ contracts: [await contractOf(streamsDocument)] });
  onTestFinished(() => mock.close());
  const client = create({
    baseUrl: 'http://localhost',
    fetch: (input: string | URL | Request, init?: RequestInit) => mock.fetch(new Request(input, init)),
  });
  const { data } = (await client[operation]?.()) ?? {};
  const arrived: unknown[] = [];
  for await (const each of data ?? []) arrived.push(each);
  expect(arrived.length).toBeGreaterThan(0);
  expect(arrived).toEqual(arrived.map(() => item));
});

/** `add` with a row, `say` with a text. */
function isEither(item: unknown): boolean {
  const { event, data } = item as { readonly event: string; readonly data: unknown };
  return event === 'add'
    ? typeof (data as { readonly n?: unknown }).n === 'number'
    : event === 'say' && typeof data === 'string';
}

test('an item arrives before the next one exists', async () => {
  const { create, serverOf } = await pair();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const slowly = async function* (): AsyncGenerator<object> {
    yield { n: 1 };
    await held;
    yield { n: 2 };
  };
  const serve = serverOf({ lines: () => ({ status: 200, items: slowly() }) }, { authenticate });
  const client = create({
    baseUrl: 'http://localhost',
    fetch: (input: string | URL | Request, init?: RequestInit) => serve(new Request(input, init)),
  });
  const { data } = (await client['lines']?.()) ?? {};
  const items = data?.[Symbol.asyncIterator]();
  expect(await items?.next()).toStrictEqual({ done: false, value: { n: 1 } });
  release();
  expect(await items?.next()).toStrictEqual({ done: false, value: { n: 2 } });
  expect((await items?.next())?.done).toBe(true);
});

test('parts of bytes pass through node:http as they are', async () => {
  const { create, serverOf, attach } = await pair();
  const listening = createServer();
  onTestFinished(() => void listening.close());
  attach(serverOf({ images: () => ({ status: 200, items: each(images) }) }, { authenticate }), listening);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const { data } = (await create({ baseUrl: `http://127.0.0.1:${String(port)}` })['images']?.()) ?? {};
  const arrived: unknown[] = [];
  for await (const item of data ?? []) arrived.push(await bytesOf(item));
  expect(arrived).toStrictEqual(await Promise.all(images.map(bytesOf)));
});
