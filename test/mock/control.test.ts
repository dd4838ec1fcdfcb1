import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/index.ts';

let mock: RunningMock;
let control: string;

beforeAll(async () => {
  mock = await startMock({ apis: ['router'] });
  control = `${mock.controlUrl ?? ''}/control/v1`;
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

const key = { 'X-API-Key': 'service-mock-ok' };
const send = (path: string, method: string, body?: unknown): Promise<Response> =>
  fetch(`${control}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const json = async (path: string): Promise<unknown> => (await fetch(`${control}/${path}`)).json();
const list = (query = ''): Promise<Response> => fetch(`${mock.url}/v1/models${query}`, { headers: key });
const run = (model: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${mock.url}/v1/models/${model}`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json', ...headers },
    body: '{}',
  });

/** Reads a stream until a text has come; gives all that has come until then. */
function follow(response: Response): { until(text: string): Promise<string>; cancel(): Promise<void> } {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  return {
    async until(text) {
      while (!received.includes(text)) received += (await reader?.read())?.value ?? '';
      return received;
    },
    cancel: async () => reader?.cancel(),
  };
}

/** A request with headers that `fetch` does not let one set. */
function raw(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${control}/${path}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('the journal tells who asked, what was decided and why, without the credential', async () => {
  await list('?cursor=');
  const { entries } = (await json('journal')) as { entries: Record<string, unknown>[] };
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    operation: 'listModels',
    status: 400,
    target: '/v1/models?cursor=',
    delivery: 'delivered',
  });
  expect(JSON.stringify(entries[0]?.['request'])).not.toContain('service-mock-ok');
  expect((await send('journal', 'DELETE')).status).toBe(200);
  expect(await json('journal')).toMatchObject({ entries: [] });
});

test('the entries that were cleared last can be restored before the newer ones', async () => {
  await send('journal', 'DELETE');
  await list('?limit=11');
  await list('?limit=12');
  const targets = async (): Promise<readonly string[]> =>
    ((await json('journal')) as { entries: { target: string }[] }).entries.map(({ target }) => target);
  await send('journal', 'DELETE');
  await list('?limit=13');
  expect(await targets()).toStrictEqual(['/v1/models?limit=13']);
  expect((await send('journal', 'PUT')).status).toBe(200);
  const all = [11, 12, 13].map((limit) => `/v1/models?limit=${String(limit)}`);
  expect(await targets()).toStrictEqual(all);
  await send('journal', 'PUT');
  expect(await targets()).toStrictEqual(all);
});

test('a snapshot is put back with journal and forced scenarios as they are, where that is asked for', async () => {
  const { changes } = (await json('snapshot')) as { changes: unknown };
  await send('scenarios', 'POST', { name: 'unavailable', times: 5 });
  await list('?limit=14');
  const forced = async (): Promise<number> =>
    ((await json('scenarios')) as { forced: unknown[] }).forced.length;
  expect((await send('snapshot', 'PUT', { changes, keep: 'yes' })).status).toBe(400);
  expect((await send('snapshot', 'PUT', { changes, keep: true })).status).toBe(200);
  expect(await forced()).toBe(1);
  expect(mock.journal.entries().length).toBeGreaterThan(0);
  expect((await send('snapshot', 'PUT', { changes })).status).toBe(200);
  expect([await forced(), mock.journal.entries()]).toStrictEqual([0, []]);
});

test('the journal can be followed from where a page left off', async () => {
  await list('?limit=1');
  await list('?limit=2');
  const [first] = mock.journal.entries();
  const response = await fetch(`${control}/stream?since=${String(first?.number ?? 0)}`);
  const reader = follow(response);
  expect(await reader.until('limit=2')).not.toContain('limit=1');
  await list('?limit=3');
  await reader.until('limit=3');
  await send('clock', 'POST', { advance: 1 });
  await reader.until('event: changed\ndata: {"topics":["clock"');
  await reader.cancel();
});

test('router.idem.record-24h: moving the clock on by a day ends the records of keys', async () => {
  await run('acme/echo-1', { 'Idempotency-Key': 'order-1' });
  expect(
    (await run('acme/echo-1', { 'Idempotency-Key': 'order-1' })).headers.get('Idempotent-Replayed'),
  ).toBe('true');
  expect((await send('clock', 'POST', { advance: 'PT24H' })).status).toBe(200);
  expect(
    (await run('acme/echo-1', { 'Idempotency-Key': 'order-1' })).headers.get('Idempotent-Replayed'),
  ).toBeNull();
});

test.each([
  { advance: '1h' },
  { advance: 'P1001D' },
  { speed: -1 },
  { speed: 20, advance: 'tomorrow' },
  { speed: '20' },
  { speed: 20, advence: 'PT1H' },
  {},
])('a step of the clock that is refused changes nothing: %j', async (step) => {
  const before = (await json('clock')) as { speed: number };
  const response = await send('clock', 'POST', step);
  expect(response.status).toBe(400);
  expect(await json('clock')).toMatchObject({ speed: before.speed });
});

test('a forced scenario meets the next calls that it can do something to', async () => {
  expect((await send('scenarios', 'POST', { name: 'unavailable', times: 2 })).status).toBe(200);
  expect((await list()).status).toBe(503);
  expect((await run('acme/echo-1')).status).toBe(503);
  expect((await run('acme/echo-1')).status).toBe(200);
});

test('models can be added and removed during a walk', async () => {
  const page = (await (await list('?limit=1')).json()) as { next_cursor: string };
  await send('models/acme/easel-1', 'PUT', { chargesOnPolicyRejection: 'no' });
  await send('models/acme/easel-2.1-fast', 'DELETE');
  const next = await (await list(`?limit=1&cursor=${page.next_cursor}`)).json();
  expect(next).toMatchObject({ data: [{ id: 'acme/echo-1' }] });
  expect((await fetch(`${mock.url}/v1/models/acme/easel-1`, { headers: key })).status).toBe(200);
  await send('reset', 'POST');
  expect((await fetch(`${mock.url}/v1/models/acme/easel-1`, { headers: key })).status).toBe(404);
});

test('dispatches, keys and fixtures can be read', async () => {
  await run('acme/echo-1', { 'Idempotency-Key': 'order-1' });
  expect(await json('dispatches')).toStrictEqual({ dispatches: 1, byModel: { 'acme/echo-1': 1 } });
  expect(await json('keys')).toMatchObject({ keys: [{ key: 'order-1', state: 'recorded' }] });
  expect(await json('fixtures')).toMatchObject({ baseUrl: mock.url, model: { ok: { id: 'mock/ok' } } });
});

test.each([
  ['an unknown resource', 'GET', 'nothing', undefined, 404],
  ['a member of every object', 'GET', 'constructor', undefined, 404],
  ['an unknown method', 'PATCH', 'clock', {}, 405],
  ['a clock that goes back', 'POST', 'clock', { advance: -1 }, 400],
  ['a time that is none', 'POST', 'clock', { advance: 'tomorrow' }, 400],
  ['an unknown scenario', 'POST', 'scenarios', { name: 'toString' }, 400],
  ['a body that is no object', 'POST', 'scenarios', [], 400],
  ['an unknown model', 'DELETE', 'models/acme/nothing', undefined, 404],
  ['an unknown member of a model', 'PUT', 'models/acme/easel-1', { sate: 'listed' }, 400],
  ['a model that costs less than nothing', 'PUT', 'models/acme/easel-1', { cents: -1 }, 400],
  ['a caller that is none', 'POST', 'scenarios', { name: 'slow', caller: 1 }, 400],
  ['an unknown member of a request', 'POST', 'requests', { method: 'GET', target: '/', bdy: '' }, 400],
])('%s is refused with words', async (_what, method, path, body, status) => {
  const response = await send(path, method, body);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: expect.any(String) as string });
});

test(
  'the control API refuses foreign pages, foreign host names and any form',
  { tags: 'attack' },
  async () => {
    const type = { 'Content-Type': 'application/json' };
    expect(await raw('POST', 'reset', { ...type, Origin: 'http://evil.example' })).toBe(403);
    expect(await raw('GET', 'journal', { Host: 'evil.example' })).toBe(403);
    expect(await raw('POST', 'reset', { 'Content-Type': 'application/x-www-form-urlencoded' })).toBe(415);
    expect(await raw('POST', 'reset', type)).toBe(200);
  },
);

test('beyond this machine it wants the token of its address', { tags: 'attack' }, async () => {
  const open = await startMock({ apis: ['router'], host: '0.0.0.0' });
  try {
    const url = new URL(open.controlUrl ?? '');
    const local = `http://127.0.0.1:${url.port}/control/v1/state`;
    expect((await fetch(local)).status).toBe(401);
    expect((await fetch(`${local}?token=wrong`)).status).toBe(401);
    expect((await fetch(`${local}${url.search}`)).status).toBe(200);
  } finally {
    await open.stop();
  }
});

test.each(['limit=x', 'limit=-1', 'since=', 'since=1.5'])(
  'a journal page with %s is refused',
  async (query) => {
    const response = await fetch(`${control}/journal?${query}`);
    const [name = ''] = query.split('=');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: expect.stringContaining(`"${name}" must be a whole number`),
    });
  },
);
