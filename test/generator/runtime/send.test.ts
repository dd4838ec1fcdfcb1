import { expect, test } from 'vitest';

import { ApiError, ConnectionError, ResponseError, TimeoutError } from '../../../generator/runtime/errors.ts';
import { send } from '../../../generator/runtime/http.ts';
import { fakeServer, jsonAnswer, problem, readThing, runThing } from './fake-server.ts';
import type { FakeServer, SeenRequest } from './fake-server.ts';
import { virtualClock } from '../../../mock/index.ts';
import { until } from '../../until.ts';

const run = (server: FakeServer, options: Parameters<typeof send>[3] = {}): ReturnType<typeof send> =>
  send(server.connection, runThing, { id: 'a', body: {} }, options);
const read = (server: FakeServer, options: Parameters<typeof send>[3] = {}): ReturnType<typeof send> =>
  send(server.connection, readThing, { id: 'a' }, options);
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => new Error('it was a result'),
    (error: unknown) => error,
  );
const keysOf = (seen: readonly SeenRequest[]): (string | null)[] =>
  seen.map(({ headers }) => headers.get('idempotency-key'));
const dropped = new TypeError('fetch failed', {
  cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }),
});

test('a result always has the same shape', async () => {
  const server = fakeServer([jsonAnswer({ ok: 1 }, 200, { 'x-replayed': 'true' })]);
  const answer = await run(server);
  expect({ ...answer, headers: undefined }).toStrictEqual({
    operation: 'runThing',
    method: 'POST',
    status: 200,
    data: { ok: 1 },
    headers: undefined,
    requestId: 'req-1',
    replayed: true,
    idempotencyKey: 'key-1',
    attempts: 1,
    url: 'https://api.example.com/v1/things/a',
  });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(server.clock.isAwaited).toBe(false);
});

test.each<[string, Record<string, string>]>([
  ['without the mark', {}],
  ['with another value of the mark', { 'x-replayed': 'false' }],
])('an answer %s is not a replay', async (_, headers) => {
  expect((await run(fakeServer([jsonAnswer({}, 200, headers)]))).replayed).toBe(false);
});

test('a 304 is a value where the operation says so, and an error elsewhere', async () => {
  const answer = await read(fakeServer([jsonAnswer(null, 304, { etag: '"t"' })]));
  expect([answer.status, answer.data, answer.headers.get('etag')]).toStrictEqual([304, undefined, '"t"']);
  await expect(run(fakeServer([jsonAnswer(null, 304)]))).rejects.toBeInstanceOf(ApiError);
});

test('an answer without a body is read as nothing', async () => {
  expect((await read(fakeServer([new Response(null, { status: 204 })]))).data).toBeUndefined();
});

test('router.idem.recommended: all attempts share one key, each call has its own', async () => {
  const server = fakeServer([
    problem(503, 'busy'),
    dropped,
    jsonAnswer({}),
    problem(500, 'x'),
    jsonAnswer({}),
  ]);
  const first = await run(server);
  const second = await run(server);
  expect(keysOf(server.seen)).toStrictEqual(['key-1', 'key-1', 'key-1', 'key-2', 'key-2']);
  expect([first.attempts, first.idempotencyKey]).toStrictEqual([3, 'key-1']);
  expect([second.attempts, second.idempotencyKey]).toStrictEqual([2, 'key-2']);
  expect(new Set(server.seen.slice(0, 3).map(({ body }) => body)).size).toBe(1);
});

test('the caller can continue with an earlier key', async () => {
  const server = fakeServer([dropped, jsonAnswer({})]);
  await run(server, { idempotencyKey: 'of-before' });
  expect(keysOf(server.seen)).toStrictEqual(['of-before', 'of-before']);
});

test('an operation without keys sends none', async () => {
  const server = fakeServer([jsonAnswer({})]);
  expect((await read(server)).idempotencyKey).toBeUndefined();
  expect(keysOf(server.seen)).toStrictEqual([null]);
});

test('keys are random UUIDs by default', async () => {
  const server = fakeServer([jsonAnswer({}), jsonAnswer({})], { createKey: undefined });
  await run(server);
  await run(server);
  const keys = keysOf(server.seen);
  for (const key of keys)
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys).size).toBe(2);
});

test('a conflict without Retry-After is raised at once', async () => {
  const server = fakeServer([problem(409, 'busy')]);
  const error = await errorOf(run(server));
  expect(error).toMatchObject({ name: 'ApiError', status: 409, attempts: 1, idempotencyKey: 'key-1' });
  expect(server.seen).toHaveLength(1);
  expect(server.clock.slept).toStrictEqual([]);
});

test('a conflict with Retry-After is waited for with the same key, and uses no attempt up', async () => {
  const wait = (): Response => problem(409, 'anything', { 'retry-after': '20' });
  const server = fakeServer([
    wait(),
    wait(),
    wait(),
    wait(),
    problem(503, 'x'),
    problem(503, 'x'),
    jsonAnswer({}),
  ]);
  const answer = await run(server);
  expect(answer.attempts).toBe(7);
  expect(server.clock.slept).toStrictEqual([20_000, 20_000, 20_000, 20_000, 250, 500]);
  expect(new Set(keysOf(server.seen))).toStrictEqual(new Set(['key-1']));
});

test('a wait ends with the total time limit, and the error says what the server asked for', async () => {
  const wait = (): Response => problem(409, 'anything', { 'retry-after': '300' });
  const server = fakeServer([wait(), wait(), wait(), wait(), wait(), wait()], {});
  const error = await errorOf(run(server));
  expect(error).toMatchObject({ status: 409, retryAfterMs: 300_000, attempts: 5 });
  expect(server.clock.slept).toStrictEqual([300_000, 300_000, 300_000, 300_000]);
});

test('a pause longer than the time limit is not started', { tags: 'attack' }, async () => {
  const server = fakeServer([problem(429, 'limit', { 'retry-after': '86400' })]);
  expect(await errorOf(read(server))).toMatchObject({ status: 429, retryAfterMs: 86_400_000, attempts: 1 });
  expect(server.clock.slept).toStrictEqual([]);
});

test.each<[string, string | undefined, number[]]>([
  ['in seconds', '3', [3_000]],
  ['at once', '0', [0]],
  ['as a date', 'Sat, 21 Nov 2026 00:00:09 GMT', [9_000]],
  ['as nothing that can be read', 'soon', [250]],
  ['not at all', undefined, [250]],
])('a 503 that says when (%s) is sent again then', async (_, retryAfter, want) => {
  const server = fakeServer([
    problem(503, 'x', retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    jsonAnswer({}),
  ]);
  await read(server);
  expect(server.clock.slept).toStrictEqual(want);
});

test('after two more attempts the last error is raised', async () => {
  const server = fakeServer([problem(503, 'a'), problem(502, 'b'), problem(500, 'c')]);
  expect(await errorOf(read(server))).toMatchObject({ status: 500, bucket: 'c', attempts: 3 });
});

test.each<[string, Parameters<typeof send>[3], number | undefined, number]>([
  ['the call', { retries: 0 }, 5, 1],
  ['the connection', {}, 1, 2],
  ['neither', {}, undefined, 3],
])('how often is said by %s', async (_, options, retries, want) => {
  const server = fakeServer(
    Array.from({ length: 5 }, () => problem(503, 'x')),
    { retries },
  );
  await errorOf(read(server, options));
  expect(server.seen).toHaveLength(want);
});

test.each([
  [400, 'x'],
  [401, 'x'],
  [404, 'x'],
  [422, 'x'],
  [502, 'refused'],
  [504, 'deadline'],
  [504, 'provider'],
  [302, 'x'],
])('a run that ends in %d %s is not sent again', async (status, bucket) => {
  const server = fakeServer([problem(status, bucket)]);
  expect(await errorOf(run(server))).toMatchObject({ status, bucket });
  expect(server.seen).toHaveLength(1);
});

test('router.run.branch-on-bucket: both 504s are distinguished, and an unknown one is reported as such', async () => {
  const buckets = await Promise.all(
    [problem(504, 'deadline_exceeded'), problem(504, 'provider_timeout'), jsonAnswer({}, 504)].map(
      async (answer) => {
        const error = await errorOf(run(fakeServer([answer])));
        return error instanceof ApiError ? error.bucket : error;
      },
    ),
  );
  expect(buckets).toStrictEqual(['deadline_exceeded', 'provider_timeout', 'internal_error']);
});

test('a 504 with Retry-After is collected with the same key', async () => {
  const server = fakeServer([
    problem(504, 'deadline_exceeded', { 'retry-after': '2' }),
    jsonAnswer({ late: true }),
  ]);
  const answer = await run(server);
  expect(answer.data).toStrictEqual({ late: true });
  expect(keysOf(server.seen)).toStrictEqual(['key-1', 'key-1']);
});

test('an error has all data, and its message has what a person needs', async () => {
  const server = fakeServer([jsonAnswer({ detail: 'no such thing' }, 404, { 'x-error-type': 'lost' })]);
  const error = await errorOf(read(server));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    name: 'ApiError',
    message: 'The server answered 404 lost (GET https://api.example.com/v1/things/a, request req-1)',
    operation: 'readThing',
    method: 'GET',
    status: 404,
    bucket: 'lost',
    body: { detail: 'no such thing' },
    requestId: 'req-1',
    retryAfterMs: undefined,
  });
});

test.each<[string, Response, unknown]>([
  ['JSON', jsonAnswer({ a: 1 }, 400), { a: 1 }],
  ['a page', new Response('<h1>Bad Gateway</h1>', { status: 400 }), '<h1>Bad Gateway</h1>'],
  ['what only looks like JSON', new Response('{ oops', { status: 400 }), '{ oops'],
  ['nothing', new Response(null, { status: 400 }), undefined],
])('the body of an error that is %s', async (_, answer, want) => {
  expect(await errorOf(read(fakeServer([answer])))).toMatchObject({ status: 400, body: want });
});

function brokenOff(status: number, text: string): Response {
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if ((pulls += 1) === 1) controller.enqueue(new TextEncoder().encode(text));
      else controller.error(Object.assign(new Error('terminated'), { code: 'UND_ERR_SOCKET' }));
    },
  });
  return new Response(body, { status, headers: { 'x-error-type': 'busy' } });
}

test('an error whose body breaks off is still what its status says', async () => {
  const error = await errorOf(run(fakeServer([brokenOff(404, '{"detail":')])));
  expect(error).toMatchObject({ name: 'ApiError', status: 404, bucket: 'busy', body: undefined });
  expect(error).toHaveProperty('cause.code', 'UND_ERR_SOCKET');
});

test('a result that breaks off is asked for again with its key', async () => {
  const server = fakeServer([brokenOff(200, '{"a":'), jsonAnswer({ a: 1 }, 200, { 'x-replayed': 'true' })]);
  expect(await run(server)).toMatchObject({ data: { a: 1 }, replayed: true, attempts: 2 });
  expect(keysOf(server.seen)).toStrictEqual(['key-1', 'key-1']);
});

test.each<[string, Response]>([
  ['no JSON', new Response('<html>', { status: 200, headers: { 'x-request-id': 'req-9' } })],
  ['cut short in its middle', new Response('{"a":', { status: 200, headers: { 'x-request-id': 'req-9' } })],
  ['empty', new Response('', { status: 200, headers: { 'x-request-id': 'req-9' } })],
])('a result that is %s cannot be read, and is not asked for again', async (_, answer) => {
  const server = fakeServer([answer]);
  const error = await errorOf(read(server));
  expect(error).toBeInstanceOf(ResponseError);
  expect(error).toMatchObject({ status: 200, requestId: 'req-9' });
  expect(server.seen).toHaveLength(1);
});

test('an answer that is not JSON is reported with its media type', async () => {
  const page = new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } });
  expect(String(await errorOf(read(fakeServer([page]))))).toBe(
    'ResponseError: The text/html body (200) is not JSON (GET https://api.example.com/v1/things/a)',
  );
});

test('a success without body and media type says that the work may be done', async () => {
  const nothing = new Response(null, { status: 201 });
  expect(String(await errorOf(run(fakeServer([nothing]))))).toBe(
    'ResponseError: The untyped body (201) is not JSON (POST https://api.example.com/v1/things/a)',
  );
});

test.each<[string, Response, string]>([
  [
    'a redirect',
    new Response(null, { status: 302, headers: { location: 'https://login.example.com/in?token=s#x' } }),
    '302 internal_error: see https://login.example.com/in',
  ],
  [
    'the page of a gateway',
    new Response('<html><head><title>Bad\nGateway</title></head><body><hr>nginx</body></html>', {
      status: 404,
    }),
    '404 internal_error: Bad Gateway nginx',
  ],
  [
    'a page without an end',
    new Response('<'.repeat(100_000), { status: 404 }),
    `404 internal_error: ${'<'.repeat(300)}`,
  ],
  ['nothing', new Response(null, { status: 404 }), '404 internal_error'],
])('%s is reported with its content', async (_, answer, said) => {
  const error = await errorOf(read(fakeServer([answer])));
  expect(error).toBeInstanceOf(ApiError);
  expect(String(error)).toBe(
    `ApiError: The server answered ${said} (GET https://api.example.com/v1/things/a)`,
  );
});

test('a redirect that a browser hides is reported as such', async () => {
  const hidden = new Response(null);
  Object.defineProperties(hidden, {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  });
  const error = await errorOf(read(fakeServer([hidden])));
  expect(error).toBeInstanceOf(ResponseError);
  expect(String(error)).toContain('Redirects are not followed');
});

test('a failed connection is reported with its code and without the sent data', async () => {
  const server = fakeServer([dropped, dropped, dropped], { credentials: { Token: 'very-secret' } });
  const error = await errorOf(read(server));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toHaveProperty('cause', dropped);
  expect(String(error)).toBe(
    'ConnectionError: The connection failed: ECONNRESET (GET https://api.example.com/v1/things/a)',
  );
});

test('an answer that never comes ends with the patience of each attempt, then of the whole call', async () => {
  const server = fakeServer(['hangs', 'hangs', 'hangs']);
  const begun = server.clock.now();
  const error = await errorOf(read(server, { timeoutMs: 1_000, totalTimeoutMs: 2_900 }));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ attempts: 3, idempotencyKey: undefined });
  expect(server.clock.now() - begun).toBe(2_900);
  expect(server.clock.isAwaited).toBe(false);
});

test('a body that never ends is under the same limit', async () => {
  const endless = new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
  const server = fakeServer([endless]);
  expect(await errorOf(run(server, { retries: 0, timeoutMs: 5_000 }))).toBeInstanceOf(TimeoutError);
});

test.each<[string, Parameters<typeof send>[3], { timeoutMs?: number }, number]>([
  ['router.client.timeout-exceeds-deadline: its own, above the server deadline', {}, {}, 630_000],
  ['a shorter one of the connection does not cut it', {}, { timeoutMs: 30_000 }, 630_000],
  ['a longer one of the connection holds', {}, { timeoutMs: 3_600_000 }, 3_600_000],
  ['the call has the last word', { timeoutMs: 1_000 }, { timeoutMs: 3_600_000 }, 1_000],
])('the patience of a run is %s', async (_, call, connection, want) => {
  const server = fakeServer(['hangs'], connection);
  const begun = server.clock.now();
  await errorOf(run(server, { retries: 0, ...call }));
  expect(server.clock.now() - begun).toBe(want);
});

test('the signal given to fetch is aborted by the time limit', async () => {
  const server = fakeServer(['hangs']);
  await errorOf(run(server, { retries: 0 }));
  expect(server.seen[0]?.init.signal?.aborted).toBe(true);
});

const reason = new Error('the user left');

test('aborted before it begins, nothing is sent', async () => {
  const server = fakeServer([]);
  expect(await errorOf(run(server, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(server.seen).toHaveLength(0);
});

test.each<[string, (stop: AbortController) => FakeServer]>([
  [
    'while a credential is asked for',
    (stop) =>
      fakeServer([], {
        credentials: {
          Token: () => {
            stop.abort(reason);
            return new Promise(() => undefined);
          },
        },
      }),
  ],
  [
    'while the answer is waited for',
    (stop) =>
      fakeServer([
        () => {
          stop.abort(reason);
          return new Promise(() => undefined);
        },
      ]),
  ],
  [
    'while the body is read',
    (stop) =>
      fakeServer([
        new Response(
          new ReadableStream(
            {
              pull: () => {
                stop.abort(reason);
                return new Promise(() => undefined);
              },
            },
            { highWaterMark: 0 },
          ),
        ),
      ]),
  ],
])('aborted %s, the reason is thrown and nothing is sent again', async (_, begin) => {
  const stop = new AbortController();
  const server = begin(stop);
  expect(await errorOf(run(server, { signal: stop.signal }))).toBe(reason);
  expect(server.seen.length).toBeLessThanOrEqual(1);
  expect(server.clock.isAwaited).toBe(false);
});

test('an abort during a pause throws its reason and sends nothing again', async () => {
  const stop = new AbortController();
  const clock = virtualClock({ auto: false });
  const server = fakeServer([problem(503, 'x', { 'retry-after': '30' })], { clock });
  const call = errorOf(run(server, { signal: stop.signal }));
  await until('the call pauses', () => clock.nextWake() === clock.now() + 30_000);
  stop.abort(reason);
  expect(await call).toBe(reason);
  expect(server.seen).toHaveLength(1);
  expect(clock.nextWake()).toBeUndefined();
});

test('a credential is asked for once per attempt, so that a fresh one reaches the next', async () => {
  let asked = 0;
  const server = fakeServer([problem(503, 'x'), jsonAnswer({})], {
    credentials: { Token: () => `t${(asked += 1)}` },
  });
  await read(server);
  expect(server.seen.map(({ headers }) => headers.get('authorization'))).toStrictEqual([
    'Bearer t1',
    'Bearer t2',
  ]);
});

test('an error of the credential function is thrown unchanged', async () => {
  const server = fakeServer([], { credentials: { Token: () => Promise.reject(reason) } });
  expect(await errorOf(read(server))).toBe(reason);
});

test('an operation without retry rules is sent once', async () => {
  const { retry: _, ...once } = readThing;
  const server = fakeServer([dropped]);
  const call = send(server.connection, once, { id: 'a' });
  expect(await errorOf(call)).toBeInstanceOf(ConnectionError);
});

test('the global fetch is used as it is when the call begins', async () => {
  const own = globalThis.fetch;
  const server = fakeServer([], { fetch: undefined });
  globalThis.fetch = () => Promise.resolve(jsonAnswer({ replaced: true }));
  try {
    expect((await read(server)).data).toStrictEqual({ replaced: true });
  } finally {
    globalThis.fetch = own;
  }
});
