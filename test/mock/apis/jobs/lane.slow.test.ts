import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPolicy, loadOwnContract } from '../../../../contract/index.ts';
import { isReachable, type LifecyclePolicy } from '../../../../contract/policies/lifecycle.ts';
import type { Job } from '../../../../mock/apis/jobs/job.ts';
import { jobStates } from '../../../../mock/apis/jobs/job-states.ts';
import { Lane, nextDeparture } from '../../../../mock/apis/jobs/lane.ts';
import { START, workFor } from '../../../../mock/apis/jobs/work.ts';

const policy = findPolicy(await loadOwnContract('jobs'), 'lifecycle') as LifecyclePolicy;
const states = jobStates(policy, ['canceling', 'canceled']);
const SLOTS = 2;

interface Plan {
  readonly submittedAt: number;
  readonly workMs: readonly number[];
  readonly fails: boolean;
  readonly endless: boolean;
  readonly ahead: number;
  readonly keptMs: number;
  readonly cancelledAfter: number | undefined;
}

const plans = fc.array(
  fc.record<Plan>({
    submittedAt: fc.nat(3_000),
    workMs: fc.array(fc.nat(1_500), { minLength: 1, maxLength: 3 }),
    fails: fc.boolean(),
    endless: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    ahead: fc.nat(2),
    keptMs: fc.constantFrom(2_000, 60_000, 60_000),
    cancelledAfter: fc.option(fc.nat(4_000), { nil: undefined, freq: 3 }),
  }),
  { minLength: 1, maxLength: 7 },
);

function jobOf({ submittedAt, workMs, fails, endless, ahead, keptMs }: Plan, index: number): Job {
  const nodes = workMs.map((ms, n) => ({
    id: String(n),
    nodeClass: { name: 'N', workMs: ms, makes: 'text' as const },
    inputs: {},
  }));
  const fresh = {
    id: `job-${String(index)}`,
    scope: '',
    createdAt: submittedAt,
    expiresAt: submittedAt + keptMs,
    readyAt: submittedAt + Math.max(100, ahead * 400),
    ahead: { jobs: ahead, eachMs: 400 },
    work: workFor(nodes, 500, { fails, endless }),
    statuses: [],
    progressCount: 0,
    previewCount: 0,
    place: START,
    comingStates: [],
  };
  return {
    ...fresh,
    due: nextDeparture(fresh, submittedAt),
    state: {
      stage: 'waiting',
      status: states.initial,
      startedAt: null,
      completedAt: null,
      queuePosition: null,
      progress: null,
      preview: null,
      outputs: [],
      breakdown: null,
      printed: null,
    },
  };
}

interface Action {
  readonly at: number;
  readonly run: (lane: Lane) => void;
}

/** Runs the plans to their end, with a look at every time that is given. */
function run(
  planned: readonly Plan[],
  looks: readonly number[],
  look: (jobs: readonly Job[]) => void,
): readonly Job[] {
  const jobs = planned.map(jobOf);
  const lane = new Lane({ states, slots: SLOTS, cancelMs: 200 });
  const submitted = new Set<Job>();
  const actions: Action[] = planned.flatMap(({ submittedAt, cancelledAfter }, index) => {
    const job = jobs[index] as Job;
    const submit = (): void => {
      submitted.add(job);
      lane.submit(job, submittedAt);
    };
    const at = submittedAt + (cancelledAfter ?? 0);
    const cancel = (): void => {
      lane.cancel(job, at);
    };
    return [{ at: submittedAt, run: submit }, ...(cancelledAfter === undefined ? [] : [{ at, run: cancel }])];
  });
  const looking = looks.map((at) => ({
    at,
    run: () => {
      lane.catchUp(at);
      look([...submitted]);
    },
  }));
  for (const action of [...actions, ...looking].sort((a, b) => a.at - b.at)) action.run(lane);
  lane.catchUp(100_000);
  look(jobs);
  return jobs;
}

const looks = fc.array(fc.nat(12_000), { maxLength: 40 });
const fate = (jobs: readonly Job[]): unknown =>
  jobs.map(({ id, statuses, state, progressCount }) => ({
    id,
    statuses: statuses.map(({ at, state: { status, outputs } }) => [at, status, outputs.length]),
    progress: state.progress?.value,
    progressCount,
  }));

test('the frequency of reads does not change the course of events', () => {
  fc.assert(
    fc.property(plans, looks, (planned, looks) => {
      expect(fate(run(planned, looks, () => undefined))).toStrictEqual(
        fate(run(planned, [], () => undefined)),
      );
    }),
    { numRuns: 300 },
  );
});

test('jobs.state.legal-path: what is seen of a job, however seldom, is a path of the lifecycle', () => {
  const ends = new Set<string>();
  fc.assert(
    fc.property(plans, looks, (planned, looks) => {
      const seen = new Map<Job, string[]>();
      const jobs = run(planned, looks, (jobs) => {
        for (const job of jobs) seen.set(job, [...(seen.get(job) ?? []), job.state.status]);
      });
      for (const [job, statuses] of seen) {
        for (const [index, to] of statuses.entries()) {
          const from = statuses[index - 1] ?? states.initial;
          const isLegal = isReachable(policy, from, to) || isOpen(from, to);
          expect(isLegal, `${from} to ${to}`).toBe(true);
        }
        expect(policy.terminal).toContain(job.state.status);
        ends.add(job.state.status);
      }
      expect(jobs.length).toBe(seen.size);
    }),
    { numRuns: 300 },
  );
  expect([...ends].sort()).toStrictEqual([...policy.terminal].sort());
});

/** Ways that the contract leaves open: out of the queue by cancelling and by retention, and out of canceling. */
function isOpen(from: string, to: string): boolean {
  if (from === states.initial) return [...states.cancelWaiting, states.retention].includes(to);
  return from === states.cancelRunning[0] && to === states.retention;
}

test('jobs.state.canceled-via-canceling: a job is never canceled without canceling before', () => {
  fc.assert(
    fc.property(plans, (planned) => {
      for (const { statuses } of run(planned, [], () => undefined)) {
        const [canceling, canceled] = states.cancelRunning;
        const passed = statuses.map(({ state }) => state.status);
        if (passed.includes(canceled ?? '')) expect(passed.at(-2)).toBe(canceling);
      }
    }),
  );
});

test('the queue is numbered from its front without a gap, and no more run than there are slots', () => {
  fc.assert(
    fc.property(plans, looks, (planned, looks) => {
      const alone = planned.map((plan) => ({ ...plan, ahead: 0 }));
      run(alone, looks, (jobs) => {
        const waiting = jobs.flatMap(({ state }) => (state.stage === 'waiting' ? [state.queuePosition] : []));
        expect(waiting.sort()).toStrictEqual(waiting.map((_, index) => index + 1));
        const started = jobs.filter(
          ({ state: { stage, startedAt } }) => startedAt !== null && stage !== 'over',
        );
        expect(started.length).toBeLessThanOrEqual(SLOTS);
        for (const { state } of jobs) if (state.stage !== 'waiting') expect(state.queuePosition).toBeNull();
      });
    }),
    { numRuns: 300 },
  );
});

test('jobs.job.time-order, jobs.job.outputs-grow, jobs.state.terminal-final: times follow, outputs grow, an end is an end', () => {
  fc.assert(
    fc.property(plans, looks, (planned, looks) => {
      const before = new Map<Job, Job['state']>();
      run(planned, looks, (jobs) => {
        for (const job of jobs) {
          const { state } = job;
          const earlier = before.get(job);
          if (earlier?.stage === 'over') expect(state).toBe(earlier);
          expect(state.outputs.length).toBeGreaterThanOrEqual(earlier?.outputs.length ?? 0);
          expect(state.progress?.value ?? 0).toBeGreaterThanOrEqual(earlier?.progress?.value ?? 0);
          if (state.startedAt !== null) expect(state.startedAt).toBeGreaterThanOrEqual(job.createdAt);
          expect(state.completedAt !== null, 'A-88').toBe(state.stage === 'over');
          expect(state.completedAt ?? Infinity).toBeGreaterThanOrEqual(state.startedAt ?? job.createdAt);
          expect(state.breakdown !== null, 'jobs.job.error-on-failed').toBe(state.status === states.failure);
          before.set(job, state);
        }
      });
    }),
    { numRuns: 300 },
  );
});

test('jobs before others of one caller leave a slot to them, first come first served', () => {
  const plan = {
    fails: false,
    endless: false,
    ahead: 0,
    keptMs: 60_000,
    cancelledAfter: undefined,
    submittedAt: 0,
  };
  const jobs = run(
    [1_000, 2_000, 300, 300].map((ms) => ({ ...plan, workMs: [ms] })),
    [],
    () => undefined,
  );
  expect(jobs.map(({ state }) => [state.startedAt, state.completedAt])).toStrictEqual([
    [100, 1_100],
    [100, 2_100],
    [1_100, 1_400],
    [1_400, 1_700],
  ]);
});
