import { expect, test } from 'vitest';
import type { JobsOptions } from '../../../../mock/index.ts';
import { jobsMock, workflow, writeText, type JobsMock } from './jobs-mock.ts';

const MOUNT = '/deployment/mock';
const body = workflow(writeText());

interface Surface {
  readonly name: string;
  readonly jobs: JobsOptions;
  readonly mount: string;
  /** Credentials that open it, and some that do not; null for none at all. */
  readonly opened: readonly (string | null)[];
  readonly closed: readonly (string | null)[];
  readonly logs: boolean;
}

const surfaces: readonly Surface[] = [
  {
    name: 'cloud',
    jobs: {},
    mount: '',
    opened: ['service-mock-ok'],
    closed: [null, 'nonsense', 'service-other'],
    logs: false,
  },
  {
    name: 'serverless',
    jobs: { surface: 'serverless' },
    mount: MOUNT,
    opened: ['service-mock-ok'],
    closed: [null, 'nonsense'],
    logs: true,
  },
  {
    name: 'demo',
    jobs: { surface: 'demo' },
    mount: MOUNT,
    opened: [null, 'nonsense', 'service-mock-ok'],
    closed: [],
    logs: false,
  },
  {
    name: 'self-hosted',
    jobs: { surface: 'self-hosted' },
    mount: '',
    opened: [null, 'nonsense', 'service-mock-ok'],
    closed: [],
    logs: false,
  },
  {
    name: 'self-hosted with a token',
    jobs: { surface: 'self-hosted', staticToken: 'open-sesame' },
    mount: '',
    opened: ['open-sesame'],
    closed: [null, 'nonsense', 'service-mock-ok', 'open-sesam'],
    logs: false,
  },
];

const start = ({ jobs, mount }: Surface): Promise<JobsMock> => jobsMock({ jobs, mount });

test.each(surfaces)('jobs.auth.*: $name accepts the right callers', async (surface) => {
  const jobs = await start(surface);
  for (const as of surface.opened) {
    const { status, job } = await jobs.submit(body, { as });
    expect(status, String(as)).toBe(201);
    expect((await jobs.read(job.id, { as })).status, String(as)).toBe(200);
  }
});

test.each(surfaces)('jobs.auth.*: $name refuses all other callers on every operation', async (surface) => {
  const jobs = await start(surface);
  const [as = null] = surface.opened;
  const { job } = await jobs.submit(body, { as });
  for (const stranger of surface.closed) {
    const options = { as: stranger };
    const answers = [
      await jobs.submit(body, { ...options, key: 'k' }),
      await jobs.read(job.id, options),
      await jobs.cancel(job.id, options),
    ];
    for (const { status, code } of answers)
      expect([status, code], String(stranger)).toStrictEqual([401, 'unauthorized']);
    expect((await jobs.watch(job.id, options)).status).toBe(401);
  }
  expect((await jobs.submit(body, { as, key: 'k' })).status, 'no stranger took the key').toBe(201);
});

test('A-86: an API key in a separate header is not accepted', async () => {
  const jobs = await jobsMock();
  const { status } = await jobs.submit(body, { as: null, headers: { 'X-API-Key': 'service-mock-ok' } });
  expect(status).toBe(401);
});

test('A-87: on a surface without credentials, all callers share their jobs and keys', async () => {
  const jobs = await jobsMock({ jobs: { surface: 'self-hosted' } });
  const { job } = await jobs.submit(body, { as: null, key: 'k' });
  expect((await jobs.read(job.id, { as: 'whatever' })).status).toBe(200);
  expect((await jobs.submit(body, { as: 'whatever', key: 'k' })).status).toBe(422);
});

test.each(surfaces)(
  'jobs.logs.*: $name shows logs on the read of an ended job, or nowhere',
  async (surface) => {
    const jobs = await start(surface);
    const [as = null] = surface.opened;
    for (const graph of [body, workflow(writeText(), { class_type: 'Fail' })]) {
      const submitted = await jobs.submit(graph, { as });
      const { id } = submitted.job;
      await jobs.clock.advance(350);
      const running = await jobs.read(id, { as });
      expect(running.job.status).toBe('running');
      await jobs.clock.advance(5_000);
      const cancelled = await jobs.cancel(id, { as });
      const streamed = await (await jobs.watch(id, { as })).text();
      for (const answer of [submitted, running, cancelled]) expect(answer.body).not.toHaveProperty('logs');
      expect(streamed).not.toContain('"logs"');
      const { job } = await jobs.read(id, { as });
      if (surface.logs)
        expect(job.logs).toMatchObject({ text: expect.stringContaining('node 1'), truncated: false });
      else expect(job).not.toHaveProperty('logs');
    }
    expect(jobs.findings()).toStrictEqual([]);
  },
);

test('jobs.logs.lifetime: logs can be read for as long as the job', async () => {
  const jobs = await jobsMock({ jobs: { surface: 'serverless' }, mount: MOUNT });
  const { job } = await jobs.submit(body);
  await jobs.clock.advance(25 * 3_600_000 - 1);
  expect((await jobs.read(job.id)).job).toHaveProperty('logs');
});

test('the fixtures name the surface', async () => {
  for (const surface of surfaces) {
    const { mock } = await start(surface);
    const {
      surface: name,
      staticToken,
      job,
    } = mock.fixtures() as { surface: string; staticToken?: string; job: { mountPrefix?: string } };
    expect([name, staticToken, job.mountPrefix ?? '']).toStrictEqual([
      surface.name.split(' ')[0],
      surface.jobs.staticToken,
      surface.mount,
    ]);
  }
});

const wants: readonly [fixture: string, status: number, end: string][] = [
  ['ok', 201, 'succeeded'],
  ['tiny', 201, 'succeeded'],
  ['slow', 201, 'succeeded'],
  ['preview', 201, 'succeeded'],
  ['fail', 201, 'failed'],
  ['invalid', 422, 'invalid_workflow'],
  ['unknownClass', 422, 'invalid_workflow'],
  ['uiFormat', 422, 'workflow_format_ui'],
  ['unknownAsset', 422, 'missing_asset'],
  ['foreignAsset', 422, 'missing_asset'],
];

test.each(wants)('the fixture job.%s has its purpose', async (name, status, end) => {
  const jobs = await jobsMock();
  const { job } = jobs.mock.fixtures() as { job: Record<string, unknown> };
  const answer = await jobs.submit(job[name]);
  expect(answer.status).toBe(status);
  if (status !== 201) return expect(answer.code).toBe(end);
  await jobs.clock.advance(60_000);
  return expect((await jobs.read(answer.job.id)).job.status).toBe(end);
});

test('the fixture of allowed extra data is allowed', async () => {
  const jobs = await jobsMock();
  const { job } = jobs.mock.fixtures() as { job: { ok: object; allowedExtraData: object } };
  expect((await jobs.submit({ ...job.ok, extra_data: job.allowedExtraData })).status).toBe(201);
});
