import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobsMock, workflow, writeText, type Answered, type JobsMock } from './jobs-mock.ts';

const good = workflow(writeText());
const other = workflow(writeText('another'));
const bad = workflow({ class_type: 'Nope', inputs: {} });

const summary = ({ status, code }: Answered): string => [status, code].join(' ').trim();
const USED = '422 idempotency_key_reuse';

async function inTurn(jobs: JobsMock, ...steps: readonly { body: unknown; as?: string; prefer?: string }[]) {
  const answers = [];
  for (const { body, ...options } of steps)
    answers.push(summary(await jobs.submit(body, { key: 'k', ...options })));
  return answers;
}

test.each([
  ['jobs.idem.duplicate-422', good, USED],
  ['jobs.idem.different-body-422', other, USED],
  ['jobs.idem.invalid-second-422', bad, USED],
])('%s: a key whose job exists is refused permanently', async (_rule, second, want) => {
  const jobs = await jobsMock();
  expect(await inTurn(jobs, { body: good }, { body: second })).toStrictEqual(['201', want]);
});

test.each([
  ['jobs.idem.release-on-validation', bad, undefined, '422 invalid_workflow'],
  ['jobs.idem.release-on-ui-format', { nodes: [], links: [] }, undefined, '422 workflow_format_ui'],
  ['jobs.idem.release-on-reserved', { ...good, inputs: {} }, undefined, '422 invalid_request'],
  ['jobs.idem.release-on-upstream-reject', good, 'queue-full', '429 queue_full'],
  ['jobs.idem.release-on-upstream-reject', good, 'no-credits', '402 insufficient_credits'],
])('%s: a submission without a job frees its key', async (_rule, first, scenario, want) => {
  const jobs = await jobsMock();
  const steps = [
    { body: first, ...(scenario === undefined ? {} : { prefer: `scenario=${scenario};times=1` }) },
    { body: good },
  ];
  expect(await inTurn(jobs, ...steps, { body: good })).toStrictEqual([want, '201', USED]);
});

test('jobs.idem.unknown-outcome-claimed: it is unknown whether there is a job, so the key stays claimed', async () => {
  const jobs = await jobsMock();
  const prefer = 'scenario=submit-unanswered;times=1';
  expect(await inTurn(jobs, { body: good, prefer }, { body: good })).toStrictEqual([
    '500 upstream_error',
    USED,
  ]);
});

test('jobs.idem.unknown-outcome-claimed: the same applies to a caller whose connection was cut', async () => {
  const jobs = await jobsMock();
  await expect(jobs.submit(good, { key: 'k', prefer: 'scenario=submit-drops;times=1' })).rejects.toThrow(
    'fetch failed',
  );
  expect(await inTurn(jobs, { body: good })).toStrictEqual([USED]);
});

test('jobs.idem.expires-24h: a key can be used again after a day', async () => {
  const jobs = await jobsMock();
  await inTurn(jobs, { body: good });
  await jobs.clock.advance(24 * 3_600_000 - 1);
  expect(await inTurn(jobs, { body: good })).toStrictEqual([USED]);
  await jobs.clock.advance(1);
  expect(await inTurn(jobs, { body: good })).toStrictEqual(['201']);
});

test('A-87: a key belongs to its caller, and means nothing on other operations', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(good, { key: 'k' });
  expect((await jobs.cancel(job.id, { key: 'k' })).status).toBe(200);
  expect(await inTurn(jobs, { body: good, as: 'service-mock-ok+bob' })).toStrictEqual(['201']);
});

test('jobs.idem.no-key-ok: without a key two submissions are two jobs', async () => {
  const jobs = await jobsMock();
  const [first, second] = [await jobs.submit(good), await jobs.submit(good)];
  expect(first.job.id).not.toBe(second.job.id);
});

test('jobs.idem.never-reexecuted, jobs.idem.no-replay-header: a refused duplicate brings no job and no mark', async () => {
  const jobs = await jobsMock();
  await jobs.submit(good, { key: 'k' });
  const { body, headers } = await jobs.submit(good, { key: 'k' });
  expect(Object.keys(body as object)).toStrictEqual(['error']);
  expect(headers.get('idempotent-replayed')).toBeNull();
});

test('the trail says what a key met and became, with the rule or the open point', async () => {
  const jobs = await jobsMock();
  await inTurn(jobs, { body: bad }, { body: good }, { body: good });
  const steps = jobs.mock.journal
    .entries()
    .map(({ trail }) => trail.filter(({ step }) => step === 'key').map((each) => Object.values(each)));
  expect(steps).toStrictEqual([
    [
      ['key', 'first use'],
      ['key', 'freed', 'A-87'],
    ],
    [
      ['key', 'first use'],
      ['key', 'spent', 'jobs.idem.duplicate-422'],
    ],
    [['key', 'used', 'jobs.idem.duplicate-422']],
  ]);
});

test('a reset forgets keys and jobs', async () => {
  const jobs = await jobsMock();
  const { job } = await jobs.submit(good, { key: 'k' });
  jobs.mock.reset();
  expect((await jobs.read(job.id)).status).toBe(404);
  expect(await inTurn(jobs, { body: good })).toStrictEqual(['201']);
});

const attempt = fc.record({
  body: fc.constantFrom(good, good, other, bad),
  scenario: fc.constantFrom(undefined, undefined, 'queue-full', 'no-credits', 'submit-unanswered'),
  /** Whether the next one is sent while this one is open. */
  isOverlapped: fc.boolean(),
});

function makesJob({
  body,
  scenario,
}: {
  readonly body: object;
  readonly scenario: string | undefined;
}): boolean {
  return body !== bad && (scenario === undefined || scenario === 'submit-unanswered');
}

test('jobs.idem.concurrent-one-201: concurrent attempts with one key create at most one job', async () => {
  const jobs = await jobsMock();
  let round = 0;
  let created = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 8 }), async (attempts) => {
      const key = `round ${String((round += 1))}`;
      const answers: Promise<Answered>[] = [];
      const together: (typeof attempts)[] = [[]];
      for (const each of attempts) {
        const { body, scenario, isOverlapped } = each;
        const prefer = scenario === undefined ? {} : { prefer: `scenario=${scenario}` };
        answers.push(jobs.submit(body, { key, ...prefer }));
        together.at(-1)?.push(each);
        if (isOverlapped) continue;
        await Promise.all(answers);
        together.push([]);
      }
      const made = (await Promise.all(answers)).filter(({ status }) => status === 201 || status === 500);
      expect(made.length).toBeLessThanOrEqual(1);
      // One that is refused for itself may have its key at that moment.
      if (together.some((some) => some.length > 0 && some.every(makesJob))) expect(made.length).toBe(1);
      created += made.length;
    }),
    { numRuns: 150 },
  );
  expect(created).toBeGreaterThan(50);
});
