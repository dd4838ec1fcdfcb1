// @module-tag attack
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';
import { serve } from '../../mock/node-server.ts';
import { requestBytes, Wire } from '../mock/wire.ts';
import { heads, request, statuses, untilClosed } from './bytes.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ clock: virtualClock({ auto: false }), controlPort: false });
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

const RUN = 'POST /v1/models/mock/ok';
const head = ['Host: mock.localhost', 'X-API-Key: service-mock-ok', 'Content-Type: application/json'];
/** A request that a proxy in front would not have let through, and that must not run. */
const hidden = request(RUN, [...head, 'Content-Length: 14'], '{"prompt":"x"}');
const chunked = `2\r\n{}\r\n0\r\n\r\n`;

const expectServing = async (): Promise<void> => {
  const answer = await heads(mock.url, requestBytes('GET', '/v1/models?limit=1'));
  expect(statuses(answer)).toStrictEqual([200]);
};

test('the hidden request would run if it were a request', async () => {
  expect(statuses(await heads(mock.url, hidden))).toStrictEqual([200]);
  expect(mock.dispatches()).toStrictEqual({ 'mock/ok': 1 });
});

test.each([
  ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], chunked],
  ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 2'], chunked],
  [
    'a length of all and chunks that end before',
    ['Content-Length: 400', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
  ],
  ['two lengths', ['Content-Length: 2', 'Content-Length: 0'], '{}'],
  ['the same length twice', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
  ['a list of lengths', ['Content-Length: 2, 2'], '{}'],
  ['a length with a sign', ['Content-Length: +2'], '{}'],
  ['a negative length', ['Content-Length: -2'], '{}'],
  ['a hexadecimal length', ['Content-Length: 0x2'], '{}'],
  ['a length with an exponent', ['Content-Length: 2e0'], '{}'],
  ['a length with a blank in it', ['Content-Length: 0 2'], '{}'],
  ['a length beyond every number', [`Content-Length: 1${'0'.repeat(30)}`], '{}'],
  ['a length with a letter', ['Content-Length: 2x'], '{}'],
  ['an unknown encoding', ['Transfer-Encoding: xchunked'], chunked],
  ['chunks that are not the last encoding', ['Transfer-Encoding: chunked, identity'], chunked],
  ['chunks twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunked],
  ['an encoding in quotes', ['Transfer-Encoding: "chunked"'], chunked],
  ['an encoding with a parameter', ['Transfer-Encoding: chunked;a=b'], chunked],
  ['an encoding after a vertical tab', ['Transfer-Encoding: \x0bchunked'], chunked],
  ['an encoding after a NUL', ['Transfer-Encoding: \0chunked'], chunked],
  ['a blank before the colon', ['Transfer-Encoding : chunked'], chunked],
  ['a blank before the name', [' Transfer-Encoding: chunked'], chunked],
  ['a line feed alone before the name', ['X-A: b\nTransfer-Encoding: chunked'], chunked],
  ['a carriage return alone before the name', ['X-A: b\rTransfer-Encoding: chunked'], chunked],
  ['a name with a NUL', ['Transfer-Encoding\0: chunked'], chunked],
  ['a name that is not a token', ['Transfer(Encoding): chunked'], chunked],
  ['a chunk size with a sign', ['Transfer-Encoding: chunked'], `+2\r\n{}\r\n0\r\n\r\n`],
  ['a chunk size with a prefix', ['Transfer-Encoding: chunked'], `0x2\r\n{}\r\n0\r\n\r\n`],
  ['a negative chunk size', ['Transfer-Encoding: chunked'], `-2\r\n{}\r\n0\r\n\r\n`],
  [
    'a chunk size beyond every number',
    ['Transfer-Encoding: chunked'],
    `${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`,
  ],
  ['a chunk size of nothing', ['Transfer-Encoding: chunked'], `\r\n{}\r\n0\r\n\r\n`],
  ['a chunk that ends with a line feed alone', ['Transfer-Encoding: chunked'], `2\n{}\n0\n\n`],
  ['a chunk that is longer than its size', ['Transfer-Encoding: chunked'], `1\r\n{}\r\n0\r\n\r\n`],
  ['a chunk extension with a line feed', ['Transfer-Encoding: chunked'], `2;a\nb\r\n{}\r\n0\r\n\r\n`],
] as const)('smuggling: %s, and the request after it does not run', async (_what, lines, body) => {
  const said = await untilClosed(
    mock.url,
    request('POST /v1/models/none/none', [...head, ...lines], body) + hidden,
  );
  expect(statuses(said).every((status) => status >= 400 && status < 500)).toBe(true);
  expect(statuses(said).length).toBeLessThanOrEqual(1);
  expect(mock.dispatches()).toStrictEqual({});
  await expectServing();
});

test.each([
  ['GET', ['Content-Length: LENGTH']],
  ['HEAD', ['Content-Length: LENGTH']],
  ['OPTIONS', ['Content-Length: LENGTH']],
  ['DELETE', ['Content-Length: LENGTH']],
  ['GET', ['cOnTeNt-lEnGtH:LENGTH  ']],
] as const)('smuggling: the body of %s is a body, not a request', async (method, lines) => {
  const stated = lines.map((line) => line.replace('LENGTH', String(hidden.length)));
  const first = request(`${method} /v1/models`, [...head, ...stated], hidden);
  const last = request('GET /nothing', [...head, 'Connection: close']);
  const said = await untilClosed(mock.url, first + last);
  expect(statuses(said)).toHaveLength(2);
  expect(mock.dispatches()).toStrictEqual({});
});

test.each([
  ['a folded line', 'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n'],
  ['a folded first line', 'GET /v1/models HTTP/1.1\r\n Host: x\r\n\r\n'],
  ['line feeds alone', 'GET /v1/models HTTP/1.1\nHost: x\n\n'],
  ['carriage returns alone', 'GET /v1/models HTTP/1.1\rHost: x\r\r'],
  ['a NUL in a value', 'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
  ['a NUL in the target', 'GET /v1/models\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an escape in a value', 'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: \x1b[2J\r\n\r\n'],
  ['a tab in the target', 'GET /v1/\tmodels HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a second target', 'GET /v1/models /v1/models HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['HTTP/0.9', 'GET /v1/models\r\n\r\n'],
  ['HTTP/3.7', 'GET /v1/models HTTP/3.7\r\nHost: x\r\n\r\n'],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['a header line of 100 kB', `GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['a target of 100 kB', `GET /v1/${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['20,000 headers', `GET /v1/models HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(20_000)}\r\n`],
])('%s: refused or answered as one request, and nothing runs', async (_what, bytes) => {
  const wire = await Wire.open(mock.url);
  wire.write(Buffer.from(bytes + hidden, 'latin1'));
  const said = await wire.until((received) => received.includes('\r\n\r\n'));
  wire.drop();
  expect(said.slice(0, 12)).toMatch(/^HTTP\/1\.1 4\d\d/);
  expect(mock.dispatches()).toStrictEqual({});
  await expectServing();
});

test('a request without a host is refused', async () => {
  expect(
    statuses(await untilClosed(mock.url, 'GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n')),
  ).toStrictEqual([400]);
});

test('a thousand half-sent heads or bodies do not block other callers', async () => {
  const beginnings = [
    'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    request(RUN, [...head, 'Content-Length: 1000'], '{"prompt":"'),
  ];
  for (const beginning of beginnings) {
    const wires = await Promise.all(Array.from({ length: 1_000 }, () => Wire.open(mock.url)));
    for (const wire of wires) wire.write(beginning);
    await expectServing();
    for (const wire of wires) wire.write('x');
    await expectServing();
    for (const wire of wires) wire.drop();
    await expectServing();
  }
  expect(mock.dispatches()).toStrictEqual({});
});

test('heads and bodies without an end are cut after a time limit', () => {
  const server = serve(() => Promise.reject(new Error('nobody calls')), {
    longestBody: () => 0,
    unreadable: () => ({ status: 400, headers: [], body: new Uint8Array() }),
  });
  expect(server.headersTimeout).toBeGreaterThan(0);
  expect(server.headersTimeout).toBeLessThanOrEqual(60_000);
  expect(server.requestTimeout).toBeGreaterThan(0);
  expect(server.requestTimeout).toBeLessThanOrEqual(300_000);
});

const split = '%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0aHTTP/1.1%20200%20OK';
const unicode = '\u010d\u010aSet-Cookie: a=b';
test.each([
  ['GET', `/v1/models?cursor=${split}`, []],
  ['GET', `/v1/models?limit=${split}`, []],
  ['GET', `/v1/models/${split}/x`, []],
  ['GET', `/${split}`, []],
  ['GET', `/publishers/${split}/nodes`, []],
  ['GET', `/api/v2/jobs/${split}`, ['Authorization: Bearer service-mock-ok']],
  ['POST', '/v1/models/mock/ok', ['Idempotency-Key: a%0d%0aSet-Cookie:a=b']],
  ['POST', '/v1/models/mock/ok', [`Idempotency-Key: ${Buffer.from(unicode).toString('latin1')}`]],
  ['POST', '/v1/models/mock/ok', ['Prefer: scenario=%0d%0aSet-Cookie:a=b']],
  ['GET', '/v1/models', ['Origin: http://x%0d%0aSet-Cookie:a=b.localhost']],
  [
    'OPTIONS',
    '/v1/models',
    ['Origin: http://localhost', 'Access-Control-Request-Headers: x%0d%0aSet-Cookie:a=b'],
  ],
  ['GET', '/v1/models', ['X-Service-Request-Id: %0d%0aSet-Cookie:a=b', 'X-Request-Id: evil-id']],
  [
    'GET',
    '/v1/models',
    ['X-Forwarded-Host: evil.example%0d%0aSet-Cookie:a=b', 'X-Forwarded-Proto: javascript'],
  ],
] as const)('splitting: %s %s %j adds no line to a head', async (method, target, more) => {
  const body = method === 'POST' ? '{}' : '';
  const bytes = request(
    `${method} ${target}`,
    [...head, ...more, `Content-Length: ${String(body.length)}`, 'Connection: close'],
    body,
  );
  const [answered = '', ...rest] = (await untilClosed(mock.url, bytes)).split('\r\n\r\n');
  expect(statuses(answered)).toHaveLength(1);
  expect(answered).not.toMatch(/^set-cookie|evil/im);
  expect(rest.join()).not.toMatch(/^set-cookie|^http/im);
});

test.each([
  'http://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://evil-localhost',
  'http://localhost@evil.example',
  'http://127.0.0.1.evil.example',
])('a page of %s is not let in', async (origin) => {
  for (const method of ['GET', 'OPTIONS']) {
    const answer = await heads(mock.url, request(`${method} /v1/models`, [...head, `Origin: ${origin}`]));
    expect(answer).not.toMatch(/^access-control-allow/im);
  }
});
