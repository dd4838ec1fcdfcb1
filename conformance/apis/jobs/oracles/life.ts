import { check } from '../../../check.ts';
import { isSuccess } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import type { Check } from '../../../scenario.ts';
import { sketch } from '../../../sketch.ts';
import { STATUSES, TERMINAL, isWholeJob } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';

const RULES = {
  path: 'jobs.state.legal-path',
  final: 'jobs.state.terminal-final',
  outputs: 'jobs.job.outputs-grow',
  times: 'jobs.job.times-stay',
} as const;

type JsonRecord = Readonly<Record<string, unknown>>;

interface Seen {
  readonly id: string;
  readonly endedAt: number;
  readonly job: JsonRecord;
}

/**
 * Document 3, States and transitions, and Job: no answer about a job takes back what an earlier one said. The answers to
 * cancellations and reads are one course, since the read is authoritative.
 */
function follow(): Look {
  const known = new Map<string, Seen>();
  return function* look(exchange) {
    const place = placeOf(exchange);
    if (place?.id === undefined || place.is === 'stream' || !isSuccess(exchange)) return;
    if (exchange.answer?.truncated !== undefined || !isWholeJob(exchange.json)) return;
    const { json: job } = exchange;
    const id = place.id.toLowerCase();
    const before = known.get(id);
    if (before !== undefined && before.endedAt <= exchange.startedAt) yield* compare(exchange, before, job);
    const isLater = before === undefined || before.endedAt <= exchange.endedAt;
    if (isLater && (before !== undefined || known.size < MOST_JOBS))
      known.set(id, { id: exchange.id, endedAt: exchange.endedAt, job: factsOf(job) });
  };
}

function* compare(exchange: Exchange, before: Seen, job: JsonRecord): Generator<Check> {
  const say = (rule: string, holds: boolean, expected: string, got: string): Check => {
    const made = check(rule, exchange, holds, expected, got);
    return { ...made, exchanges: [...made.exchanges, before.id] };
  };
  const [from, to] = [String(before.job['status']), String(job['status'])];
  // What is no status breaks a rule of its own.
  if (TERMINAL.includes(from) && STATUSES.includes(to))
    yield say(RULES.final, from === to, `${from} for good`, to);
  else if (!TERMINAL.includes(from)) {
    const [rank, next] = [ORDER.indexOf(from), ORDER.indexOf(to)];
    const isBack = rank >= 0 && next >= 0 && next < rank;
    yield say(RULES.path, !isBack, `no way back from ${from}`, `${from}, then ${to}`);
  }
  const [some, more] = [before.job['outputs'], job['outputs']].map(lengthOf);
  // While it runs; what becomes of them at its end is open.
  if (to === 'running' && some !== undefined && more !== undefined)
    yield say(RULES.outputs, more >= some, `${some} outputs or more`, `${more} outputs`);
  for (const name of ['created_at', 'started_at', 'completed_at']) {
    const [was, is] = [before.job[name], job[name]];
    if (typeof was === 'string' && typeof is === 'string')
      yield say(RULES.times, isSameTime(was, is), `${name} ${was}`, `${name} ${sketch(is)}`);
  }
}

export const life: Oracle = { api: 'jobs', judges: Object.values(RULES), follow };

// --- internal ---

/** Terminal statuses have no place in it: what leads to some of them is open. */
const ORDER = ['queued', 'running', 'canceling'];
const MOST_JOBS = 20_000;

/** What is compared later, without the rest of what may be long. */
function factsOf(job: JsonRecord): JsonRecord {
  const { status, created_at, started_at, completed_at, outputs } = job;
  return { status, created_at, started_at, completed_at, outputs: lengthOf(outputs) };
}

function lengthOf(outputs: unknown): number | undefined {
  return Array.isArray(outputs) ? outputs.length : typeof outputs === 'number' ? outputs : undefined;
}

/** One time may be written in several ways. */
function isSameTime(was: string, is: string): boolean {
  return is === was || Date.parse(is) === Date.parse(was);
}
