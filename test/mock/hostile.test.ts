// @module-tag attack
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, virtualClock, type Mock, type RawRequest, type SentReply } from '../../mock/index.ts';

let mock: Mock;
/** What Prism found wrong with answers. */
const findings: unknown[] = [];

beforeAll(async () => {
  mock = createMock({ clock: virtualClock() });
  await mock.ready();
  mock.journal.watch(({ responseFindings }) => findings.push(...responseFindings));
});
afterAll(() => {
  mock.close();
});

/** Pieces that a target is often broken with. */
const segment = fc.oneof(
  fc.constantFrom(
    'v1',
    'models',
    'queue',
    'acme',
    'echo-1',
    'openapi.json',
    '',
    '.',
    '..',
    '%2e%2e',
    '%zz',
    '%',
    '%00',
    'a%2fb',
    'A',
    '{provider}',
  ),
  fc.constantFrom(
    'api',
    'v2',
    'jobs',
    'publishers',
    'nodes',
    'versions',
    'proxy',
    'cancel',
    'events',
    '__proto__',
    'constructor',
  ),
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.string({ minLength: 200, maxLength: 300 }),
);
const parameter = fc.tuple(
  fc.constantFrom('cursor', 'limit', 'Limit', '', '__proto__', 'cursor[]', '%zz'),
  fc.oneof(
    fc.constantFrom('', '0', '-1', '1e309', '9'.repeat(400), '%', '%zz', '\0'),
    fc.string({ maxLength: 20, unit: 'binary' }),
  ),
);
const target = fc.oneof(
  fc
    .tuple(fc.array(segment, { maxLength: 7 }), fc.array(parameter, { maxLength: 3 }))
    .map(
      ([path, query]) =>
        `/${path.join('/')}${query.length === 0 ? '' : `?${query.map((pair) => pair.join('=')).join('&')}`}`,
    ),
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.constantFrom(
    '*',
    '',
    '?',
    '#',
    '//',
    'http://evil.example/v1/models',
    'http://[::1',
    'HTTP://x',
    '/v1/models/acme/echo-1',
  ),
);
const header = fc.tuple(
  fc.constantFrom(
    'Authorization',
    'X-API-Key',
    'Idempotency-Key',
    'Content-Type',
    'If-None-Match',
    'Prefer',
    'Origin',
    'Host',
    'Accept',
    'Last-Event-ID',
    '__proto__',
    '',
  ),
  fc.oneof(
    fc.constantFrom(
      'service-mock-ok',
      'Bearer service-mock-ok',
      'Bearer',
      'application/json',
      'text/plain; charset=',
      '/',
      '*',
      'W/"',
      'scenario=;;=',
      'scenario=ok;after=9999999',
      'http://localhost\r\nX-Evil: 1',
      'null',
    ),
    fc.string({ maxLength: 30, unit: 'binary' }),
  ),
);
const body = fc.oneof(
  fc.constant(''),
  fc.json().map(String),
  fc.constantFrom(
    '{',
    '[',
    'null',
    '0',
    '"',
    '{"__proto__":{"prompt":1}}',
    '{"a":1,"a":2}',
    '['.repeat(50_000),
    '{"a":'.repeat(20_000),
    '1e999999',
    '\ufeff{}',
  ),
  fc.string({ maxLength: 60, unit: 'binary' }),
);
const request = fc.record({
  method: fc.oneof(
    fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'get', ''),
    fc.string({ maxLength: 8 }),
  ),
  target,
  headers: fc.array(header, { maxLength: 6 }),
  valid: fc.boolean(),
  body,
});

async function answerOf(raw: RawRequest): Promise<SentReply> {
  const { reply, settle } = await mock.handle(raw);
  settle('delivered');
  return reply;
}

test('any input is answered: no crash, no server error, no split line', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, target: to, headers, valid, body: text }) => {
      const credential = valid ? ['X-API-Key', 'service-mock-ok', 'Content-Type', 'application/json'] : [];
      const reply = await answerOf({
        method,
        target: to,
        rawHeaders: [...credential, ...headers.flat()],
        body: Buffer.from(text),
      });
      expect(reply.status).toBeGreaterThanOrEqual(200);
      expect(reply.status).toBeLessThan(500);
      expect(reply.headers.every(([name, value]) => !/[\r\n\0]/.test(name + value))).toBe(true);
      expect(findings).toStrictEqual([]);
    }),
    { numRuns: Number(process.env['HOSTILE_RUNS'] ?? 1_000) },
  );
  const reply = await answerOf({
    method: 'GET',
    target: '/v1/models',
    rawHeaders: ['X-API-Key', 'service-mock-ok'],
    body: new Uint8Array(),
  });
  expect(reply.status).toBe(200);
}, 120_000);

test('bytes that are not text are not JSON', async () => {
  const reply = await answerOf({
    method: 'POST',
    target: '/v1/models/acme/echo-1',
    rawHeaders: ['X-API-Key', 'service-mock-ok', 'Content-Type', 'application/json'],
    body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  });
  expect(reply.status).toBe(400);
});

test('a line end in a header that comes back does not end a line of the answer', async () => {
  const reply = await answerOf({
    method: 'GET',
    target: '/v1/models',
    rawHeaders: [
      'X-API-Key',
      'service-mock-ok',
      'Origin',
      'http://localhost:1\r\nSet-Cookie: a=b',
      'Host',
      'x\r\ny: z',
    ],
    body: new Uint8Array(),
  });
  expect(reply.headers.map(([name]) => name.toLowerCase())).not.toContain('access-control-allow-origin');
  expect(reply.headers.every(([, value]) => !/[\r\n]/.test(value))).toBe(true);
});
