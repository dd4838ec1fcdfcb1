import { check, observed, undecided } from '../../../scenarios/check.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Check, Observation, Session, Watched } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { behindTheEnd } from '../wire/course.ts';
import { REQUIRED, TERMINAL, jobIn } from '../wire/job.ts';
import { within, type Followed } from './connections.ts';
import { statusOf, statusesIn } from './job.ts';
import type { EventNames } from './job.ts';

/**
 * Document 3, GET …/events. The names of the events are not documented: without a known one, nothing is
 * judged.
 */
export function* judgeStream(
  watched: Watched,
  names: EventNames,
  id: string,
): Generator<Check | Observation> {
  const { exchange, events: seen, ended } = watched;
  const kinds = [...new Set(seen.map(({ name }) => name))];
  yield observed('jobs.sse.known-kinds', exchange, kinds.join(', ') || 'no events');
  if (seen.length === 0) return;
  if (!seen.some(({ name }) => name === names.status)) {
    for (const rule of [
      'jobs.sse.ends-after-terminal',
      'jobs.sse.nothing-after-terminal',
      'jobs.sse.terminal-before-end',
      'jobs.sse.status-carries-job',
    ]) {
      yield undecided(rule, exchange, `no event is named ${names.status}; set the names in sse.eventNames`);
    }
    return;
  }
  const statuses = seen.filter(({ name }) => name === names.status);
  // Item 5: the job object, in the event.
  const whole = statuses.every((event) => {
    const job = jobIn(event, id);
    return job !== undefined && REQUIRED.filter((name) => name in job).length >= REQUIRED.length - 1;
  });
  yield check(
    'jobs.sse.status-carries-job',
    exchange,
    whole,
    'the job in every status event',
    sketch(statuses[0]?.data),
  );
  // Item 2: the terminal status event, then the end, and nothing between them.
  const told = statusesIn(seen, names);
  const over = told.some((status) => TERMINAL.includes(status));
  if (over) {
    yield check(
      'jobs.sse.ends-after-terminal',
      exchange,
      ended === 'end',
      'the end of the stream',
      `the stream: ${ended}`,
    );
    const end = statuses.find((event) => TERMINAL.includes(statusesIn([event], names)[0] ?? ''));
    const trailing = end === undefined ? 0 : behindTheEnd(seen, end).length;
    yield check(
      'jobs.sse.nothing-after-terminal',
      exchange,
      trailing === 0,
      'no event after it',
      `${trailing} more`,
    );
  }
  if (ended === 'end') {
    yield check(
      'jobs.sse.terminal-before-end',
      exchange,
      over,
      'a terminal status before the end',
      told.join(', '),
    );
  } else if (ended === 'cut') yield undecided('jobs.sse.terminal-before-end', exchange, 'the stream was cut');
}

/** Document 3, What the service does, bullet 3: the read is authoritative, at the latest after a moment. */
export function* judgeAuthority(
  { exchange, events: seen }: Watched,
  names: EventNames,
  last: Exchange,
): Generator<Check> {
  const told = statusesIn(seen, names).find((status) => TERMINAL.includes(status));
  if (told === undefined) return;
  const lateMs = last.startedAt - exchange.endedAt;
  const status = statusOf(last.json);
  yield check(
    'jobs.read.authoritative',
    [exchange, last],
    status === told && lateMs <= PATIENCE_MS,
    `${told} on the read after the stream`,
    status === told ? `${told} only after ${lateMs} ms` : status,
  );
}

/**
 * Document 3, States and transitions: only reachability, because reads may miss states and some transitions
 * are open.
 */
export function judgePath(
  reads: readonly Exchange[],
  { exchange, events: seen }: Watched,
  names: EventNames,
): Check {
  const path = [
    ...reads.slice(0, 1).map(({ json }) => statusOf(json)),
    ...statusesIn(seen, names),
    ...reads.slice(1).map(({ json }) => statusOf(json)),
  ];
  return judgeSteps(path, [exchange, ...reads.slice(-1)]);
}

/**
 * Document 3, States and transitions, table. States in between may have been missed. Every transition from
 * queued is open, and so are the causes of failure and expiry; a separate rule covers terminal states.
 */
export function judgeSteps(path: readonly string[], seen: readonly Exchange[]): Check {
  const steps = path.filter((status, index) => status !== path[index - 1]);
  const isNoWay = (status: string, index: number): boolean =>
    NO_WAY[steps[index - 1] ?? '']?.includes(status) === true;
  return check(
    'jobs.state.legal-path',
    seen,
    !steps.some(isNoWay),
    'from running no way back to queued, from canceling none to queued, running or succeeded',
    steps.join(', '),
  );
}

/**
 * Document 3, GET …/events, item 1: future updates, and States and transitions, rows 2 and 3. If a stream was
 * opened while the job was queued, and pushed progress twice, it has also reported that the job runs.
 */
export function* judgeStart({ exchange, events: seen }: Watched, names: EventNames): Generator<Check> {
  const path = statusesIn(seen, names);
  const progress = new Set(seen.filter(({ name }) => name === names.progress).map(({ data }) => data));
  if (path[0] !== 'queued' || path.length < 2 || progress.size < 2) return;
  yield check(
    'jobs.state.legal-path',
    exchange,
    path.includes('running'),
    'running, of a job that made progress',
    path.join(', '),
  );
}

/**
 * Document 3, GET …/events, item 2: the stream ends with the job. It may end OVERDUE_MS later than now; then the
 * suite hangs up.
 *
 * @param end the read that shows the end of the job; without it nothing is judged
 * @returns the stream, or `undefined` if it did not end in time
 */
export async function* ending(
  session: Pick<Session, 'clock'>,
  { whole, hangUp }: Pick<Followed, 'whole' | 'hangUp'>,
  end: Exchange | undefined,
): AsyncGenerator<Check, Watched | undefined> {
  const watched = await within(session, OVERDUE_MS, whole);
  if (watched !== undefined) return watched;
  hangUp();
  if (end !== undefined)
    yield check(
      'jobs.sse.ends-after-terminal',
      end,
      false,
      'the end of a stream that was open all along',
      `still open ${OVERDUE_MS / 1000} s after the read said ${statusOf(end.json)}`,
    );
  return undefined;
}

/** The statuses of a stream, and how it ended. */
export function sketchStream({ events: seen, ended }: Watched, names: EventNames): string {
  return `${statusesIn(seen, names).join(', ') || 'no status'}, then: ${ended}`;
}

// --- internal ---

/** How much later than the end that a read shows a stream may end, in milliseconds. */
const OVERDUE_MS = 10_000;

/** For each state, the states that it never leads to. */
const NO_WAY: Readonly<Record<string, readonly string[]>> = {
  running: ['queued'],
  canceling: ['queued', 'running', 'succeeded'],
};

/** The tolerated lag, in milliseconds. */
const PATIENCE_MS = 2000;
