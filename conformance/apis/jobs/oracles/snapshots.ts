import { check } from '../../../scenarios/check.ts';
import { headerOf, isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { isBack, jobsIn } from '../wire/course.ts';
import { STATUSES, TERMINAL, isWholeJob } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';
import type { JobPlace } from '../wire/place.ts';

const RULES = {
  read: 'jobs.read.ok',
  cancel: 'jobs.cancel.200',
  authoritative: 'jobs.read.authoritative',
  snapshot: 'jobs.sse.snapshot-status',
  over: 'jobs.sse.connect-terminal',
  outputs: 'jobs.job.outputs-grow',
  own: 'jobs.job.id-uuid',
} as const;

interface Seen {
  readonly id: string;
  readonly endedAt: number;
  readonly status: string;
  readonly outputs: number;
}

/** The facts about a job that a submission created. */
interface Known {
  /** The submission that created it. */
  readonly made: { readonly id: string; readonly key: string | undefined };
  /** Answers to reads and cancellations that showed a change: another status, or more outputs. */
  readonly reads: Seen[];
  /** The stream that first showed its end. */
  readonly told: Seen | undefined;
}

/**
 * Document 3, What the service does, bullet 3, and GET …/events, item 1: a new stream shows the state that
 * earlier reads have shown; and reads show the end that a stream has shown. One may lag behind the other for
 * a moment.
 */
function follow(): Look {
  const known = new Map<string, Known>();
  return function* look(exchange) {
    const place = placeOf(exchange);
    if (place === undefined || !isSuccess(exchange) || exchange.answer?.truncated !== undefined) return;
    const jobs = [...jobsIn(exchange, place)].map((job) => seenIn(exchange, job));
    const [first] = jobs;
    if (place.is === 'submit') {
      const id = member(exchange.json, 'id');
      if (first === undefined || typeof id !== 'string') return;
      const made = { id: exchange.id, key: headerOf(exchange.request.headers, 'Idempotency-Key') };
      const other = known.get(id.toLowerCase())?.made;
      // Another rule covers a key whose submission is answered with the first job again.
      if (other !== undefined && (other.key === undefined || other.key !== made.key)) {
        const twice = check(RULES.own, exchange, false, 'another id for each job', `id ${sketch(id)} again`);
        yield { ...twice, exchanges: [...twice.exchanges, other.id] };
      }
      if (other === undefined && known.size < MOST_JOBS)
        known.set(id.toLowerCase(), { made, reads: [], told: undefined });
      return;
    }
    const id = (place.id ?? '').toLowerCase();
    const before = known.get(id);
    if (before === undefined) return;
    if (place.is === 'stream') {
      yield* lookAtStream(exchange, jobs, before);
      const end = jobs.find(({ status }) => TERMINAL.includes(status));
      if (end !== undefined && before.told === undefined) known.set(id, { ...before, told: end });
      return;
    }
    yield* lookAtAnswer(exchange, place, before);
    const isNews = !before.reads.some(
      ({ status, outputs }) => status === first?.status && outputs >= first.outputs,
    );
    if (first !== undefined && isNews && before.reads.length < MOST_READS) before.reads.push(first);
  };
}

/** An answer about an existing job is this job. */
function* lookAtAnswer(exchange: Exchange, { is }: JobPlace, { told }: Known): Generator<Check> {
  const rule = is === 'cancel' ? RULES.cancel : RULES.read;
  if (!isWholeJob(exchange.json)) yield check(rule, exchange, false, 'the job');
  const status = member(exchange.json, 'status');
  if (is !== 'read' || told === undefined || typeof status !== 'string' || !STATUSES.includes(status)) return;
  if (!TERMINAL.includes(status) && exchange.startedAt > told.endedAt + PATIENCE_MS)
    yield check(
      RULES.authoritative,
      exchange,
      false,
      `${told.status}, which a stream told more than ${PATIENCE_MS / 1000} s before`,
      status,
    );
}

function* lookAtStream(exchange: Exchange, jobs: readonly Seen[], { reads }: Known): Generator<Check> {
  const earlier = reads.filter(({ endedAt }) => endedAt + SLACK_MS < exchange.startedAt);
  const over = earlier.find(({ status }) => TERMINAL.includes(status));
  // A separate rule covers the effect of an old id.
  if (exchange.request.headers.some(([name]) => name.toLowerCase() === 'last-event-id')) return;
  const alive = jobs.find(({ status }) => STATUSES.includes(status) && !TERMINAL.includes(status));
  if (over !== undefined && alive !== undefined) {
    const expected = `${over.status} alone, which ${over.id} told before`;
    yield check(RULES.over, exchange, false, expected, `${alive.status} first`);
    return;
  }
  const [first] = jobs;
  if (first === undefined || over !== undefined) return;
  const later = earlier.find(({ status }) => isBack(status, first.status));
  if (later !== undefined)
    yield check(
      RULES.snapshot,
      exchange,
      false,
      `the current status on connect: ${later.id} told ${later.status}`,
      first.status,
    );
  const fuller = earlier.findLast(({ status, outputs }) => status === 'running' && outputs > first.outputs);
  if (fuller !== undefined && first.status === 'running')
    yield check(
      RULES.outputs,
      exchange,
      false,
      `${fuller.outputs} outputs or more, which ${fuller.id} told before`,
      `${first.outputs} outputs`,
    );
}

export const snapshots: Oracle = { api: 'jobs', judges: Object.values(RULES), follow };

// --- internal ---

const MOST_JOBS = 20_000;
const MOST_READS = 200;
/** How much earlier a read may show a change than a stream, in milliseconds. */
const SLACK_MS = 500;
/** The tolerated lag, in milliseconds. */
const PATIENCE_MS = 2000;

function seenIn({ id, endedAt }: Exchange, job: Readonly<Record<string, unknown>>): Seen {
  const { status, outputs } = job;
  return {
    ...{ id, endedAt, status: String(status) },
    outputs: Array.isArray(outputs) ? outputs.length : 0,
  };
}
