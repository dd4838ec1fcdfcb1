import type { StreamEvent } from '../../../http/event-stream.ts';
import { canonical } from '../../../../contract/canonical-json.ts';
import { check } from '../../../scenarios/check.ts';
import { isSuccess, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, Watched } from '../../../scenarios/scenario.ts';
import { TERMINAL, jobIn } from '../wire/job.ts';
import { followed } from './connections.ts';
import {
  CANCEL,
  LIFE_MS,
  bodyOf,
  endGrace,
  eventNames,
  events,
  isOver,
  read,
  sketchRefusal,
  statusOf,
  submit,
  submitted,
} from './job.ts';
import type { EventNames } from './job.ts';

const RULE = 'jobs.sse.own-job';
const CANCELS = 'jobs.cancel.200';

export const streamsBeside = scenario({
  id: 'jobs.sse.beside',
  api: 'jobs',
  title: 'the streams of two jobs that run at the same time',
  permissions: ['jobs', 'slow'],
  needs: ['job.slow', 'job.ok'],
  budgetMs: LIFE_MS,
  sensitive: true,
  judges: [RULE, CANCELS, 'jobs.state.legal-path'],
  searches: [CANCELS, 'jobs.state.legal-path'],
  severalCases: [RULE],
  requests: {
    submit: { ...submit, times: 2 },
    events: { ...events, times: 3 },
    read: { ...read, times: 7 },
    cancel: { ...submit, target: CANCEL, times: 2 },
  },
  run: async function* (session) {
    const { send, fixtures } = session;
    const names = eventNames(fixtures);
    const key = session.freshKey();
    const { exchange, id } = await submitted(session, 'submit', 'slow', key);
    // One is ahead of the other, so that jobs of the same kind do not show the same progress at the same time.
    const longer = followed(session, id, names, [names.progress, names.progress]);
    if (!(await longer.moving)) return;
    const name = bodyOf(fixtures, 'preview') === undefined ? 'ok' : 'preview';
    const other = await submitted(session, 'submit', name, session.freshKey());
    const shorter = await session.watch('events', {
      fill: { id: other.id },
      timeoutMs: WATCHED_MS,
      until: (seen) => isOver(seen, names) || tellingIn(seen, names.progress).size >= ENOUGH,
      grace: endGrace(names),
    });
    const joined = await session.watch('events', {
      fill: { id },
      timeoutMs: JOINED_MS,
      until: (seen) => seen.some((event) => event.name === names.preview),
    });
    const reads = [await send('read', { fill: { id } }), await send('read', { fill: { id: other.id } })];
    longer.hangUp();
    const whole = await longer.whole;
    yield* judgeForeignSnapshot(whole, shorter, names);
    yield* judgeForeignPreview(whole, joined, shorter, names);
    if (haveOwnProgress(reads)) yield* judgeApart(whole, shorter, names);
    // Document 3, Idempotency-Key rules on submit: a cancellation is no submission, so a used key does not matter.
    const used = { fill: { id }, headers: [['Idempotency-Key', key]] as const };
    const cancelled = await send('cancel', used);
    await send('cancel', { fill: { id: other.id } });
    const after = await send('read', { fill: { id } });
    if (!isSuccess(cancelled) && statusOf(after.json) === 'running')
      yield check(
        CANCELS,
        [exchange, cancelled, after],
        false,
        'status 200 with the job, also with the key of its submission',
        sketchRefusal(cancelled),
      );
    // An oracle judges whether both stay cancelled.
    for (let count = 0; count < 2; count += 1) {
      await session.clock.sleep(AFTERWARDS_MS);
      for (const one of [id, other.id]) await send('read', { fill: { id: one } });
    }
  },
});

/**
 * Document 3, GET …/events, first sentence: the live state of this job. Two jobs at different points do not push
 * the same progress, nor the same previews, at the same moments.
 */
export function* judgeApart(one: Watched, other: Watched, names: EventNames): Generator<Check> {
  for (const [seen, beside] of [
    [one, other],
    [other, one],
  ] as const)
    for (const name of [names.progress, names.preview]) {
      const during = seen.events.filter((event) => event.name === name && isDuring(event, beside));
      if (tellingIn(during, name).size < FEWEST) continue;
      const shared = during.filter((event) => beside.events.some((twin) => areTwins(event, twin)));
      const isOwn = tellingIn(shared, name).size < FEWEST || shared.length < MOST_SHARED * during.length;
      yield check(
        RULE,
        [seen.exchange, beside.exchange],
        isOwn,
        `events ${name} of the own job alone`,
        `${shared.length} of ${during.length} events ${name} were in the stream of another job at the same moment`,
      );
    }
}

/**
 * Item 1: on connect, the latest progress of this job. A job that has none, as its status says, does not begin with
 * the latest progress of another one.
 */
function* judgeForeignSnapshot(one: Watched, other: Watched, names: EventNames): Generator<Check> {
  const [first, ...rest] = other.events;
  const [second] = rest.filter(({ name }) => name !== names.preview);
  if (first?.name !== names.status || second?.name !== names.progress) return;
  if (member(jobIn(first), 'progress') !== null || second.at > first.at + BESIDE_MS) return;
  const latest = one.events.findLast(({ name, at }) => name === names.progress && at <= second.at);
  if (latest !== undefined && dataOf(latest) === dataOf(second))
    yield check(
      RULE,
      [one.exchange, other.exchange],
      false,
      `no event ${names.progress} for a job that has no progress`,
      'the latest progress of another job',
    );
}

/** The same item, for the preview of a job that is joined. */
function* judgeForeignPreview(
  whole: Watched,
  joined: Watched,
  other: Watched,
  names: EventNames,
): Generator<Check> {
  const previews = ({ events }: Watched): ReadonlySet<string> => tellingIn(events, names.preview);
  const [own, others] = [previews(whole), previews(other)];
  // A picture that never changes belongs to no job.
  if (others.size < 2) return;
  const foreign = [...previews(joined)].find((data) => others.has(data) && !own.has(data));
  yield check(
    RULE,
    [whole.exchange, other.exchange, joined.exchange],
    foreign === undefined,
    `on connect, a preview of the own job, or no event ${names.preview}`,
    'a preview of another job',
  );
}

// --- internal ---

/** How many different events a stream must have, so that others with the same data are no coincidence. */
const FEWEST = 3;
const ENOUGH = 6;
/** One of them may be late, or may be left out for a later one. */
const MOST_SHARED = 0.8;
/** From the cancellations to later reads, and between these, in milliseconds. */
const AFTERWARDS_MS = 1000;
/** How long the snapshot of the first job may take, in milliseconds. */
const JOINED_MS = 500;
/** How long the second job is watched, in milliseconds. */
const WATCHED_MS = 20_000;
/** The maximum time between equal events of two streams, in milliseconds. */
const BESIDE_MS = 150;

/** The different data of the events with a name. */
function tellingIn(events: readonly StreamEvent[], name: string): ReadonlySet<string> {
  return new Set(events.filter((event) => event.name === name).map(dataOf));
}

function dataOf({ data }: StreamEvent): string {
  return canonical(parseJson(data)) ?? data;
}

/** Whether a stream was open then: not on connect, where both may have a snapshot, and not behind its end. */
function isDuring({ at }: StreamEvent, { events }: Watched): boolean {
  const [first, last] = [events.at(0), events.at(-1)];
  return first !== undefined && last !== undefined && at > first.at + BESIDE_MS && at < last.at + BESIDE_MS;
}

function areTwins(event: StreamEvent, twin: StreamEvent): boolean {
  return (
    twin.name === event.name && Math.abs(twin.at - event.at) <= BESIDE_MS && dataOf(twin) === dataOf(event)
  );
}

/** Whether the two jobs run, or ran, with data of their own. */
function haveOwnProgress(reads: readonly Exchange[]): boolean {
  const [one, other] = reads.map(({ json }) => member(json, 'progress'));
  const isBoth = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null;
  const isLater = TERMINAL.includes(statusOf(reads[0]?.json));
  return isBoth && !isLater && canonical(one) !== canonical(other);
}
