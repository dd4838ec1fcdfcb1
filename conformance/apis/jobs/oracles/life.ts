import { check } from '../../../scenarios/check.ts';
import { isObject, isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { isBack, isNoWay, jobsIn } from '../wire/course.ts';
import { STATUSES, TERMINAL } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';
import type { JobPlace } from '../wire/place.ts';

const RULES = {
  path: 'jobs.state.legal-path',
  final: 'jobs.state.terminal-final',
  outputs: 'jobs.job.outputs-grow',
  times: 'jobs.job.times-stay',
  order: 'jobs.job.time-order',
  frozen: 'jobs.job.frozen-after-end',
  logs: 'jobs.logs.lifetime',
  durable: 'jobs.submit.durable',
} as const;

type JsonRecord = Readonly<Record<string, unknown>>;

/** A job as one answer showed it. */
interface Seen {
  readonly id: string;
  readonly endedAt: number;
  readonly job: JsonRecord;
}

/** What is known about one job. */
interface Known {
  /** When its submission was sent, in milliseconds of the suite's clock. */
  readonly submittedAt: number | undefined;
  /** The latest answer to a read or to the submission: its caller, and how long the job is kept. */
  readonly kept:
    | { readonly id: string; readonly as: string; readonly until: number; readonly endedAt: number }
    | undefined;
  /** The first values of its times in any answer. */
  readonly times: ReadonlyMap<
    string,
    { readonly id: string; readonly time: string; readonly endedAt: number }
  >;
  /** The latest read, or answer to a cancellation. */
  readonly last: Seen | undefined;
  /** The data of a stream's terminal status. */
  readonly told: Seen | undefined;
}

/**
 * Document 3, States and transitions, and Job: no answer about a job contradicts an earlier one. The answers
 * to cancellations and reads form one sequence, because the read is authoritative; each stream is a separate
 * sequence.
 */
function follow(): Look {
  const known = new Map<string, Known>();
  return function* look(exchange) {
    const place = placeOf(exchange);
    if (place?.is === 'read' && exchange.status === 404)
      yield* lookAtGone(exchange, known.get((place.id ?? '').toLowerCase()));
    if (place === undefined || !isSuccess(exchange) || exchange.answer?.truncated !== undefined) return;
    for (const job of jobsIn(exchange, place)) {
      const id = (place.id ?? String(job['id'])).toLowerCase();
      const before = known.get(id);
      yield* lookAtTimes(exchange, job, before);
      const isCourse = place.is === 'read' || place.is === 'cancel';
      const last = before?.last;
      if (isCourse && last !== undefined && last.endedAt <= exchange.startedAt)
        yield* compare(exchange, last, job, place);
      const other = isCourse ? before?.told : last;
      if (other !== undefined) yield* lookAtEnd(exchange, other, job);
      const isLater = isCourse && (last === undefined || last.endedAt <= exchange.endedAt);
      if (before === undefined && known.size >= MOST_JOBS) continue;
      known.set(id, {
        submittedAt: before?.submittedAt ?? (place.is === 'submit' ? exchange.startedAt : undefined),
        kept: place.is === 'submit' || place.is === 'read' ? keptBy(exchange, job) : before?.kept,
        times: withTimes(before?.times, exchange, job),
        last: isLater
          ? {
              id: exchange.id,
              endedAt: exchange.endedAt,
              job: { ...factsOf(job), ...(place.is === 'read' ? {} : { logs: last?.job['logs'] }) },
            }
          : last,
        told:
          place.is === 'stream' && TERMINAL.includes(String(job['status']))
            ? { id: exchange.id, endedAt: exchange.endedAt, job: factsOf(job) }
            : before?.told,
      });
    }
    if (place.is === 'stream') yield* lookAtPath(exchange, place);
  };
}

function* compare(exchange: Exchange, before: Seen, job: JsonRecord, place: JobPlace): Generator<Check> {
  const say = (rule: string, holds: boolean, expected: string, got: string): Check =>
    withId(check(rule, exchange, holds, expected, got), before.id);
  const [from, to] = [String(before.job['status']), String(job['status'])];
  // An unknown status violates another rule.
  if (TERMINAL.includes(from) && STATUSES.includes(to))
    yield say(RULES.final, from === to, `${from} for good`, to);
  else if (!TERMINAL.includes(from))
    yield say(RULES.path, !isNoWay(from, to), `a way that leads on from ${from}`, `${from}, then ${to}`);
  const now = factsOf(job);
  const [some, more] = [before.job['outputs'], now['outputs']];
  // While it runs; their final values are open.
  if (to === 'running' && typeof some === 'number' && typeof more === 'number')
    yield say(RULES.outputs, more >= some, `${some} outputs or more`, `${more} outputs`);
  const forgotten = TIMES.find((name) => typeof before.job[name] === 'string' && job[name] === null);
  if (forgotten !== undefined && !isBack(from, to))
    yield say(RULES.times, false, `${forgotten} ${String(before.job[forgotten])}`, `${forgotten} null`);
  yield* lookAtEnd(exchange, before, job);
  if (from === to && TERMINAL.includes(from)) {
    // Only the read shows them.
    if (place.is === 'read' && before.job['logs'] === true && now['logs'] !== true)
      yield say(RULES.logs, false, 'logs as long as the job', 'no logs any more');
  }
}

/** After its end a job no longer changes, neither in reads nor in streams. */
function* lookAtEnd(exchange: Exchange, before: Seen, job: JsonRecord): Generator<Check> {
  const status = String(job['status']);
  if (before.job['status'] !== status || !TERMINAL.includes(status)) return;
  const now = factsOf(job);
  const changed = FROZEN.find((name) => before.job[name] !== now[name]);
  const told = changed === undefined ? '' : `${changed}: ${sketch(before.job[changed])}`;
  const expected = `the same after its end: ${told}`;
  yield withId(
    check(RULES.frozen, exchange, changed === undefined, expected, sketch(now[changed ?? ''])),
    before.id,
  );
}

/**
 * Document 3, Job, first sentence: durable from its creation until then. For a caller that has read it
 * before.
 */
function* lookAtGone(exchange: Exchange, before: Known | undefined): Generator<Check> {
  const { kept } = before ?? {};
  if (kept === undefined || kept.as !== exchange.request.as || kept.endedAt > exchange.startedAt) return;
  if (exchange.endedAt + SLACK_MS < kept.until)
    yield withId(
      check(RULES.durable, exchange, false, 'the job, until its expires_at', 'status 404'),
      kept.id,
    );
}

function keptBy({ id, request, endedAt }: Exchange, job: JsonRecord): Known['kept'] {
  const until = Date.parse(String(job['expires_at']));
  return Number.isNaN(until) ? undefined : { id, as: request.as, until, endedAt };
}

/** A time is the same in all answers, and no later than the answer that contains it. */
function* lookAtTimes(exchange: Exchange, job: JsonRecord, before: Known | undefined): Generator<Check> {
  const created = Date.parse(String(job['created_at']));
  for (const name of TIMES) {
    const is = job[name];
    const was = before?.times.get(name);
    const isLater = was !== undefined && (was.endedAt <= exchange.startedAt || was.id === exchange.id);
    if (is === null && isLater && TERMINAL.includes(String(job['status'])))
      yield withId(check(RULES.times, exchange, false, `${name} ${was.time}`, `${name} null`), was.id);
    if (typeof is !== 'string') continue;
    if (was !== undefined)
      yield withId(
        check(
          RULES.times,
          exchange,
          isSameTime(was.time, is),
          `${name} ${was.time}`,
          `${name} ${sketch(is)}`,
        ),
        was.id,
      );
    const took = Date.parse(is) - created;
    const most =
      before?.submittedAt === undefined ? Infinity : exchange.endedAt - before.submittedAt + SLACK_MS;
    if (took > most)
      yield check(
        RULES.order,
        exchange,
        false,
        `${name} at most ${Math.ceil(most / 1000)} s after created_at`,
        `${Math.round(took / 1000)} s after it: the job was submitted later than that`,
      );
  }
}

/** The statuses of one stream, in order. */
function* lookAtPath(exchange: Exchange, place: JobPlace): Generator<Check> {
  const path = [...jobsIn(exchange, place)].map(({ status }) => String(status));
  const step = path.findIndex((to, index) => index > 0 && isNoWay(path[index - 1] ?? '', to));
  if (step > 0)
    yield check(
      RULES.path,
      exchange,
      false,
      'a way that leads on',
      path.slice(step - 1, step + 1).join(', '),
    );
}

export const life: Oracle = { api: 'jobs', judges: Object.values(RULES), follow };

// --- internal ---

const TIMES = ['created_at', 'started_at', 'completed_at'] as const;
/** Facts of a job that has ended. */
const FROZEN = ['outputs', 'error', ...TIMES] as const;
const MOST_JOBS = 20_000;
/** Two clocks run at approximately the same speed. */
const SLACK_MS = 60_000;

/** The parts that are compared later, without other parts that may be long. Times are compared by value. */
function factsOf(job: JsonRecord): JsonRecord {
  const { status, created_at, started_at, completed_at, outputs, error, logs } = job;
  return {
    status,
    ...{
      created_at: instant(created_at),
      started_at: instant(started_at),
      completed_at: instant(completed_at),
    },
    outputs: Array.isArray(outputs) ? outputs.length : undefined,
    error: isObject(error) ? 'an object' : error,
    logs: isObject(logs),
  };
}

/** A time can be written in several ways. */
function instant(time: unknown): unknown {
  const value = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(value) ? time : new Date(value).toISOString();
}

function withTimes(
  known: Known['times'] | undefined,
  { id, endedAt }: Exchange,
  job: JsonRecord,
): Known['times'] {
  const told = TIMES.flatMap((name) => {
    const time = job[name];
    return typeof time === 'string' && known?.has(name) !== true
      ? [[name, { id, time, endedAt }] as const]
      : [];
  });
  return told.length === 0 && known !== undefined ? known : new Map([...(known ?? []), ...told]);
}

function withId(made: Check, id: string): Check {
  return { ...made, exchanges: [...made.exchanges, id] };
}

function isSameTime(was: string, is: string): boolean {
  return is === was || Date.parse(is) === Date.parse(was);
}
