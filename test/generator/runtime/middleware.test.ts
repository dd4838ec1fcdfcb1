import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { readStream } from '../../../generator/runtime/answers.ts';
import type { Clock } from '../../../generator/runtime/clock.ts';
import { connect } from '../../../generator/runtime/connection.ts';
import { ApiError, ConnectionError } from '../../../generator/runtime/errors.ts';
import { serverEvents } from '../../../generator/runtime/events.ts';
import { send } from '../../../generator/runtime/http.ts';
import { type Middleware, MiddlewareError, withMiddleware } from '../../../generator/runtime/middleware.ts';
import type { Answer } from '../../../generator/runtime/operation.ts';
import { patiently } from '../../../generator/runtime/patience.ts';
import { rawResponse } from '../../../generator/runtime/raw-response.ts';
import { eventsReader, type ItemStream } from '../../../generator/runtime/streams.ts';
import { fakeServer, readThing, runThing } from './fake-server.ts';

/** Pauses take no time, and patience does not end. */
const clock: Clock = {
  now: () => 0,
  sleep: (ms) => (ms < 60_000 ? Promise.resolve() : new Promise(() => undefined)),
};
const ok = (): Response => Response.json({ ok: true });
const id = { id: '1' };

test('hooks are called in their order, for each attempt, and may wait', async () => {
  const heard: string[] = [];
  const named = (name: string): Middleware => ({
    async onRequest({ headers, attempts, path }) {
      await Promise.resolve();
      heard.push(`${name} request ${attempts} ${path}`);
      headers.append('x-by', name);
    },
    async onResponse({ status }) {
      await Promise.resolve();
      heard.push(`${name} response ${status}`);
    },
    onError: (error) => void heard.push(`${name} error ${(error as Error).message}`),
  });
  const { connection, seen } = fakeServer([new Error('reset'), new Response(null, { status: 503 }), ok()], {
    clock,
  });
  const fetch = withMiddleware([named('a'), named('b')], connection.fetch);
  const answer = await send({ ...connection, fetch }, readThing, id);
  expect([answer.data, answer.attempts]).toStrictEqual([{ ok: true }, 3]);
  expect(heard).toStrictEqual([
    ...[`a request 1 ${readThing.path}`, `b request 1 ${readThing.path}`, 'b error reset', 'a error reset'],
    ...[`a request 2 ${readThing.path}`, `b request 2 ${readThing.path}`, 'b response 503', 'a response 503'],
    ...[`a request 3 ${readThing.path}`, `b request 3 ${readThing.path}`, 'b response 200', 'a response 200'],
  ]);
  expect(seen.map(({ headers }) => headers.get('x-by'))).toStrictEqual(['a, b', 'a, b', 'a, b']);
});

test('all attempts share the key of their call', async () => {
  const keys: unknown[] = [];
  const { connection, seen } = fakeServer([new Response(null, { status: 503 }), ok()], { clock });
  const fetch = withMiddleware(
    [{ onRequest: ({ idempotencyKey }) => void keys.push(idempotencyKey) }],
    connection.fetch,
  );
  await send({ ...connection, fetch }, runThing, { ...id, body: {} });
  expect(keys).toStrictEqual(['key-1', 'key-1']);
  expect(new Set(seen.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test.each<[string, Middleware]>([
  ['a request', { onRequest: () => ok() }],
  ['an answer', { onResponse: () => ok() }],
  ['an error', { onError: () => ok() }],
])('a hook can answer in place of %s', async (what, middleware) => {
  const { connection, seen } = fakeServer([
    what === 'an error' ? new Error('reset') : new Response('no', { status: 500 }),
  ]);
  const answer = await send(
    { ...connection, fetch: withMiddleware([middleware], connection.fetch) },
    readThing,
    id,
  );
  expect(answer.data).toStrictEqual({ ok: true });
  expect(seen).toHaveLength(what === 'a request' ? 0 : 1);
});

test.each<[string, Middleware]>([
  [
    'onRequest',
    {
      onRequest: () => {
        throw new Error('a bug');
      },
    },
  ],
  ['onResponse', { onResponse: () => Promise.reject(new Error('a bug')) }],
  [
    'onError',
    {
      onError: () => {
        throw new Error('a bug');
      },
    },
  ],
])('what %s throws ends the call, and sends nothing again', async (name, middleware) => {
  const { connection, seen } = fakeServer([name === 'onError' ? new Error('reset') : ok()]);
  const error: unknown = await send(
    { ...connection, fetch: withMiddleware([{}, middleware], connection.fetch) },
    readThing,
    id,
  ).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MiddlewareError);
  expect((error as Error).cause).toMatchObject({ message: 'a bug' });
  expect(seen.length).toBe(name === 'onRequest' ? 0 : 1);
});

test('with hooks, the platform still waits as long as the client does', async () => {
  const dispatched: object[] = [];
  const pool = Symbol.for('undici.globalDispatcher.1');
  const globals = globalThis as Record<symbol, unknown>;
  await fetch('data:,').then((answer) => answer.text());
  const before = globals[pool] as { dispatch: (options: object, handler: object) => boolean };
  globals[pool] = Object.create(before, {
    dispatch: {
      value: (options: object, handler: object) => (
        dispatched.push(options),
        before.dispatch(options, handler)
      ),
    },
  });
  onTestFinished(() => {
    globals[pool] = before;
  });
  const server = createServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const connection = connect({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetch: withMiddleware([{}]),
  });
  await send(connection, { ...readThing, patiently }, id);
  expect(dispatched).toStrictEqual([expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 })]);
});

test('a call takes further options of fetch, and keeps its own', async () => {
  const { connection, seen } = fakeServer([ok()]);
  await send(connection, readThing, id, { init: { keepalive: true, ...{ method: 'DELETE' } } });
  expect([seen[0]?.init.keepalive, seen[0]?.method, seen[0]?.init.redirect]).toStrictEqual([
    true,
    'GET',
    'manual',
  ]);
});

test('the response of a call can be had unread, after the same attempts and with the same errors', async () => {
  const { connection } = fakeServer(
    [new Response(null, { status: 503 }), ok(), new Response('no', { status: 404 })],
    { clock },
  );
  const { data, attempts } = await rawResponse((options) => send(connection, readThing, id, options));
  expect([attempts, data.bodyUsed, await data.json()]).toStrictEqual([2, false, { ok: true }]);
  await expect(rawResponse((options) => send(connection, readThing, id, options))).rejects.toBeInstanceOf(
    ApiError,
  );
});

test('what the last attempt says has the error of the one before as its cause', async () => {
  const conflict = new Response('{"error_type":"bad_input"}', { status: 409 });
  const { connection } = fakeServer([new Error('reset'), conflict], { clock });
  const error: unknown = await send(
    connection,
    { ...runThing, retry: { resend: ['5xx'], unanswered: 'resend-with-key' } },
    { ...id, body: {} },
  ).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 409, attempts: 2 });
  expect((error as Error).cause).toBeInstanceOf(ConnectionError);
});

/** A server that sends one event and then nothing, and what tells that its connection is closed. */
async function quietStream(): Promise<{ readonly baseUrl: string; readonly closed: Promise<void> }> {
  let isClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (isClosed = resolve));
  const server = createServer((_request, response) => {
    response.on('close', isClosed);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: status\ndata: {"n":1}\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, closed };
}

const readings: [
  string,
  (connection: ReturnType<typeof connect>, signal: AbortSignal) => Promise<AsyncIterator<unknown>>,
][] = [
  [
    'a stream of bytes',
    async (connection, signal) => {
      const { data } = await send(connection, { ...readThing, read: readStream }, id, { signal });
      const reader = (data as ReadableStream<Uint8Array>).getReader();
      return { next: async () => (await reader.read()) as IteratorResult<unknown> };
    },
  ],
  [
    'its events',
    async (connection, signal) => {
      const answer = await send(connection, { ...readThing, read: readStream }, id, { signal });
      return serverEvents(answer as Answer<Response['body']>);
    },
  ],
  [
    'a stream of items',
    async (connection, signal) => {
      const { data } = await send(connection, { ...readThing, read: eventsReader }, id, { signal });
      return (data as ItemStream<unknown>)[Symbol.asyncIterator]();
    },
  ],
  [
    'the bytes of a stream of items',
    async (connection, signal) => {
      const { data } = await send(connection, { ...readThing, read: eventsReader }, id, { signal });
      const reader = (data as ItemStream<unknown>).body?.getReader();
      return { next: async () => (await reader?.read()) as IteratorResult<unknown> };
    },
  ],
  [
    'an unread response',
    async (connection, signal) => {
      const { data } = await rawResponse((options) =>
        send(connection, readThing, id, { ...options, signal }),
      );
      const reader = data.body?.getReader();
      return { next: async () => (await reader?.read()) as IteratorResult<unknown> };
    },
  ],
];

test.each(readings)('aborting a call ends what it opened: %s', async (_what, open) => {
  const { baseUrl, closed } = await quietStream();
  const abort = new AbortController();
  const items = await open(connect({ baseUrl }), abort.signal);
  expect((await items.next()).done).toBe(false);
  const next = items.next();
  const reason = new Error('not needed any more');
  abort.abort(reason);
  await expect(next).rejects.toBe(reason);
  await closed;
});

test.each(readings)('aborting a call closes the unread body: %s', async (_what, open) => {
  const { baseUrl, closed } = await quietStream();
  const abort = new AbortController();
  await open(connect({ baseUrl }), abort.signal);
  abort.abort();
  await closed;
});
