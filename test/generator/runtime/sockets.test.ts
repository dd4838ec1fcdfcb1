import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';

import type { Clock } from '../../../generator/runtime/clock.ts';
import { connect } from '../../../generator/runtime/connection.ts';
import type { Connection, ConnectionOptions } from '../../../generator/runtime/connection.ts';
import { ApiError, ConnectionError, TimeoutError } from '../../../generator/runtime/errors.ts';
import { send } from '../../../generator/runtime/http.ts';
import { patiently } from '../../../generator/runtime/patience.ts';
import { freePort } from '../../e2e/free-port.ts';
import { readThing, runThing } from './fake-server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A real server; each request meets the next handler, the last one stays. */
async function listen(...handlers: Handler[]): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('error', () => undefined);
    request.on('end', () => {
      const handler = handlers.length > 1 ? handlers.shift() : handlers[0];
      handler?.(request, response, body);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Pauses between attempts take no time and are noted; patience never ends unless a test ends it. */
function client(
  baseUrl: string,
  options: Partial<ConnectionOptions> = {},
): { connection: Connection; pauses: number[]; lose: () => void } {
  const pauses: number[] = [];
  let lose = (): void => undefined;
  const clock: Clock = {
    now: () => 0,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (milliseconds < 60_000) {
          pauses.push(milliseconds);
          resolve();
          return;
        }
        lose = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
  };
  return { connection: connect({ baseUrl, clock, random: () => 0, ...options }), pauses, lose: () => lose() };
}

const ok: Handler = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
const cut: Handler = (request) => request.socket.destroy();
const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(code, headers).end('{"detail":"x"}');

test('a dropped connection is followed by a second attempt with the same key and body', async () => {
  const seen: [string | string[] | undefined, string][] = [];
  const note =
    (handler: Handler): Handler =>
    (request, response, body) => {
      seen.push([request.headers['idempotency-key'], body]);
      handler(request, response, body);
    };
  const { connection, pauses } = client(await listen(note(cut), note(status(503)), note(ok)));
  const answer = await send(connection, runThing, { id: 'a', body: { deep: ['ü', 1.5, null] } });
  expect([answer.data, answer.attempts, pauses]).toStrictEqual([{ ok: true }, 3, [250, 500]]);
  expect(new Set(seen.map(([key]) => key))).toStrictEqual(new Set([answer.idempotencyKey]));
  expect(new Set(seen.map(([, body]) => body))).toStrictEqual(new Set(['{"deep":["ü",1.5,null]}']));
});

test('no server listens: the error has the code of the system', async () => {
  const baseUrl = `http://127.0.0.1:${String(await freePort())}`;
  const { connection } = client(baseUrl, { retries: 0 });
  const error: unknown = await send(connection, readThing, { id: 'a' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(String(error)).toMatch(/ECONNREFUSED \(GET http:\/\/127\.0\.0\.1:\d+\/v1\/things\/a\)$/);
});

test('an answer that is cut in its middle is asked for again', async () => {
  const short: Handler = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"ok":', () => request.socket.destroy());
  };
  const { connection } = client(await listen(short, ok));
  expect(await send(connection, runThing, { id: 'a', body: {} })).toMatchObject({
    data: { ok: true },
    attempts: 2,
  });
});

test('Retry-After is obeyed over a socket', async () => {
  const { connection, pauses } = client(
    await listen(status(409, { 'retry-after': '7' }), status(429, { 'retry-after': '2' }), ok),
  );
  expect((await send(connection, runThing, { id: 'a', body: {} })).attempts).toBe(3);
  expect(pauses).toStrictEqual([7_000, 2_000]);
});

test('a conflict is raised at once', async () => {
  const { connection } = client(await listen(status(409), ok));
  await expect(send(connection, runThing, { id: 'a', body: {} })).rejects.toMatchObject({
    status: 409,
    attempts: 1,
  });
});

test('a slow body is read completely', async () => {
  const slow: Handler = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const bytes = [...'{"ok":true}'];
    const next = (): void => {
      const byte = bytes.shift();
      if (byte === undefined) response.end();
      else response.write(byte, () => setImmediate(next));
    };
    next();
  };
  const { connection } = client(await listen(slow));
  expect((await send(connection, readThing, { id: 'a' })).data).toStrictEqual({ ok: true });
});

test('a time limit in the middle of a body closes the connection', async () => {
  let begun = (): void => undefined;
  const halfway = new Promise<void>((resolve) => (begun = resolve));
  let closed = (): void => undefined;
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const stuck: Handler = (_, response) => {
    response.on('close', closed);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"ok":', begun);
  };
  const { connection, lose } = client(await listen(stuck), { retries: 0 });
  const call = send(connection, runThing, { id: 'a', body: {} }).catch((reason: unknown) => reason);
  await halfway;
  lose();
  expect(await call).toBeInstanceOf(TimeoutError);
  await gone;
});

test('an abort closes the connection', async () => {
  const stop = new AbortController();
  const reason = new Error('the user left');
  let closed = (): void => undefined;
  const gone = new Promise<void>((resolve) => (closed = resolve));
  const stuck: Handler = (_, response) => {
    response.on('close', closed);
    stop.abort(reason);
  };
  const { connection } = client(await listen(stuck));
  await expect(send(connection, runThing, { id: 'a', body: {} }, { signal: stop.signal })).rejects.toBe(
    reason,
  );
  await gone;
});

test('a redirect is not followed, and no key goes to where it points', { tags: 'attack' }, async () => {
  const visitors: (string | string[] | undefined)[] = [];
  const elsewhere = await listen((request, response, body) => {
    visitors.push(request.headers['x-api-key']);
    ok(request, response, body);
  });
  const { connection } = client(await listen(status(307, { location: `${elsewhere}/v1/things/a` })), {
    credentials: { Key: 'very-secret' },
  });
  const error: unknown = await send(connection, runThing, { id: 'a', body: {} }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 307 });
  expect(visitors).toStrictEqual([]);
});

interface Pool {
  dispatch(options: { headersTimeout?: number; bodyTimeout?: number }, handler: object): boolean;
}

test('a server may take longer than Node’s own fetch would wait', async () => {
  new Headers();
  // Newer versions of Node have a second pool, to which the first one passes everything on.
  const pools = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].flatMap(
    (name) => (globalThis as unknown as Record<symbol, Pool | undefined>)[Symbol.for(name)] ?? [],
  );
  if (pools.length === 0) throw new Error('this Node keeps its pool elsewhere: look at patience.ts');
  const limits = new Set<unknown>();
  for (const pool of pools) {
    const own = pool.dispatch.bind(pool);
    const dispatch: Pool['dispatch'] = (options, handler) => {
      limits.add(options.headersTimeout).add(options.bodyTimeout);
      return own(options, handler);
    };
    Object.defineProperty(pool, 'dispatch', { configurable: true, value: dispatch });
  }
  const limitsOf = async (call: () => Promise<unknown>): Promise<readonly unknown[]> => {
    limits.clear();
    await call();
    return [...limits];
  };
  try {
    const { connection } = client(await listen(ok));
    expect(await limitsOf(() => send(connection, { ...readThing, patiently }, { id: 'a' }))).toStrictEqual([
      0,
    ]);
    expect(await limitsOf(() => send(connection, readThing, { id: 'a' }))).toStrictEqual([undefined]);
  } finally {
    for (const pool of pools) Reflect.deleteProperty(pool, 'dispatch');
  }
});
