import { check } from '../../scenarios/check.ts';
import { isObject, isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import type { Check, SendOptions, Session } from '../../scenarios/scenario.ts';
import { unlessBusy } from './explore-state.ts';
import type { KnownJobs, MadeJob } from './explore-state.ts';
import { endGrace, eventNames, randomId, sketchRefusal, statusOf, statusesIn } from './probes/job.ts';
import { sketch } from '../../exchanges/sketch.ts';
import { TERMINAL, isWholeJob } from './wire/job.ts';

/** The callers that access a job. */
export type Visitor = 'jobOwner' | 'jobStranger' | 'none' | 'unusable';

type Name = `${'read' | 'cancel' | 'events'} ${Visitor}`;
type Sends = Readonly<Partial<Record<Name, number>>>;
type JobOperation = ModelOperation<KnownJobs, Name>;

export const accessRules = [
  'jobs.submit.durable',
  'jobs.read.until-expiry',
  'jobs.read.unknown',
  'jobs.read.ok',
  'jobs.state.success',
  'jobs.state.failure',
  'jobs.job.error-on-failed',
  'jobs.cancel.canceling',
  'jobs.sse.terminal-before-end',
  'jobs.cancel.unknown',
  'jobs.sse.unknown-job',
  'jobs.sse.snapshot-status',
  'jobs.sse.connect-terminal',
  'jobs.sse.ends-after-terminal',
  'jobs.auth.scoped',
  'jobs.auth.required',
  'jobs.auth.self-hosted-static',
];

const WHICH = ['last', 'first', 'unknown'] as const;

/** Document 3, GET /api/v2/jobs/{id}. */
export function reading(visitors: readonly Visitor[]): JobOperation {
  return operation({
    factors: { as: visitors, which: WHICH },
    sends: ({ as }): Sends => ({ [`read ${as}`]: 1 }),
    isPossible: ({ jobs }, { which }) => which === 'unknown' || jobs.length > 0,
    perform: async function* ({ state, session, choices: { as, which } }) {
      const job = jobOf(state, which);
      const answer = await session.send(`read ${as}`, optionsFor(session, as, job));
      unlessBusy([answer]);
      yield* judgeVisitor(answer, as);
      if (as !== 'jobOwner') return;
      if (job === undefined) return yield* judgeUnknown('jobs.read.unknown', answer);
      if (!isSuccess(answer)) return yield* judgeLost(answer, job, session.clock.now());
      yield check('jobs.read.ok', answer, isWholeJob(answer.json), 'the job itself');
      yield* judgeEnd(answer, job, statusOf(answer.json));
      const { refused } = job;
      if (refused !== undefined && !job.isCancelled) {
        // A refused cancellation has no effect.
        const stays = !['canceling', 'canceled'].includes(statusOf(answer.json));
        const got = `status ${statusOf(answer.json)}`;
        yield check(refused.rule, [refused.answer, answer], stays, 'a job that continues', got);
      }
      job.read = answer;
    },
  });
}

/** Document 3, POST …/cancel. The effect on a job that is queued or has ended is open. */
export function cancelling(visitors: readonly Visitor[]): JobOperation {
  return operation({
    factors: { as: visitors, which: WHICH },
    sends: ({ as }): Sends => ({ [`cancel ${as}`]: 1 }),
    isPossible: ({ jobs }, { which }) => which === 'unknown' || jobs.length > 0,
    perform: async function* ({ state, session, choices: { as, which } }) {
      const job = jobOf(state, which);
      if (as === 'jobOwner' && job !== undefined) job.isCancelled = true;
      const answer = await session.send(`cancel ${as}`, optionsFor(session, as, job));
      unlessBusy([answer]);
      yield* judgeVisitor(answer, as);
      if (as === 'jobOwner' && job === undefined) yield* judgeUnknown('jobs.cancel.unknown', answer);
      const told = statusOf(answer.json);
      if (as === 'jobOwner' && isSuccess(answer) && statusOf(job?.read?.json) === 'running') {
        const stops = told !== 'running' && told !== 'queued';
        yield check('jobs.cancel.canceling', answer, stops, 'canceling, or the end', `status ${told}`);
      }
      const rule = TURNED_AWAY[as];
      if (rule !== undefined && job !== undefined && !isSuccess(answer)) job.refused = { rule, answer };
    },
  });
}

/** Document 3, GET …/events. */
export function watching(visitors: readonly Visitor[]): JobOperation {
  return operation({
    factors: { as: visitors, which: WHICH, until: ['the first status', 'the end'], resume: ['no', 'yes'] },
    sends: ({ as }): Sends => ({ [`events ${as}`]: 1 }),
    isPossible: ({ jobs }, { which }) => which === 'unknown' || jobs.length > 0,
    perform: async function* ({ state, session, choices: { as, which, until, resume } }) {
      const job = jobOf(state, which);
      const names = eventNames(session.fixtures);
      const known = statusOf(job?.read?.json);
      const isOver = TERMINAL.includes(known);
      const { exchange, events, ended } = await session.watch(`events ${as}`, {
        ...optionsFor(session, as, job),
        ...(resume === 'yes' ? { headers: [['Last-Event-ID', '7']] } : {}),
        timeoutMs: 12_000,
        ...(isOver || until === 'the end'
          ? { grace: endGrace(names) }
          : { until: (seen) => statusesIn(seen, names).length > 0 }),
      });
      unlessBusy([exchange]);
      yield* judgeVisitor(exchange, as);
      if (as !== 'jobOwner') return;
      if (job === undefined) return yield* judgeUnknown('jobs.sse.unknown-job', exchange);
      if (!isSuccess(exchange)) return;
      const statuses = statusesIn(events, names);
      const got = `${statuses.join(', ') || 'no status'}, then ${ended}`;
      // Items 1 and 2: the current state on connect, and the end of the stream if the job has ended.
      yield check('jobs.sse.snapshot-status', exchange, statuses.length > 0, 'a status event', got);
      const last = statuses.at(-1) ?? '';
      if (ended === 'end')
        yield check(
          'jobs.sse.terminal-before-end',
          exchange,
          TERMINAL.includes(last),
          'the end of the job',
          got,
        );
      if (until === 'the end' && TERMINAL.includes(last)) {
        yield check('jobs.sse.ends-after-terminal', exchange, ended === 'end', 'the end of the stream', got);
        yield* judgeEnd(exchange, job, last);
      }
      if (!isOver || statuses.length === 0) return;
      const expected = `the status ${known}`;
      yield check('jobs.sse.connect-terminal', exchange, statuses.at(-1) === known, expected, got);
      yield check('jobs.sse.ends-after-terminal', exchange, ended === 'end', 'the end of the stream', got);
    },
  });
}

/** Waiting, during which jobs progress. */
export const waiting: JobOperation = operation({
  factors: { ms: ['50', '300', '1000'] },
  sends: (): Sends => ({}),
  isPossible: ({ jobs }) => jobs.length > 0,
  perform: async function* ({ session, choices: { ms } }) {
    await session.clock.sleep(Number(ms));
    yield* [];
  },
});

// --- internal ---

/**
 * Document 3, States and transitions, rows 3 and 4: jobs of the fixtures end as declared, unless they are
 * cancelled.
 */
function* judgeEnd(answer: Exchange, job: MadeJob, status: string): Generator<Check> {
  if (status === 'failed' && isWholeJob(answer.json)) {
    const told = isObject(answer.json['error']);
    yield check(
      'jobs.job.error-on-failed',
      answer,
      told,
      'an object error',
      `error ${sketch(answer.json['error'])}`,
    );
  }
  if (job.isCancelled || job.refused !== undefined || status === 'expired' || !TERMINAL.includes(status))
    return;
  if (job.fixture === 'fail')
    yield check('jobs.state.failure', answer, status === 'failed', 'status failed', `status ${status}`);
  else if (job.fixture !== undefined)
    yield check('jobs.state.success', answer, status === 'succeeded', 'status succeeded', `status ${status}`);
}

/** The rules for refusing callers without access. */
const TURNED_AWAY: Readonly<Partial<Record<Visitor, string>>> = {
  jobStranger: 'jobs.auth.scoped',
  none: 'jobs.auth.required',
  unusable: 'jobs.auth.self-hosted-static',
};

function jobOf({ jobs }: KnownJobs, which: (typeof WHICH)[number]): MadeJob | undefined {
  if (which === 'unknown') return undefined;
  return which === 'first' ? jobs[0] : jobs.at(-1);
}

function optionsFor(session: Pick<Session, 'random'>, as: Visitor, job: MadeJob | undefined): SendOptions {
  return {
    fill: { id: job?.id ?? randomId(session.random) },
    ...(as === 'unusable' ? { credential: ['Authorization', 'Bearer tallystick-wrong-token'] } : {}),
  };
}

function* judgeVisitor(answer: Exchange, as: Visitor): Generator<Check> {
  const rule = TURNED_AWAY[as];
  if (rule !== undefined) yield check(rule, answer, !isSuccess(answer), 'no success', sketchRefusal(answer));
}

function* judgeUnknown(rule: string, answer: Exchange): Generator<Check> {
  yield check(rule, answer, !isSuccess(answer), 'no success', sketchRefusal(answer));
}

/** Document 3, Job, first sentence: durable from creation until `expires_at`. */
function* judgeLost(answer: Exchange, { made, read }: MadeJob, now: number): Generator<Check> {
  const expires = Date.parse(String(member((read ?? made).json, 'expires_at')));
  if (!Number.isNaN(expires) && now > expires - SKEW_MS) return;
  const rule = read === undefined ? 'jobs.submit.durable' : 'jobs.read.until-expiry';
  yield check(rule, [made, answer], false, 'a job that can be read until it expires', sketchRefusal(answer));
}

/** Clocks differ. */
const SKEW_MS = 120_000;
