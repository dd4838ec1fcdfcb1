import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, virtualClock, type Delivery, type RunningMock } from '../../mock/index.ts';
import { requestBytes, Wire } from './wire.ts';
import { until } from '../until.ts';

// The clock is stopped: slow calls stay in flight until a test advances it.
const clock = virtualClock({ auto: false });
let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ apis: ['router'], clock, controlPort: false });
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

const run = (model: string, key?: string, body = '{}'): string =>
  requestBytes('POST', `/v1/models/${model}`, {
    body,
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });

/** What became of the next answer. */
function nextDelivery(): Promise<Delivery | undefined> {
  return new Promise((resolve) => {
    const stop = mock.journal.watch(({ delivery }) => {
      stop();
      resolve(delivery);
    });
  });
}

/** Resolves when a call has reached its model: it is in flight then. */
async function dispatched(model: string, times = 1): Promise<void> {
  await until(`${model} is reached`, () => (mock.dispatches()[model] ?? 0) >= times);
}

async function ask(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const wire = await Wire.open(mock.url);
  wire.write(bytes);
  const answer = await wire.answer();
  wire.drop();
  if (answer === undefined) throw new Error('the connection was cut');
  return answer;
}

test('an answer has its length, its request id and the name of its type', async () => {
  const { status, head, body } = await ask(requestBytes('GET', '/v1/models?limit=1'));
  expect(status).toBe(200);
  expect(head).toMatch(/^x-service-request-id: [0-9a-f-]{36}\r?$/im);
  expect(head).toMatch(/^content-type: application\/json\r?$/im);
  expect(JSON.parse(body)).toMatchObject({ limit: 1 });
});

test('router.schema.304-no-body: HEAD and 304 have no body on the wire, and the connection stays open', async () => {
  const wire = await Wire.open(mock.url);
  const schema = '/v1/models/mock/ok/openapi.json';
  wire.write(requestBytes('HEAD', schema));
  expect(await wire.answer()).toMatchObject({ status: 200, body: '' });
  wire.write(requestBytes('GET', schema, { headers: { 'If-None-Match': '*' } }));
  expect(await wire.answer()).toMatchObject({ status: 304, body: '' });
  wire.write(requestBytes('GET', '/v1/models/mock/ok'));
  expect(await wire.answer()).toMatchObject({ status: 200 });
  wire.drop();
});

test('paths reach the mock as they were sent', async () => {
  for (const target of [
    '/v1/models/acme/%zz',
    '/v1/models/%2e%2e/x',
    '/v1/models/../x',
    '/v1/models/acme/a%2fb',
  ]) {
    expect(await ask(requestBytes('GET', target))).toMatchObject({ status: 404 });
  }
});

test('router.idem.race-one-winner: of 200 calls with one key at once, exactly one reaches the model', async () => {
  const wires = await Promise.all(Array.from({ length: 200 }, () => Wire.open(mock.url)));
  const bytes = run('mock/slow', 'race');
  for (const wire of wires) wire.write(bytes.slice(0, -1));
  for (const wire of wires) wire.write(bytes.slice(-1));
  await dispatched('mock/slow');
  const refused = await Promise.race([
    Promise.all(wires.map((wire) => wire.until((received) => received.includes('409')))).then(() => 200),
    settled(199),
  ]);
  expect(refused).toBe(199);
  await clock.advance(1_000);
  const answers = await Promise.all(wires.map((wire) => wire.answer()));
  expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1);
  expect(answers.filter((answer) => answer?.status === 409 && /retry-after/i.test(answer.head))).toHaveLength(
    199,
  );
  expect(mock.dispatches()).toStrictEqual({ 'mock/slow': 1 });
  for (const wire of wires) wire.drop();
});

/** Resolves with the count when so many exchanges have ended. */
async function settled(count: number): Promise<number> {
  const ended = (): number => mock.journal.entries().filter(({ delivery }) => delivery !== undefined).length;
  await until(`${String(count)} exchanges have ended`, () => ended() >= count);
  return ended();
}

test('router.idem.release-on-drop: the key of a caller that disconnects during a run is released', async () => {
  const wire = await Wire.open(mock.url);
  wire.write(run('mock/slow', 'order-1'));
  await dispatched('mock/slow');
  const delivery = nextDelivery();
  wire.drop();
  expect(await delivery).toBe('dropped');
  const again = ask(run('mock/slow', 'order-1'));
  await dispatched('mock/slow', 2);
  await clock.advance(1_000);
  const { status, head } = await again;
  expect(status).toBe(200);
  expect(head).not.toMatch(/idempotent-replayed/i);
});

test.each([
  ['in the middle of the head', (bytes: string) => bytes.indexOf('Content-Type')],
  ['between head and body', (bytes: string) => bytes.indexOf('\r\n\r\n') + 4],
  ['before the last byte of the body', (bytes: string) => bytes.length - 1],
])('a caller that goes away %s has claimed nothing', async (_when, at) => {
  const wire = await Wire.open(mock.url);
  const bytes = run('mock/ok', 'order-1', '{"prompt":"a lighthouse"}');
  wire.write(bytes.slice(0, at(bytes)));
  await ask(requestBytes('GET', '/v1/models?limit=1'));
  wire.drop();
  const { status, head } = await ask(bytes);
  expect(status).toBe(200);
  expect(head).not.toMatch(/idempotent-replayed/i);
  expect(mock.dispatches()).toStrictEqual({ 'mock/ok': 1 });
});

test('router.idem.consumed-409: an answer that arrived in part only leaves a consumed key', async () => {
  const delivery = nextDelivery();
  const wire = await Wire.open(mock.url);
  wire.write(run('mock/drops-midway', 'order-1'));
  expect(await wire.until(() => false)).toContain('"images"');
  expect(await delivery).toBe('short');
  expect(await ask(run('mock/drops-midway', 'order-1'))).toMatchObject({ status: 409 });
});

test('a cut connection sends no byte, and its key is released', async () => {
  for (const _attempt of [1, 2]) {
    const wire = await Wire.open(mock.url);
    wire.write(run('mock/drops-connection', 'order-1'));
    expect(await wire.until(() => false)).toBe('');
  }
  expect(mock.dispatches()).toStrictEqual({ 'mock/drops-connection': 2 });
});

test('a body past the limit is read to its end and refused with 413', { tags: 'attack' }, async () => {
  const wire = await Wire.open(mock.url);
  wire.write(
    requestBytes('POST', '/v1/models/acme/echo-1', { headers: { 'Content-Length': String(20_000_000) } }),
  );
  const chunk = Buffer.alloc(1_000_000, 0x20);
  for (let i = 0; i < 20; i += 1) wire.write(chunk);
  expect(await wire.answer()).toMatchObject({ status: 413 });
  wire.write(requestBytes('GET', '/v1/models?limit=1'));
  expect(await wire.answer()).toMatchObject({ status: 200 });
  wire.drop();
});

test.each([
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01'],
  ['a header without a name', 'GET /v1/models HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
  ['a line feed in a header', 'GET /v1/models HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n'],
  ['a NUL in a header', 'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
  [
    'two lengths',
    'POST /v1/models/acme/echo-1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  ],
  [
    'a length and chunks',
    'POST /v1/models/acme/echo-1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a head without an end', `GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(100_000)}`],
  ['a target without a slash', 'GET v1/models HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown method', 'BREW /v1/models HTTP/1.1\r\nHost: x\r\n\r\n'],
])('%s is refused, and the next caller is served', { tags: 'attack' }, async (_what, bytes) => {
  const wire = await Wire.open(mock.url);
  wire.write(Buffer.from(bytes, 'latin1'));
  expect(await wire.until((received) => received.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 4\d\d /);
  wire.drop();
  expect(await ask(requestBytes('GET', '/v1/models?limit=1'))).toMatchObject({ status: 200 });
});

test('requests that are sent without waiting are answered in their order', async () => {
  const wire = await Wire.open(mock.url);
  wire.write(
    requestBytes('GET', '/v1/models?limit=1') +
      requestBytes('GET', '/v1/models?limit=2') +
      requestBytes('GET', '/nothing'),
  );
  expect(JSON.parse((await wire.answer())?.body ?? '')).toMatchObject({ limit: 1 });
  expect(JSON.parse((await wire.answer())?.body ?? '')).toMatchObject({ limit: 2 });
  expect(await wire.answer()).toMatchObject({ status: 404 });
  wire.drop();
});

test(
  'router.headers.request-id: what is no HTTP gets an answer with a request id and a bucket, too',
  { tags: 'attack' },
  async () => {
    const wire = await Wire.open(mock.url);
    wire.write('GARBAGE\r\n\r\n');
    const text = await wire.until(() => false);
    expect(text).toMatch(/x-service-request-id: .+/i);
    expect(text).toMatch(/x-service-error-type: invalid_input/i);
  },
);

test.each([
  ['without a Host', 'GET /v1/models HTTP/1.1\r\nX-API-Key: service-mock-ok\r\n\r\n', 400],
  [
    'with an expectation that nobody knows',
    'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-API-Key: service-mock-ok\r\nExpect: a miracle\r\n\r\n',
    200,
  ],
])(
  'router.headers.request-id: a request %s gets an answer with a request id',
  async (_what, bytes, status) => {
    const wire = await Wire.open(mock.url);
    wire.write(bytes);
    const answer = await wire.answer();
    wire.drop();
    expect(answer?.status).toBe(status);
    expect(answer?.head).toMatch(/x-service-request-id: .+/i);
    if (status === 400) expect(answer?.head).toMatch(/x-service-error-type: invalid_input/i);
  },
);

test('stopping cuts what is in flight', async () => {
  const other = await startMock({ apis: ['router'], clock, controlPort: false });
  const wire = await Wire.open(other.url);
  wire.write(run('mock/slow'));
  await until('mock/slow is reached', () => other.dispatches()['mock/slow'] === 1);
  await other.stop();
  expect(await wire.until(() => false)).toBe('');
});
