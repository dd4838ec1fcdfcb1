import { expect, test } from 'vitest';
import { jobsMock, waiting, workflow, writeText, type JobsMock } from './jobs-mock.ts';

const HOUR = 3_600_000;
const short = workflow(writeText());
const long = workflow(writeText(), waiting(5), writeText('the end'));
const painting = workflow(
  { class_type: 'GeneratePicture', inputs: { prompt: 'x' } },
  { class_type: 'SavePicture', inputs: { picture: ['1', 0] } },
);

test('a job goes from the queue to its end, and its times, progress and outputs with it', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(long);
  expect(job).toMatchObject({
    status: 'queued',
    queue_position: 1,
    started_at: null,
    completed_at: null,
    progress: null,
    outputs: [],
    error: null,
  });
  expect(job.metrics).toStrictEqual({ queue_ms: null, execution_ms: null });
  await jobs.clock.advance(300);
  expect((await jobs.read(job.id)).job).toMatchObject({
    status: 'running',
    queue_position: null,
    progress: { value: 0 },
  });
  await jobs.clock.advance(2_600);
  const running = (await jobs.read(job.id)).job;
  expect(running).toMatchObject({
    status: 'running',
    completed_at: null,
    progress: { nodes_done: 1, current_node: '2', step: 5 },
  });
  expect(running.outputs).toHaveLength(1);
  expect(running.metrics).toStrictEqual({ queue_ms: 300, execution_ms: null });
  await jobs.clock.advance(10_000);
  const done = (await jobs.read(job.id)).job;
  expect(done).toMatchObject({
    status: 'succeeded',
    progress: { value: 1, current_node: null },
    error: null,
  });
  expect(done.outputs).toHaveLength(2);
  expect(done.metrics).toStrictEqual({ queue_ms: 300, execution_ms: 5_200 });
  expect(Date.parse(done.completed_at ?? '') - Date.parse(done.started_at ?? '')).toBe(5_200);
  expect(jobs.findings()).toStrictEqual([]);
});

test('A-74: what a job made can be looked at', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(painting);
  await jobs.clock.advance(5_000);
  const [output] = (await jobs.read(job.id)).job.outputs;
  expect(output).toMatchObject({
    node_id: '2',
    type: 'image',
    content_type: 'image/png',
    url_expires_at: job.expires_at,
  });
  const bytes = Buffer.from(String(output?.['url']).replace(/^data:image\/png;base64,/, ''), 'base64');
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('\x89PNG');
  expect(bytes).toHaveLength(Number(output?.['size_bytes']));
});

test.each([
  ['a node that fails', workflow(writeText(), { class_type: 'Fail' }), undefined],
  ['the magic key', short, 'service-mock-job-fails'],
])(
  'jobs.state.failure, jobs.job.error-on-failed: %s ends as failed, and the read is no error',
  async (_what, body, as) => {
    const jobs = await jobsMock();
    const caller = as === undefined ? {} : { as };
    const { job } = await jobs.submit(body, caller);
    await jobs.clock.advance(5_000);
    const failed = await jobs.read(job.id, caller);
    expect(failed.status).toBe(200);
    expect(failed.job).toMatchObject({
      status: 'failed',
      error: {
        code: 'node_execution_error',
        message: expect.any(String),
        node_id: expect.any(String),
        traceback: null,
      },
    });
  },
);

test('jobs.cancel.canceling, jobs.cancel.eventually-canceled: a running job is canceling, then canceled', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(long);
  await jobs.clock.advance(1_000);
  const cancelled = await jobs.cancel(job.id);
  expect([cancelled.status, cancelled.job.status]).toStrictEqual([200, 'canceling']);
  expect((await jobs.cancel(job.id)).job.status, 'A-82').toBe('canceling');
  await jobs.clock.advance(300);
  const after = (await jobs.read(job.id)).job;
  expect(after).toMatchObject({ status: 'canceled', completed_at: expect.any(String), error: null });
  const again = await jobs.cancel(job.id);
  expect([again.status, again.job]).toStrictEqual([200, after]);
});

test('A-81: a job in the queue is canceling, then canceled, and never starts', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(long);
  expect((await jobs.cancel(job.id)).job).toMatchObject({
    status: 'canceling',
    queue_position: null,
    started_at: null,
  });
  await jobs.clock.advance(60_000);
  expect((await jobs.read(job.id)).job).toMatchObject({ status: 'canceled', started_at: null, outputs: [] });
});

test('A-81 can be set otherwise', async () => {
  const jobs = await jobsMock({ assumptions: { 'A-81': { path: ['canceled'] } } });
  const { job } = await jobs.submit(long);
  expect((await jobs.cancel(job.id)).job.status).toBe('canceled');
});

test('jobs.read.until-expiry: a job that has ended does not change, can be read for another hour, and is then gone', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(short);
  await jobs.clock.advance(24 * HOUR);
  const read = async (): Promise<unknown> => {
    const { status, job: seen, code } = await jobs.read(job.id);
    return [status, seen.status, code];
  };
  expect(await read()).toStrictEqual([200, 'succeeded', undefined]);
  await jobs.clock.advance(HOUR - 1);
  expect(await read()).toStrictEqual([200, 'succeeded', undefined]);
  await jobs.clock.advance(1);
  expect(await read()).toStrictEqual([404, undefined, 'not_found']);
  expect((await jobs.cancel(job.id)).status).toBe(404);
  expect((await jobs.watch(job.id)).status).toBe(404);
});

test('A-83: a job that runs until it expires is expired', async () => {
  const jobs = await jobsMock();
  const as = 'service-mock-job-expires';
  const { job } = await jobs.submit(short, { as });
  expect(Date.parse(job.expires_at) - Date.parse(job.created_at)).toBe(5_000);
  await jobs.clock.advance(4_999);
  expect((await jobs.read(job.id, { as })).job.status).toBe('running');
  await jobs.clock.advance(1);
  expect((await jobs.read(job.id, { as })).job).toMatchObject({
    status: 'expired',
    completed_at: job.expires_at,
  });
});

test('a job behind others reports its place in the queue', async () => {
  const jobs = await jobsMock();
  const as = 'service-mock-job-slow';
  const { job } = await jobs.submit(short, { as });
  const places = [job.queue_position];
  for (let second = 0; second < 3; second += 1) {
    await jobs.clock.advance(1_000);
    places.push((await jobs.read(job.id, { as })).job.queue_position);
  }
  expect(places).toStrictEqual([4, 3, 2, null]);
});

test('jobs of one caller wait for each other, those of another do not', async () => {
  const jobs = await jobsMock({ jobs: { slots: 1 } });
  const first = await jobs.submit(long);
  const second = await jobs.submit(short);
  const other = await jobs.submit(short, { as: 'service-mock-ok+bob' });
  expect([first, second, other].map(({ job }) => job.queue_position)).toStrictEqual([1, 2, 1]);
  await jobs.clock.advance(1_000);
  expect((await jobs.read(second.job.id)).job.queue_position).toBe(1);
  expect((await jobs.read(other.job.id, { as: 'service-mock-ok+bob' })).job.status).toBe('succeeded');
  await jobs.cancel(first.job.id);
  await jobs.clock.advance(350);
  expect((await jobs.read(second.job.id)).job.status).toBe('running');
});

const unknownIds = [
  '00000000-0000-4000-8000-000000000000',
  'x',
  '%zz',
  '%2e%2e%2f',
  '__proto__',
  encodeURIComponent('\u{1f980}'),
];

test.each(unknownIds)(
  'jobs.read.unknown, jobs.cancel.unknown, jobs.sse.unknown-job: %s is no job',
  async (id) => {
    const jobs = await jobsMock();
    const answers = [await jobs.read(id), await jobs.cancel(id)];
    for (const { status, code } of answers) expect([status, code]).toStrictEqual([404, 'not_found']);
    const stream = await jobs.watch(id);
    expect([stream.status, stream.headers.get('content-type')]).toStrictEqual([404, 'application/json']);
  },
);

test('jobs.auth.scoped: the job of another account is as unknown as one that does not exist', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(short);
  const unknown = await jobs.read('nothing');
  const as = 'service-mock-ok+bob';
  for (const foreign of [await jobs.read(job.id, { as }), await jobs.cancel(job.id, { as })]) {
    expect([foreign.status, foreign.body]).toStrictEqual([unknown.status, unknown.body]);
  }
  expect((await jobs.watch(job.id, { as })).status).toBe(404);
  await jobs.clock.advance(5_000);
  expect((await jobs.read(job.id)).job.status).toBe('succeeded');
});

const elsewhere: readonly [method: string, target: string, status: number, allow: string | null][] = [
  ['GET', '/api/v2/jobs', 404, null],
  ['DELETE', '/api/v2/jobs/x', 405, 'GET, HEAD'],
  ['GET', '/api/v2/jobs/x/cancel', 404, null],
  ['POST', '/api/v2/jobs/x/events', 405, 'GET, HEAD'],
  ['GET', '/api/v2/prompt', 404, null],
  ['GET', '/v2/jobs/x', 404, null],
];

test.each(elsewhere)('A-89: %s %s answers %i in the usual shape', async (method, target, status, allow) => {
  const jobs = await jobsMock();
  const answer = await jobs.send(method, target);
  expect([answer.status, answer.code, answer.headers.get('allow')]).toStrictEqual([
    status,
    'not_found',
    allow,
  ]);
});

test('HEAD answers as GET does, without a body, for jobs and for streams', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(short);
  for (const target of [`/api/v2/jobs/${job.id}`, `/api/v2/jobs/${job.id}/events`]) {
    const { status, body } = await jobs.send('HEAD', target);
    expect([status, body]).toStrictEqual([200, undefined]);
  }
});

test('A-67: nothing of a job may be cached', async () => {
  const jobs = await jobsMock();
  const { job, headers } = await jobs.submit(short);
  const all = [
    headers,
    (await jobs.read(job.id)).headers,
    (await jobs.read('x')).headers,
    (await jobs.watch(job.id)).headers,
  ];
  expect(all.map((headers) => [headers.get('cache-control'), headers.get('etag')])).toStrictEqual(
    all.map(() => ['no-store', null]),
  );
});

async function links(jobs: JobsMock): Promise<Readonly<Record<string, string>>> {
  const { job } = await jobs.submit(short);
  return Object.fromEntries(
    Object.entries(job.urls).map(([name, link]) => [name, link.replace(job.id, 'ID')]),
  );
}

test('jobs.urls.form: links are host-relative as a rule', async () => {
  expect(await links(await jobsMock())).toStrictEqual({
    self: '/api/v2/jobs/ID',
    events: '/api/v2/jobs/ID/events',
    cancel: '/api/v2/jobs/ID/cancel',
  });
});

test('A-76: absolute links begin with the address that the client used, or with the public one', async () => {
  const own = await jobsMock({ jobs: { links: 'absolute' } });
  expect((await links(own))['self']).toBe('http://mock.localhost:4710/api/v2/jobs/ID');
  const named = await jobsMock({
    publicUrl: 'https://jobs.example.com/base/',
    assumptions: { 'A-76': { form: 'absolute' } },
  });
  expect((await links(named))['self']).toBe('https://jobs.example.com/base/api/v2/jobs/ID');
});

test('jobs.urls.mount-prefix: links have the prefix under which the jobs are mounted, and lead somewhere', async () => {
  const mount = '/deployment/d-42';
  const jobs = await jobsMock({ jobs: { mountPrefix: `${mount}/` }, mount });
  const { job } = await jobs.submit(short);
  expect(job.urls['self']).toBe(`${mount}/api/v2/jobs/${job.id}`);
  for (const link of [job.urls['self'], job.urls['events']])
    expect((await jobs.send('HEAD', link ?? '')).status).toBe(200);
  expect((await jobs.send('GET', `/api/v2/jobs/${job.id}`)).status, 'without the prefix').toBe(404);
  expect((await jobs.send('GET', `${mount}x/api/v2/jobs/${job.id}`)).status, 'another prefix').toBe(404);
});

test.each([
  [{ jobs: { mountPrefix: 'no-slash' } }, /jobs\.mountPrefix is a path such as/],
  [{ jobs: { mountPrefix: '/a//b' } }, /jobs\.mountPrefix is a path such as/],
  [{ jobs: { surface: 'cloud', staticToken: 'x' } }, /belongs to the surface self-hosted/],
] as const)('options that make no sense say so: %j', async (options, message) => {
  await expect(jobsMock(options)).rejects.toThrow(message);
});
