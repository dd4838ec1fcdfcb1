import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CallerList, Reference } from '../../mock/control/reference-shape.ts';
import type { ClockShape, KeyList } from '../../mock/control/steering-shape.ts';
import type { ControlState, JournalPage } from '../../mock/control/shape.ts';
import type { SentExchange } from '../../mock/control/calls-shape.ts';
import type { JobList, JobShape } from '../../mock/apis/jobs/control-shape.ts';
import type { Ledger } from '../../mock/journal/ledger-shape.ts';
import { startMock, virtualClock, type RunningMock } from '../../mock/index.ts';

/** What only the keeper of a mock sees and does. */
const clock = virtualClock({ auto: false });
let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ clock });
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

const key = 'service-mock-ok';

async function get<Shape>(path: string): Promise<Shape> {
  return (await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`)).json() as Promise<Shape>;
}

async function send<Shape>(
  method: string,
  path: string,
  body?: unknown,
): Promise<Shape & { error?: string }> {
  const response = await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json() as Promise<Shape & { error?: string }>;
}

async function run(model: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${mock.url}/v1/models/${model}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
    body: '{"prompt":"x"}',
  });
  await response.text();
  return response.status;
}

async function submit(): Promise<string> {
  const response = await fetch(`${mock.url}/api/v2/jobs`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'job-1',
    },
    body: JSON.stringify({ 1: { class_type: 'WriteText', inputs: { text: 'a' } } }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const numbers = ({ entries }: JournalPage): number[] => entries.map(({ number }) => number);

test('the journal is searched by words, and one entry is read alone', async () => {
  await run('mock/ok', { 'Idempotency-Key': 'order-1' });
  await run('mock/ok', { 'Idempotency-Key': 'order-1' });
  await run('mock/provider-error');
  const page = await get<JournalPage>('journal');
  const [first = 0, second = 0, third = 0] = numbers(page);
  expect(page.latest).toBe(third);
  expect(numbers(await get('journal?search=status:5xx'))).toStrictEqual([third]);
  expect(numbers(await get('journal?search=key:order%20is:replayed'))).toStrictEqual([second]);
  expect(numbers(await get('journal?search=op:runModel%20-is:replayed%20is:billed'))).toStrictEqual([first]);
  expect(numbers(await get('journal?limit=1'))).toStrictEqual([third]);
  expect(await get(`journal/${String(second)}`)).toMatchObject({ replayed: true });
  expect(await get('journal/0')).toHaveProperty('error');
});

test('the ledger answers whether a retry is charged twice', async () => {
  await run('mock/ok', { 'Idempotency-Key': 'once' });
  await run('mock/ok', { 'Idempotency-Key': 'once' });
  await run('acme/echo-1');
  await run('acme/echo-1');
  const { lines, byCaller } = await get<Ledger>('ledger');
  expect(lines).toMatchObject([
    { key: 'once', model: 'mock/ok', dispatched: 1, replayed: 1, billed: 1, charged: 'once' },
    { model: 'acme/echo-1', dispatched: 2, billed: 2, charged: 'more than once' },
  ]);
  expect(byCaller).toMatchObject([{ caller: 'key ok+', calls: 4, billed: 3 }]);
});

test('an exchange is sent again with its own credential, with the same key or another', async () => {
  await run('mock/ok', { 'Idempotency-Key': 'order-2' });
  const number = String(numbers(await get('journal'))[0]);
  const same = await send<SentExchange>('POST', `journal/${number}/replay`);
  expect(same.status).toBe(200);
  expect(await get(`journal/${String(same.number)}`)).toMatchObject({ replayed: true, key: 'order-2' });
  const other = await send<SentExchange>('POST', `journal/${number}/replay`, { key: 'new' });
  expect(await get(`journal/${String(other.number)}`)).toMatchObject({ replayed: false, status: 200 });
  expect(JSON.stringify([same, other, await get('journal')])).not.toContain(key);
  expect((await send('POST', 'journal/0/replay')).error).toContain('no exchange');
});

test('the sample of the state works, and other requests can be written by hand', async () => {
  const { sample, apis } = await get<ControlState>('state');
  expect(apis.map(({ name }) => name).sort()).toStrictEqual(['jobs', 'registry', 'router']);
  expect(await send<SentExchange>('POST', 'requests', sample)).toMatchObject({ status: 200 });
  expect(await send<SentExchange>('POST', 'requests', { method: 'get', target: '/v1/models' })).toMatchObject(
    {
      status: 401,
    },
  );
  for (const wrong of [
    { method: 'G T', target: '/' },
    { method: 'GET', target: 'x' },
    { method: 'GET', target: '/', headers: [['a']] },
  ])
    expect(await send('POST', 'requests', wrong)).toHaveProperty('error');
});

test('keys of both kinds stand side by side; each expires or is forgotten by its id', async () => {
  await run('mock/ok', { 'Idempotency-Key': 'order-3' });
  await submit();
  const { keys } = await get<KeyList>('keys');
  expect(keys).toMatchObject([
    {
      api: 'router',
      semantics: 'replay',
      key: 'order-3',
      state: 'recorded',
      exchanges: [expect.any(Number)],
    },
    { api: 'jobs', semantics: 'single-use', key: 'job-1', state: 'claimed', exchanges: [expect.any(Number)] },
  ]);
  const { due } = await get<ClockShape>('clock');
  expect(due.map(({ what }) => what)).toContain('key order-3 expires');
  const expired = await send<KeyList>('POST', `keys/${keys[0]?.id ?? ''}`);
  // Whoever let it expire sees that it did.
  expect(expired.keys.map(({ key }) => key)).toStrictEqual(['order-3', 'job-1']);
  await run('mock/ok', { 'Idempotency-Key': 'order-3' });
  expect((await get<JournalPage>('journal')).entries.at(-1)?.replayed).toBe(false);
  const left = await send<KeyList>('DELETE', `keys/${keys[1]?.id ?? ''}`);
  expect(left.keys.map(({ api }) => api)).toStrictEqual(['router']);
  expect(await send('DELETE', 'keys/nothing')).toHaveProperty('error');
  expect(await send('DELETE', 'keys')).toStrictEqual({ keys: [] });
});

test.each([
  ['succeed', 'succeeded'],
  ['fail', 'failed'],
  ['expire', 'expired'],
] as const)('a job is made to %s by hand', async (wish, status) => {
  const id = await submit();
  expect(await send<JobShape>('POST', `jobs/${id}`, { do: 'step' })).toMatchObject({ status: 'running' });
  const ended = await send<JobShape>('POST', `jobs/${id}`, { do: wish });
  expect(ended).toMatchObject({ status, completed_at: expect.any(String), caller: 'key ok+' });
  expect(ended['outputs']).toHaveLength(status === 'succeeded' ? 1 : 0);
  expect(ended['error'] === null).toBe(status !== 'failed');
  expect(await send<JobShape>('POST', `jobs/${id}`, { do: 'step' })).toMatchObject({ status });
  expect(await send('POST', `jobs/${id}`, { do: 'fly' })).toHaveProperty('error');
});

test('a job that is succeeded by hand frees its slot and passes its states in order', async () => {
  const id = await submit();
  const { statuses } = await send<JobShape>('POST', `jobs/${id}`, { do: 'succeed' });
  expect(statuses.map(({ status }) => status)).toStrictEqual(['queued', 'running', 'succeeded']);
  const { states, transitions } = await get<JobList>('jobs');
  expect(states.filter(({ terminal }) => terminal)).toHaveLength(4);
  expect(transitions).toContainEqual({ from: 'queued', to: 'running', on: 'start' });
});

test('streams of a job are counted, and cut on request', async () => {
  const id = await submit();
  const stream = await fetch(`${mock.url}/api/v2/jobs/${id}/events`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const reader = stream.body?.getReader();
  await reader?.read();
  expect(await get<JobShape>(`jobs/${id}`)).toMatchObject({ watchers: 1 });
  await send('POST', `jobs/${id}`, { do: 'drop-streams' });
  await expect(
    (async () => {
      while ((await reader?.read())?.done === false);
    })(),
  ).rejects.toThrow();
  expect((await get<CallerList>('callers')).callers).toMatchObject([{ caller: 'key ok+', keys: 1, jobs: 1 }]);
});

test('A-23: cursors of a rebuilt catalogue are invalid', async () => {
  const list = async (query: string): Promise<Response> =>
    fetch(`${mock.url}/v1/models?limit=1${query}`, { headers: { 'X-API-Key': key } });
  const { next_cursor: cursor } = (await (await list('')).json()) as { next_cursor: string };
  expect((await list(`&cursor=${cursor}`)).status).toBe(200);
  await send('POST', 'models', { do: 'rebuild' });
  expect((await list(`&cursor=${cursor}`)).status).toBe(400);
});

test('a scenario can be forced for always, and taken back by its name', async () => {
  await send('POST', 'scenarios', { name: 'unavailable', times: null });
  expect([await run('mock/ok'), await run('mock/ok')]).toStrictEqual([503, 503]);
  expect(await send('DELETE', 'scenarios/unavailable')).toStrictEqual({ forced: [] });
  expect(await run('mock/ok')).toBe(200);
});

test('the reference holds rules and open points beside the documents', async () => {
  const { apis } = await get<Reference>('reference');
  expect(apis.flatMap(({ rules }) => rules)).toContainEqual(
    expect.objectContaining({
      id: 'router.list.limit-clamped',
      source: expect.stringContaining('document 1') as string,
    }),
  );
  expect(await get('openapi/jobs.json')).toHaveProperty('paths');
  expect(await get('openapi/nothing')).toHaveProperty('error');
});
