import { afterAll, beforeEach, expect, test } from 'vitest';
import { createMock, listScenarios, startMock, virtualClock } from '../../mock/index.ts';

/** Scenarios that work on every operation, however they are asked for. */
const clock = virtualClock();
const mock = createMock({ clock });
beforeEach(() => {
  mock.reset();
});
afterAll(() => {
  mock.close();
});

const key = 'service-mock-ok';
const router = '/v1/models';
const operations: readonly (readonly [
  what: string,
  method: string,
  path: string,
  body?: object | undefined,
])[] = [
  ['the list of models', 'GET', router],
  ['a run', 'POST', '/v1/models/mock/ok', { prompt: 'x' }],
  ['a submission', 'POST', '/api/v2/jobs', { 1: { class_type: 'WriteText', inputs: { text: 'a' } } }],
  ['the partner route', 'POST', '/proxy/acme/v1/ai/skin-enhancer/creative', { image: 'QQ==' }],
];

async function call(
  [, method, path, body]: (typeof operations)[number],
  headers: Record<string, string> = {},
): Promise<Response> {
  return mock.fetch(
    new Request(`http://mock.test${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

test.each(operations.map((operation) => [operation[0], operation] as const))(
  'latency: %s is answered a second later, or when it is said',
  async (_what, operation) => {
    const times: number[] = [];
    for (const prefer of ['', 'scenario=latency', 'scenario=latency;ms=250']) {
      const before = clock.now();
      expect((await call(operation, { Prefer: prefer })).status).toBeLessThan(300);
      times.push(clock.now() - before);
    }
    expect(times).toStrictEqual([0, 1_000, 250]);
  },
);

test.each(operations.map((operation) => [operation[0], operation] as const))(
  'cut-before, cut-after: %s gets no answer',
  async (_what, operation) => {
    for (const name of ['cut-before', 'cut-after']) {
      await expect(call(operation, { Prefer: `scenario=${name}` })).rejects.toThrow('fetch failed');
      const { authorization } = { authorization: `Bearer service-mock-${name}` };
      await expect(call(operation, { Authorization: authorization })).rejects.toThrow('fetch failed');
    }
  },
);

test.each(operations.map((operation) => [operation[0], operation] as const))(
  'cut-midway: %s gets half a body',
  async (_what, operation) => {
    const whole = await (await call(operation)).text();
    const response = await call(operation, { Prefer: 'scenario=cut-midway' });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const half = (await reader?.read())?.value ?? '';
    expect(half.length).toBeGreaterThan(0);
    expect(half.length).toBeLessThan(whole.length);
    await expect(reader?.read()).rejects.toThrow();
  },
);

test('cut-before leaves nothing behind, cut-after what was done', async () => {
  const [, , submission] = operations;
  if (submission === undefined) throw new Error('there is a submission');
  const jobs = (): number =>
    mock.journal.entries().filter(({ operation }) => operation === 'submitJob').length;
  await call(submission, { 'Idempotency-Key': 'a', Prefer: 'scenario=cut-before' }).catch(() => undefined);
  expect((await call(submission, { 'Idempotency-Key': 'a' })).status).toBe(201);
  await call(submission, { 'Idempotency-Key': 'b', Prefer: 'scenario=cut-after' }).catch(() => undefined);
  expect((await call(submission, { 'Idempotency-Key': 'b' })).status).toBe(422);
  expect(jobs()).toBe(4);
});

test('router.idem.release-on-drop: a run whose answer never arrives can be sent again with its key', async () => {
  const [, run] = operations;
  if (run === undefined) throw new Error('there is a run');
  await call(run, { 'Idempotency-Key': 'r', Prefer: 'scenario=cut-after' }).catch(() => undefined);
  const again = await call(run, { 'Idempotency-Key': 'r' });
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toStrictEqual([200, null]);
});

test('A-34: a key or a `Prefer` header selects the state before the rollout for one caller', async () => {
  const [list] = operations;
  if (list === undefined) throw new Error('there is a list');
  expect((await call(list, { Authorization: 'Bearer service-mock-not-rolled-out' })).status).toBe(404);
  expect((await call(list, { Prefer: 'scenario=not-rolled-out' })).status).toBe(404);
  expect((await call(list)).status).toBe(200);
});

test('A-23: a catalogue can be rebuilt during a walk', async () => {
  const page = async (query: string, prefer = ''): Promise<Response> =>
    call(['', 'GET', `${router}?limit=1${query}`], { Prefer: prefer });
  const { next_cursor: cursor } = (await (await page('')).json()) as { next_cursor: string };
  expect((await page('', 'scenario=rebuilt-catalogue')).status).toBe(200);
  expect((await page(`&cursor=${cursor}`, 'scenario=rebuilt-catalogue')).status).toBe(400);
  expect((await page(`&cursor=${cursor}`)).status).toBe(200);
});

test('both capacity bounds can be requested', async () => {
  const run = (name: string): Promise<Response> =>
    call(['', 'POST', '/v1/models/mock/slow', {}], { Prefer: `scenario=${name}` });
  for (const name of ['one-slot', 'spend-100']) {
    const both = await Promise.all([run(name), run(name)]);
    expect(both.map(({ status }) => status).sort()).toStrictEqual([200, 429]);
  }
});

test('jobs.state.*: each outcome of a job can be requested', async () => {
  const ends: string[] = [];
  for (const name of ['ok', 'job-fails', 'job-canceled', 'job-expires']) {
    const submitted = await call(
      ['', 'POST', '/api/v2/jobs', { 1: { class_type: 'WriteText', inputs: { text: 'a' } } }],
      { Prefer: `scenario=${name}` },
    );
    const { id } = (await submitted.json()) as { id: string };
    await clock.advance(10_000);
    ends.push(((await (await call(['', 'GET', `/api/v2/jobs/${id}`])).json()) as { status: string }).status);
  }
  expect(ends).toStrictEqual(['succeeded', 'failed', 'canceled', 'expired']);
});

test('a scenario for the next calls counts over all APIs, and spares other callers', async () => {
  const running = await startMock({ clock });
  try {
    const force = async (body: object): Promise<unknown> =>
      (
        await fetch(`${running.controlUrl ?? ''}/control/v1/scenarios`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json();
    expect(await force({ name: 'cut-before', times: 2, caller: 'key ok+' })).toMatchObject({
      forced: [{ seen: 0 }],
    });
    const get = (path: string, credential = key): Promise<number> =>
      fetch(`${running.url}${path}`, { headers: { Authorization: `Bearer ${credential}` } }).then(
        ({ status }) => status,
        () => 0,
      );
    expect(await get(router, 'service-mock-ok+alice')).toBe(200);
    expect([await get(router), await get('/api/v2/jobs/x'), await get(router)]).toStrictEqual([0, 0, 200]);
    expect(await force({ name: 'latency', ms: -1 })).toHaveProperty('error');
  } finally {
    await running.stop();
  }
});

test('each magic value has a unique name, a description and an API', async () => {
  const listed = await listScenarios();
  expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  for (const { api, does, model, key: credential, prefer } of listed) {
    expect(does.length).toBeGreaterThan(10);
    expect(prefer).toMatch(/^scenario=[a-z0-9-]+$/);
    // Credentials of a user's own contract ask for nothing.
    if (api !== 'own') expect(model ?? credential).toBeDefined();
  }
});
