import { check, undecided } from '../../../scenarios/check.ts';
import type { StreamEvent } from '../../../http/event-stream.ts';
import { isObject, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Check, Watched } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { canonical } from '../../../../contract/canonical-json.ts';
import { kindOf } from '../../../../contract/schemas/wire-type.ts';
import { statusOf } from './job.ts';
import type { EventNames } from './job.ts';

const RULE = 'jobs.job.progress-same-data';

/**
 * Document 3, Job, row progress: the latest snapshot, with the same data as in the stream. Its inner
 * structure is not documented, so the reads of a running job are compared with the events of a stream that
 * was open throughout. One may be ahead of the other: only data without a similar event, or data that is
 * still missing after a while, violates the rule.
 */
export function* judgeSameProgress(
  reads: readonly Exchange[],
  { exchange, events }: Watched,
  names: EventNames,
): Generator<Check> {
  const pushed = events.filter(({ name }) => name === names.progress);
  const [first] = pushed;
  const running = reads.filter(({ json }) => statusOf(json) === 'running');
  if (first === undefined || running.length === 0) return;
  const late = running.find(
    ({ json, startedAt }) => (member(json, 'progress') ?? null) === null && startedAt > first.at + LAG_MS,
  );
  if (late !== undefined) {
    yield check(
      RULE,
      [exchange, late],
      false,
      'the progress that the stream pushes',
      'no progress on the read',
    );
    return;
  }
  const shown = running.filter(({ json }) => isObject(member(json, 'progress')));
  if (shown.length === 0) return;
  const progressOf = ({ json }: Exchange): unknown => member(json, 'progress');
  // The payload of an event is not documented either: the data may be a member of it.
  const candidates = pushed.flatMap(({ data }) => {
    const value = parseJson(data);
    return isObject(value) ? [value, ...Object.values(value).filter(isObject)] : [];
  });
  const poor = shown.filter((answer) => isRicher(answer, pushed));
  const [poorest] = poor;
  if (poorest !== undefined && poor.length >= FEWEST) {
    yield check(
      'jobs.sse.progress-complete',
      [exchange, ...poor.slice(0, FEWEST)],
      false,
      `progress events with the members ${namesOf(progressOf(poorest))} of the reads beside them`,
      `events with less on ${poor.length} occasions`,
    );
    return;
  }
  const texts = new Set(candidates.map(canonical));
  const same = shown.find((answer) => texts.has(canonical(progressOf(answer))));
  if (same !== undefined) {
    yield check(RULE, [exchange, same], true, 'progress with the data of an event');
    return;
  }
  const forms = new Set(candidates.map(namesOf));
  const alike = shown.find((answer) => forms.has(namesOf(progressOf(answer))));
  const [odd] = shown;
  if (alike !== undefined || odd === undefined)
    yield undecided(RULE, [exchange, ...shown.slice(0, 1)], 'no read and no event had the same values');
  else
    yield check(
      RULE,
      [exchange, odd],
      false,
      `progress with the members of an event, such as ${sketch(parseJson(first.data))}`,
      `progress ${sketch(progressOf(odd))}`,
    );
}

/**
 * Item 4 of GET …/events: each progress event is complete. Two streams of one job push the same updates, so an
 * event of one has no fewer members than the simultaneous events of the other, and is not a list if those are
 * objects.
 */
export function* judgeTwins(
  { exchange, events }: Watched,
  whole: Watched,
  names: EventNames,
): Generator<Check> {
  const isProgress = ({ name }: StreamEvent): boolean => name === names.progress;
  const [pushed, twins] = [events.filter(isProgress), whole.events.filter(isProgress)];
  if (pushed.length === 0 || twins.length === 0) return;
  const partial = pushed.filter((event) => {
    const beside = twins.filter(({ at }) => Math.abs(at - event.at) < BESIDE_MS);
    const members = new Set(membersOf(parseJson(event.data)));
    const hasMore = (twin: StreamEvent): boolean =>
      membersOf(parseJson(twin.data)).some((name) => !members.has(name));
    return beside.length > 0 && beside.every(hasMore);
  });
  yield check(
    'jobs.sse.progress-complete',
    [whole.exchange, exchange],
    partial.length < FEWEST,
    'progress events with the members that another stream has beside them',
    `${partial.length} of ${pushed.length} have fewer, such as ${sketch(parseJson(partial[0]?.data ?? 'null'))}`,
  );
  const values = [...pushed, ...twins].map(({ data }) => parseJson(data) ?? null);
  const kinds = values.filter((value) => value !== null).map(kindOf);
  yield check(
    'jobs.sse.progress-complete',
    [whole.exchange, exchange],
    new Set(kinds).size < 2,
    'progress events of one kind',
    [...new Set(kinds)].join(', '),
  );
}

/**
 * Document 3, Job, row progress, for a job that has ended: the latest snapshot. What it shows at its end is open,
 * but an event that another one followed was not the latest.
 *
 * @param read some time after the end of the stream
 */
export function* judgeLastProgress(
  { exchange, events }: Watched,
  read: Exchange,
  names: EventNames,
): Generator<Check> {
  const shown = canonical(member(read.json, 'progress') ?? null);
  const pushed = events
    .filter(({ name }) => name === names.progress)
    .map(({ data }) => {
      const value = parseJson(data);
      return isObject(value) ? [value, ...Object.values(value).filter(isObject)].map(canonical) : [];
    });
  const at = pushed.findLastIndex((texts) => texts.includes(shown));
  if (at < 0) return;
  yield check(
    RULE,
    [exchange, read],
    at === pushed.length - 1,
    'the latest progress that the stream pushed',
    `the data of event ${at + 1} of ${pushed.length}`,
  );
}

/**
 * Item 1 of GET …/events: after the snapshot, future updates. Which of them a stream gets is open, but it gets some
 * while another stream of the same job gets one after the other, as long as both are open.
 */
export function* judgeUpdates(one: Watched, other: Watched, names: EventNames): Generator<Check> {
  for (const [seen, beside] of [
    [one, other],
    [other, one],
  ] as const) {
    const starts = [seen, beside].map(({ events }) => events[0]?.at ?? Number.POSITIVE_INFINITY);
    const opened = Math.max(...starts) + SNAPSHOT_MS;
    const end = seen.events.at(-1)?.at ?? opened;
    const updates = ({ events }: Watched): readonly StreamEvent[] =>
      events.filter(({ name, at }) => name === names.progress && at > opened && at < end);
    const missed = new Set(updates(beside).map(({ data }) => data));
    if (missed.size < MOST_LEFT_OUT) continue;
    yield check(
      'jobs.sse.future-updates',
      [beside.exchange, seen.exchange],
      updates(seen).length > 0,
      `events ${names.progress} after the snapshot`,
      `none, while another stream had ${missed.size}`,
    );
  }
}

// --- internal ---

/** Later events are updates, and not a part of the snapshot, in milliseconds. */
const SNAPSHOT_MS = 150;
/** A stream that leaves out this many different updates, and has none, gets none. */
const MOST_LEFT_OUT = 3;

/** How far a read may lag behind the stream, in milliseconds. */
const LAG_MS = 2000;

/** Two reads decide, because one may fall between two events. */
const FEWEST = 2;
/** How long after an event a read is compared with it, in milliseconds. */
const BESIDE_MS = 1000;

/**
 * Item 4 of GET …/events: whether a read has members of the progress that all events around it lack, although
 * earlier ones had them. Both show the same snapshot.
 */
function isRicher({ json, startedAt, endedAt }: Exchange, pushed: readonly StreamEvent[]): boolean {
  const members = membersOf(member(json, 'progress'));
  const beside = pushed.filter(({ at }) => at > startedAt - BESIDE_MS && at < endedAt + BESIDE_MS);
  const lacks = (event: StreamEvent): boolean => {
    const value = parseJson(event.data);
    const parts = isObject(value) ? [value, ...Object.values(value).filter(isObject)] : [];
    return parts.every((part) => members.some((name) => !(name in part)));
  };
  return members.length > 0 && beside.length > 0 && beside.every(lacks) && !pushed.every(lacks);
}

function membersOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function namesOf(value: unknown): string {
  return isObject(value) ? JSON.stringify(Object.keys(value).sort()) : '';
}
