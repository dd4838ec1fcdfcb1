import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, virtualClock, type RunningMock } from '../../../../mock/index.ts';
import { workflow, writeText, type JobBody } from './jobs-mock.ts';

const clock = virtualClock({ auto: false });
let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ apis: ['jobs'], clock });
});
afterAll(() => mock.stop());

const good = workflow(writeText());

async function control(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function submit(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; job: JobBody }> {
  const response = await fetch(`${mock.url}/api/v2/jobs`, {
    method: 'POST',
    headers: { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, job: (await response.json()) as JobBody };
}

test('the jobs of all callers can be read, with their owner and history', async () => {
  const { job } = await submit(good, { 'Idempotency-Key': 'k' });
  await clock.advance(5_000);
  const all = await control('GET', 'jobs');
  const shown = {
    id: job.id,
    status: 'succeeded',
    caller: 'key ok+',
    statuses: [{ status: 'queued' }, { status: 'running' }, { status: 'succeeded' }],
  };
  expect(all.body).toMatchObject({
    jobs: [shown],
    keys: [{ caller: 'key ok+', key: 'k', state: 'claimed' }],
  });
  expect((await control('GET', `jobs/${job.id}`)).body).toMatchObject(shown);
  expect((await control('GET', 'jobs/nothing')).status).toBe(404);
  expect((await control('GET', 'state')).body).toMatchObject({
    apis: [{ name: 'jobs', holds: { surface: 'cloud', jobs: 1, keys: 1 } }],
  });
});

test('the fixtures say where the jobs are, also under a mount prefix', async () => {
  const mounted = await startMock({ apis: ['jobs'], jobs: { mountPrefix: '/deployment/d-42' } });
  try {
    const fixtures = await fetch(`${mounted.controlUrl ?? ''}/control/v1/fixtures`);
    expect(await fixtures.json()).toMatchObject({ jobsBaseUrl: `${mounted.url}/deployment/d-42` });
    expect((await control('GET', 'fixtures')).body).not.toHaveProperty('jobsBaseUrl');
  } finally {
    await mounted.stop();
  }
});

test('keys are forgotten on request', async () => {
  await submit(good, { 'Idempotency-Key': 'again' });
  expect((await submit(good, { 'Idempotency-Key': 'again' })).status).toBe(422);
  expect((await control('DELETE', 'jobs/keys')).body).toStrictEqual({ keys: [] });
  expect((await submit(good, { 'Idempotency-Key': 'again' })).status).toBe(201);
  expect((await control('DELETE', 'jobs')).status).toBe(400);
});

test('jobs.submit.asset-owned: assets can be added with their owner', async () => {
  const asset = { __type: 'core/ASSET', info: { id: 'new' } };
  const body = workflow({ class_type: 'LoadAsset', inputs: { asset } });
  const status = async (): Promise<number> => (await submit(body)).status;
  expect(await status()).toBe(422);
  await control('PUT', 'jobs/assets/new', { owner: 'service-mock-ok+bob' });
  expect(await status()).toBe(422);
  await control('PUT', 'jobs/assets/new', { owner: 'service-mock-ok' });
  expect(await status()).toBe(201);
  expect((await control('PUT', 'jobs/nothing')).status).toBe(400);
});

test('a scenario can be forced for the next submissions, and removed', async () => {
  await control('POST', 'scenarios', { name: 'queue-full', after: 1, times: 5 });
  expect([(await submit(good)).status, (await submit(good)).status]).toStrictEqual([201, 429]);
  expect((await control('DELETE', 'scenarios')).body).toStrictEqual({ forced: [] });
  expect((await submit(good)).status).toBe(201);
});
