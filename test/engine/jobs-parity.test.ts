import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '../../engine/delivery.ts';
import { createServer, refuse } from '../../generated/jobs/server.ts';
import { createMock, virtualClock, type Mock } from '../../mock/index.ts';

// Submissions to the mock of the jobs and to a server that is generated from their contract: one engine, so one answer,
// also if the answer to an earlier use of the key was lost.

interface Submission {
  readonly body?: string;
  readonly key?: string;
  readonly delivery?: Delivery;
}

let mock: Mock;
let server: ReturnType<typeof createServer>;
beforeAll(async () => {
  mock = createMock({ apis: ['jobs'], clock: virtualClock() });
  await mock.ready();
});
beforeEach(() => {
  mock.reset();
  server = jobsServer();
});
afterAll(() => {
  mock.close();
});

const GOOD = '{"workflow":{"1":{"class_type":"WriteText","inputs":{"text":"x"}}}}';
const BAD = '{"workflow":{"1":{"class_type":"Nope","inputs":{}}}}';
const EDITOR = '{"nodes":[],"links":[]}';

function jobsServer(): typeof server {
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  return createServer(
    {
      ...{ getJob: unused, cancelJob: unused, streamJobEvents: unused },
      submitJob: ({ body }) => {
        if (JSON.stringify(body) === BAD) throw refuse('invalid_workflow', 'No such class.');
        const id = '3c1f4f0e-6f0e-4d0b-9a35-0a4f6c1b2d3e';
        return {
          status: 201,
          body: {
            ...{
              id,
              status: 'queued',
              created_at: '2026-01-01T00:00:00Z',
              expires_at: '2026-01-02T00:00:00Z',
            },
            ...{ started_at: null, completed_at: null, queue_position: 1, progress: null, outputs: [] },
            ...{ error: null, urls: {} },
          },
        };
      },
    },
    { authenticate: () => ({ id: 'caller' }) },
  );
}

/** What a submission came to. The contract states the status of a used key; those of other refusals are open points. */
type Told = 'a job' | 'used' | 'refused';

const headersOf = ({ key }: Submission): Record<string, string> => ({
  'Content-Type': 'application/json',
  Authorization: 'Bearer service-mock-ok',
  ...(key === undefined ? {} : { 'Idempotency-Key': key }),
});

function toldBy(status: number, body: unknown): Told {
  if (status === 201) return 'a job';
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
  const { code } = (JSON.parse(text) as { error: { code: string } }).error;
  if (code === 'idempotency_key_reuse') {
    expect(status).toBe(422);
    return 'used';
  }
  expect([400, 422]).toContain(status);
  return 'refused';
}

async function byMock(submission: Submission): Promise<Told> {
  const { reply, settle } = await mock.handle({
    method: 'POST',
    target: '/api/v2/jobs',
    rawHeaders: Object.entries(headersOf(submission)).flat(),
    body: Buffer.from(submission.body ?? GOOD),
  });
  settle(submission.delivery ?? 'delivered');
  return toldBy(reply.status, reply.body);
}

async function byServer(submission: Submission): Promise<Told> {
  const { status, body, settle } = await server.exchange({
    method: 'POST',
    target: '/api/v2/jobs',
    headers: new Headers(headersOf(submission)),
    body: () => Promise.resolve(Buffer.from(submission.body ?? GOOD)),
    signal: new AbortController().signal,
  });
  await settle(submission.delivery ?? 'delivered');
  return toldBy(status, body);
}

async function told(
  answer: (submission: Submission) => Promise<Told>,
  all: readonly Submission[],
): Promise<Told[]> {
  const answers: Told[] = [];
  for (const submission of all) answers.push(await answer(submission));
  return answers;
}

const courses: readonly [name: string, all: readonly Submission[], want: readonly Told[]][] = [
  ['no key', [{}, {}], ['a job', 'a job']],
  ['an empty key', [{ key: '' }, { key: '' }], ['a job', 'a job']],
  ['a long key', ['k'.repeat(300), 'k'.repeat(300)].map((key) => ({ key })), ['a job', 'used']],
  ...[BAD, EDITOR, '{'].flatMap((body): typeof courses => [
    [`${body} first`, [{ key: 'k', body }, { key: 'k' }], ['refused', 'a job']],
    [`${body} afterwards`, [{ key: 'k' }, { key: 'k', body }], ['a job', 'used']],
  ]),
  ...(['delivered', 'short', 'dropped'] as const).map((delivery): (typeof courses)[number] => [
    `an answer that is ${delivery}`,
    [{ key: 'k', delivery }, { key: 'k' }, { key: 'other' }],
    ['a job', 'used', 'a job'],
  ]),
];

test.each(courses)('mock and generated server answer submissions alike: %s', async (_name, all, want) => {
  expect(await told(byMock, all)).toStrictEqual(want);
  expect(await told(byServer, all)).toStrictEqual(want);
});

test('jobs.idem.concurrent-one-201: of submissions with one key at the same moment one becomes a job on both sides', async () => {
  const five = Array.from({ length: 5 }, (): Submission => ({ key: 'k' }));
  for (const answer of [byMock, byServer]) {
    const all = await Promise.all(five.map(answer));
    expect(all.sort()).toStrictEqual(['a job', 'used', 'used', 'used', 'used']);
  }
});
