import { gzipSync } from 'node:zlib';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createJobs } from '../../generated/jobs/index.ts';
import { createRouter } from '../../generated/router/index.ts';
import { createMock } from '../../mock/index.ts';
import { mockHandlers } from '../../mock/msw.ts';
import { withMock } from '../../mock/vitest.ts';

/** The mock inside a test run: as a fixture, as the `fetch` of a client, and behind Mock Service Worker. */
const test = withMock();
const key = 'service-mock-ok';
const text = { 1: { class_type: 'WriteText', inputs: { text: 'a' } } };

test('a path and a whole address reach the same mock', async ({ mock }) => {
  const headers = { 'X-API-Key': key };
  const answers = await Promise.all([
    mock.fetch('/v1/models?limit=1', { headers }),
    mock.fetch(new URL('/v1/models?limit=1', mock.url), { headers }),
    mock.fetch(new Request(`${mock.url}/v1/models?limit=1`, { headers })),
  ]);
  const [first, ...others] = await Promise.all(answers.map((answer) => answer.text()));
  expect(first).toContain('has_more');
  expect(others).toStrictEqual([first, first]);
});

test('its fetch is the fetch of a generated client, and its virtual clock makes no call wait', async ({
  mock,
}) => {
  const jobs = createJobs({ baseUrl: mock.url, credentials: { BearerAuth: key }, fetch: mock.fetch });
  const { data } = await jobs.submitJob({ body: text });
  expect((await jobs.waitForJob({ id: data.id })).status).toBe('succeeded');
  mock.scenarios.force({ name: 'unavailable' });
  const router = createRouter({ baseUrl: mock.url, credentials: { ApiKeyAuth: key }, fetch: mock.fetch });
  const before = mock.journal.entries().length;
  await router.runModel({ provider: 'mock', model: 'ok', body: { prompt: 'x' } });
  expect(mock.journal.entries().length - before).toBe(2);
});

test('each test starts with a fresh state', ({ mock }) => {
  expect(mock.journal.entries()).toStrictEqual([]);
  expect(mock.scenarios.forced()).toStrictEqual([]);
});

test('two mocks share no state', async ({ mock }) => {
  const other = createMock();
  const init = {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Idempotency-Key': 'one', 'Content-Type': 'application/json' },
    body: '{}',
  };
  const replayed = async (where: typeof mock): Promise<string | null> =>
    (await where.fetch('/v1/models/mock/ok', init)).headers.get('Idempotent-Replayed');
  expect([await replayed(mock), await replayed(other), await replayed(mock)]).toStrictEqual([
    null,
    null,
    'true',
  ]);
  other.close();
});

test('a scenario that does not exist is reported at once, with a similar name', ({ mock }) => {
  expect(() => mock.scenarios.force({ name: 'unavailabel' })).toThrow('Did you mean unavailable?');
  expect(() => createMock({ scenarios: [{ name: 'slow', times: -1 }] })).toThrow(RangeError);
});

test.each<[unknown, string]>([
  [undefined, "such as { name: 'slow' }: "],
  ['unavailable', "such as { name: 'slow' }: "],
  [{}, 'name is missing'],
  [{ name: 'slow', tims: 2 }, '"tims": unknown member. Did you mean times?'],
  [{ name: 'slow', times: '2' }, '"after" and "times" are whole numbers'],
])('a scenario of another form is refused with its place: %j', (wanted, says) => {
  const mock = createMock();
  expect(() => {
    mock.scenarios.force(wanted as { name: string });
  }).toThrow(says);
  mock.close();
});

test('a user’s models are added, and replace built-in ones with the same name', async () => {
  const own = { state: 'listed', chargesOnPolicyRejection: 'no', cents: 5 } as const;
  const mock = createMock({
    models: [
      { ...own, provider: 'my-team', model: 'painter' },
      { ...own, provider: 'acme', model: 'echo-1', chargesOnPolicyRejection: 'mine' },
    ],
  });
  const detail = async (id: string): Promise<unknown> =>
    (await mock.fetch(`/v1/models/${id}`, { headers: { 'X-API-Key': key } })).json();
  expect(await detail('my-team/painter')).toMatchObject({ id: 'my-team/painter' });
  expect(await detail('mock/ok')).toMatchObject({ id: 'mock/ok' });
  expect(await detail('acme/echo-1')).toMatchObject({ billing: { charges_on_policy_rejection: 'mine' } });
  mock.reset();
  expect(await detail('my-team/painter')).toMatchObject({ id: 'my-team/painter' });
  mock.close();
});

const behind = createMock();
const server = setupServer(...mockHandlers(behind, 'https://api.example.com/'));
beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => {
  behind.reset();
});
afterAll(() => {
  server.close();
  behind.close();
});

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`https://api.example.com${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${key}`, ...init.headers },
  });

test('msw: code under test that calls its own address gets the mock, headers and streams included', async () => {
  const run = (): Promise<Response> =>
    call('/v1/models/mock/ok', {
      method: 'POST',
      body: '{}',
      headers: { 'Idempotency-Key': 'msw', 'Content-Type': 'application/json' },
    });
  await (await run()).text();
  expect((await run()).headers.get('Idempotent-Replayed')).toBe('true');
  const submitted = await call('/api/v2/jobs', {
    method: 'POST',
    body: JSON.stringify(text),
    headers: { 'Content-Type': 'application/json' },
  });
  const { id } = (await submitted.json()) as { id: string };
  const stream = await (await call(`/api/v2/jobs/${id}/events`)).text();
  expect(stream).toMatch(/^event: progress$/m);
  expect(stream.trimEnd().split('event: ').at(-1)).toContain('"succeeded"');
});

test('msw: a connection that the mock cuts is a network failure', async () => {
  await expect(call('/v1/models', { headers: { Prefer: 'scenario=cut-before' } })).rejects.toThrow(TypeError);
});

test.each([
  ['router', '/v1/models/mock/ok'],
  ['registry', '/publishers/acme/nodes/n/versions'],
  ['jobs', '/api/v2/jobs'],
])('a compressed body is told as one: %s', async (_api, path) => {
  const mock = createMock();
  const answer = await mock.fetch(path, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${key}`, 'Idempotency-Key': 'one' },
      ...{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    },
    body: gzipSync('{}'),
  });
  expect(answer.ok).toBe(false);
  expect(await answer.text()).toContain('The body is not JSON, but encoded as gzip.');
  mock.close();
});
