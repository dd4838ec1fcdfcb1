import { afterEach, expect, test } from 'vitest';
import { jobsDeviations } from '../../../../mock/apis/jobs/deviations/index.ts';
import {
  assetsTaken,
  checkedBeforeKey,
  extraDataOpen,
  faultsBecomeJobs,
  jobsOfOthers,
  keyKeptAfter,
  openToAll,
  readLag,
  reservedTaken,
  resumes,
  reused,
  snapshotWithout,
  staysOpen,
  stopping,
  unknownClassesTaken,
  unknownJobStreams,
} from '../../../../mock/apis/jobs/deviations/parts.ts';
import { checkedThenSet, keyPolicy } from '../../../../mock/deviations/key-parts.ts';
import type { Deviation } from '../../../../mock/index.ts';
import { eventsOf, jobsMock, statusesIn, waiting, workflow, writeText, type JobsMock } from './jobs-mock.ts';

/** Each part with the results of a faithful mock and of a deviating one. Other tests cover the suite's own deviations. */
interface Row {
  readonly name: string;
  readonly replaces: NonNullable<Deviation['replaces']>;
  readonly look: (jobs: JobsMock) => Promise<unknown>;
  readonly faithful: unknown;
  readonly deviating: unknown;
}

/** The table of the mock itself, which contains the test's deviation while the test runs. */
const table = jobsDeviations as Deviation[];
const shipped = table.length;
afterEach(() => {
  table.length = shipped;
});

function deviate(replaces: Row['replaces']): void {
  table.push({ id: 'x~y', rule: 'x', alsoFails: [], replaces });
}

const good = workflow(writeText());
const other = workflow(writeText('another'));
const bad = workflow({ class_type: 'Nope' });
const long = workflow(waiting(5));
const assetOf = (id: string): object =>
  workflow({ class_type: 'LoadAsset', inputs: { asset: { __type: 'core/ASSET', info: { id } } } });

const submitting =
  (body: unknown, options = {}): Row['look'] =>
  async (jobs) =>
    (await jobs.submit(body, options)).status;

const twice =
  (first: unknown, second: unknown, prefer?: string): Row['look'] =>
  async (jobs) => {
    const before = await jobs.submit(first, { key: 'k', ...(prefer === undefined ? {} : { prefer }) });
    const after = await jobs.submit(second, { key: 'k' });
    const isSame = after.job.id !== undefined && after.job.id === before.job.id;
    return [before.status, after.status, after.code ?? (isSame ? 'the same job' : 'another job')];
  };

/** The events of a stream so far, once it has nothing more to say for now; `ended` when it is over. */
async function told(jobs: JobsMock, id: string, headers = {}): Promise<readonly string[]> {
  const response = await jobs.watch(id, { headers });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const events: string[] = [];
  for (;;) {
    let pending = true;
    const next = reader.read().finally(() => (pending = false));
    // The clock comes back once all code of this process waits for it.
    await jobs.clock.advance(0);
    if (pending) {
      await reader.cancel();
      return events;
    }
    const { done, value } = await next;
    if (done) return [...events, 'ended'];
    events.push(/^event: (.*)$/m.exec(Buffer.from(value).toString())?.[1] ?? 'comment');
  }
}

const running: (jobs: JobsMock) => Promise<string> = async (jobs) => {
  const { job } = await jobs.submit(long);
  await jobs.clock.advance(1_000);
  return job.id;
};

const ended: (jobs: JobsMock) => Promise<string> = async (jobs) => {
  const { job } = await jobs.submit(good);
  await jobs.clock.advance(5_000);
  return job.id;
};

const USED = 'idempotency_key_reuse';

const rows: readonly Row[] = [
  {
    name: 'jobsOfOthers',
    replaces: { jobs: jobsOfOthers },
    look: async (jobs) => (await jobs.read(await ended(jobs), { as: 'service-mock-ok+bob' })).status,
    faithful: 404,
    deviating: 200,
  },
  {
    name: 'readLagMs',
    replaces: { jobs: readLag(4_800) },
    look: async (jobs) => (await jobs.read(await ended(jobs))).job.status,
    faithful: 'succeeded',
    deviating: 'queued',
  },
  {
    name: 'faultsBecomeJobs',
    replaces: { jobs: faultsBecomeJobs },
    look: async (jobs) => {
      const { status, job } = await jobs.submit(bad);
      await jobs.clock.advance(5_000);
      return [status, status === 201 ? (await jobs.read(job.id)).job.status : undefined];
    },
    faithful: [422, undefined],
    deviating: [201, 'failed'],
  },
  {
    name: 'unknownClassesTaken',
    replaces: { jobs: unknownClassesTaken },
    look: submitting(bad),
    faithful: 422,
    deviating: 201,
  },
  {
    name: 'reservedTaken',
    replaces: { jobs: reservedTaken('inputs') },
    look: submitting({ ...good, inputs: {} }),
    faithful: 422,
    deviating: 201,
  },
  {
    name: 'reservedTaken of another member',
    replaces: { jobs: reservedTaken('webhook_url') },
    look: submitting({ ...good, inputs: {} }),
    faithful: 422,
    deviating: 422,
  },
  {
    name: 'reservedTaken when null',
    replaces: { jobs: reservedTaken(null) },
    look: submitting({ ...good, inputs: null }),
    faithful: 422,
    deviating: 201,
  },
  {
    name: 'reservedTaken when null, with a value',
    replaces: { jobs: reservedTaken(null) },
    look: submitting({ ...good, inputs: {} }),
    faithful: 422,
    deviating: 422,
  },
  {
    name: 'extraDataOpen',
    replaces: { jobs: extraDataOpen },
    look: submitting({ ...good, extra_data: { x: 1 } }),
    faithful: 422,
    deviating: 201,
  },
  {
    name: 'assetsTaken, unknown ones',
    replaces: { jobs: assetsTaken('unknown') },
    look: submitting(assetOf('nobody')),
    faithful: 422,
    deviating: 201,
  },
  {
    name: 'assetsTaken, foreign ones',
    replaces: { jobs: assetsTaken('foreign') },
    look: submitting(assetOf('asset-of-somebody-else')),
    faithful: 422,
    deviating: 201,
  },
  {
    name: 'assetsTaken, not the others',
    replaces: { jobs: assetsTaken('foreign') },
    look: submitting(assetOf('nobody')),
    faithful: 422,
    deviating: 422,
  },
  {
    name: 'openToAll',
    replaces: { jobs: openToAll },
    look: submitting(good, { as: null }),
    faithful: 401,
    deviating: 201,
  },
  {
    name: 'checksBeforeKey',
    replaces: { jobs: checkedBeforeKey },
    look: twice(good, bad),
    faithful: [201, 422, USED],
    deviating: [201, 422, 'invalid_workflow'],
  },
  {
    name: 'usedKey replays',
    replaces: { jobs: reused('same', 'replay') },
    look: twice(good, good),
    faithful: [201, 422, USED],
    deviating: [201, 201, 'the same job'],
  },
  {
    name: 'usedKey of another body',
    replaces: { jobs: reused('same', 'replay') },
    look: twice(good, other),
    faithful: [201, 422, USED],
    deviating: [201, 422, USED],
  },
  {
    name: 'usedKey conflicts',
    replaces: { jobs: reused('other', 'conflict') },
    look: twice(good, other),
    faithful: [201, 422, USED],
    deviating: [201, 409, USED],
  },
  {
    name: 'usedKey makes a second job',
    replaces: { jobs: reused('any', 'second-job') },
    look: twice(good, other),
    faithful: [201, 422, USED],
    deviating: [201, 201, 'another job'],
  },
  {
    name: 'keyKeptAfter',
    replaces: { jobs: keyKeptAfter('invalidGraph') },
    look: twice(bad, good),
    faithful: [422, 201, 'another job'],
    deviating: [422, 422, USED],
  },
  {
    name: 'claimRace',
    replaces: { store: checkedThenSet },
    look: async (jobs) => {
      const all = Promise.all(Array.from({ length: 8 }, () => jobs.submit(good, { key: 'k' })));
      await jobs.clock.advance(1);
      return (await all).filter(({ status }) => status === 201).length;
    },
    faithful: 1,
    deviating: 8,
  },
  {
    name: 'recordWindow',
    replaces: { policies: keyPolicy({ window: 'PT1H' }) },
    look: async (jobs) => {
      await jobs.submit(good, { key: 'k' });
      await jobs.clock.advance(3_600_000);
      return (await jobs.submit(good, { key: 'k' })).status;
    },
    faithful: 422,
    deviating: 201,
  },
  ...(['ignored', 'at-once', 'stuck'] as const).map((cancel): Row => ({
    name: `cancel ${cancel}`,
    replaces: { jobs: stopping(cancel) },
    look: async (jobs) => {
      const id = await running(jobs);
      const { status } = (await jobs.cancel(id)).job;
      await jobs.clock.advance(60_000);
      return [status, (await jobs.read(id)).job.status];
    },
    faithful: ['canceling', 'canceled'],
    deviating: {
      ignored: ['running', 'succeeded'],
      'at-once': ['canceled', 'canceled'],
      stuck: ['canceling', 'canceling'],
    }[cancel],
  })),
  ...(['status', 'progress'] as const).map((left): Row => ({
    name: `snapshotWithout ${left}`,
    replaces: { jobs: snapshotWithout(left) },
    look: async (jobs) => told(jobs, await running(jobs)),
    faithful: ['status', 'progress'],
    deviating: ['status', 'progress'].filter((event) => event !== left),
  })),
  {
    name: 'staysOpen, opened late',
    replaces: { jobs: staysOpen('over') },
    look: async (jobs) => told(jobs, await ended(jobs)),
    faithful: ['status', 'ended'],
    deviating: ['status'],
  },
  {
    name: 'staysOpen, watching',
    replaces: { jobs: staysOpen('waiting', 'working', 'stopping') },
    look: async (jobs) => told(jobs, await ended(jobs)),
    faithful: ['status', 'ended'],
    deviating: ['status', 'ended'],
  },
  {
    name: 'resumes',
    replaces: { jobs: resumes },
    look: async (jobs) => told(jobs, await running(jobs), { 'Last-Event-ID': '1' }),
    faithful: ['status', 'progress'],
    deviating: ['status', 'status', 'progress'],
  },
  {
    name: 'unknownJobStreams',
    replaces: { jobs: unknownJobStreams },
    look: (jobs) => told(jobs, 'nothing').catch(() => 'refused'),
    faithful: ['comment', 'ended'],
    deviating: ['comment'],
  },
];

test.each(rows)(
  'the replaced part $name has its effect, and only there',
  async ({ replaces, look, faithful, deviating }) => {
    deviate(replaces);
    expect(await look(await jobsMock()), 'faithful').toStrictEqual(faithful);
    expect(await look(await jobsMock({ deviations: ['x~y'] })), 'deviating').toStrictEqual(deviating);
  },
);

test('a faithful stream that is watched ends, one that stays open does not', async () => {
  deviate({ jobs: staysOpen('waiting', 'working', 'stopping') });
  const jobs = await jobsMock({ deviations: ['x~y'], auto: true });
  const { job } = await jobs.submit(good);
  const reader = ((await jobs.watch(job.id)).body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!text.includes('succeeded')) text += Buffer.from((await reader.read()).value ?? []).toString();
  let isOver = false;
  const next = reader.read().then(() => (isOver = true));
  await jobs.clock.advance(3_600_000);
  expect(isOver).toBe(false);
  await reader.cancel();
  await next;
});

test('jobs.idem.never-reexecuted: what a refused duplicate would have done is not done', async () => {
  const jobs = await jobsMock({ auto: true });
  const { job } = await jobs.submit(good, { key: 'k' });
  await jobs.submit(other, { key: 'k' });
  expect(statusesIn(await eventsOf(await jobs.watch(job.id)))).toStrictEqual([
    'queued',
    'running',
    'succeeded',
  ]);
});
