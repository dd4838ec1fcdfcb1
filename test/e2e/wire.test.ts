import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, startMockCommand } from '../cli/command.ts';
import type { RunningCommand } from '../cli/command.ts';
import { until } from '../until.ts';

/** Callers that know nothing of us: curl, Node's fetch and plain sockets. */
let mock: RunningCommand;
let control: string;
beforeAll(async () => {
  // The clock is stopped until a test advances it: calls that wait for the deadline wait for the test.
  mock = await startMockCommand(['--clock', 'frozen', '--json', '--quiet']);
  control = /"controlUrl":"([^"]+)"/.exec(mock.said())?.[1] ?? '';
});
afterAll(() => mock.stop());

const runs = async (model: string): Promise<number> => {
  const answer = await fetch(`${control}/control/v1/dispatches`);
  return ((await answer.json()) as { byModel: Record<string, number> }).byModel[model] ?? 0;
};

/** Starts a run; its answer is there once time has passed. */
async function begin(model: string, key: string): Promise<{ readonly answer: Promise<Response> }> {
  const before = await runs(model);
  const answer = post(model, key);
  await until(`${model} is reached`, async () => (await runs(model)) > before);
  return { answer };
}

async function passDeadline(): Promise<void> {
  await fetch(`${control}/control/v1/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"advance":"PT10M"}',
  });
}

const headers = { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' };

function post(model: string, key: string, body = '{"prompt":"x"}'): Promise<Response> {
  return fetch(`${mock.url}/v1/models/${model}`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': key },
    body,
  });
}

/** Status line and headers as curl prints them, then the body. */
async function curl(...args: readonly string[]): Promise<string> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  return (await run('curl', ['-sS', '-i', '--path-as-is', ...given, ...args])).stdout;
}

test(
  'router.idem.replayed: curl sends a key twice and gets the recorded answer, byte for byte',
  { tags: 'curl' },
  async () => {
    const call = ['-H', 'Idempotency-Key: curl-1', '-d', '{"prompt":"x"}', `${mock.url}/v1/models/mock/ok`];
    const first = await curl(...call);
    const second = await curl(...call);
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect(first).not.toMatch(/^Idempotent-Replayed:/im);
    expect(second).toMatch(/^HTTP\/1\.1 200 /);
    expect(second).toMatch(/^Idempotent-Replayed: true\r$/im);
    expect(second.split('\r\n\r\n')[1]).toBe(first.split('\r\n\r\n')[1]);
  },
);

test('fetch gets 409 for a key with another body, and 409 with Retry-After while the first call runs', async () => {
  expect((await post('mock/ok', 'fetch-1')).status).toBe(200);
  expect((await post('mock/ok', 'fetch-1', '{"prompt":"y"}')).status).toBe(409);
  const { answer } = await begin('mock/deadline-exceeded', 'fetch-2');
  const refused = await post('mock/deadline-exceeded', 'fetch-2');
  expect(refused.status).toBe(409);
  expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/);
  await passDeadline();
  expect((await answer).status).toBe(504);
});

test.each([
  ['mock/deadline-exceeded', 'deadline_exceeded'],
  ['mock/provider-timeout', 'provider_timeout'],
])('fetch gets 504 from %s with the bucket %s', async (model, bucket) => {
  const { answer } = await begin(model, `bucket-${bucket}`);
  await passDeadline();
  const response = await answer;
  expect(response.status).toBe(504);
  expect(response.headers.get('X-Service-Error-Type')).toBe(bucket);
  expect(await response.json()).toMatchObject({ error_type: bucket });
});

const hostile: readonly (readonly [what: string, send: () => Promise<string>])[] = [
  ['percent-encoding that cannot be decoded', () => curl(`${mock.url}/v1/models/acme/%zz`)],
  ['encoded dot segments', () => curl(`${mock.url}/v1/models/%2e%2e/x`)],
  ['plain dot segments', () => curl(`${mock.url}/v1/models/../../etc/passwd`)],
  ['a NUL in the path', () => curl(`${mock.url}/v1/models/acme/%00`)],
  ['malformed JSON', () => curl('-d', '{bad', `${mock.url}/v1/models/mock/ok`)],
  ['deeply nested JSON', () => curl('-d', '['.repeat(50_000), `${mock.url}/v1/models/mock/ok`)],
  ['no length and no body', () => curl('-X', 'POST', `${mock.url}/v1/models/mock/ok`)],
  ['a method that the path does not have', () => curl('-X', 'PATCH', `${mock.url}/v1/models`)],
];

test.each(hostile)(
  '%s is answered with an error of the contract, and the mock serves on',
  { tags: ['curl', 'attack'] },
  async (_what, send) => {
    const answer = await send();
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).toMatch(/^X-Service-Error-Type: /im);
    await expectServing();
  },
);

test('a body of 20 MB is refused, and the mock serves on', { tags: 'attack' }, async () => {
  const body = `{"prompt":"${'x'.repeat(20 * 2 ** 20)}"}`;
  expect((await post('mock/ok', 'large', body)).status).toBeGreaterThanOrEqual(400);
  await expectServing();
});

test.each([
  ['bytes that are no HTTP', '\u0016\u0003\u0001 not http\r\n\r\n'],
  ['a method that HTTP does not know', 'BREW /v1/models HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a connection dropped in the middle of the headers', 'GET /v1/models HTTP/1.1\r\nHost: x'],
  [
    'a connection dropped in the middle of the body',
    'POST /v1/models/mock/ok HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{"pro',
  ],
  [
    'a length that contradicts the encoding',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('%s does not stop the mock', { tags: 'attack' }, async (_what, bytes) => {
  await new Promise<void>((resolve) => {
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
    socket.resume();
  });
  await expectServing();
});

async function expectServing(): Promise<void> {
  expect((await fetch(`${mock.url}/v1/models`, { headers })).status).toBe(200);
}
