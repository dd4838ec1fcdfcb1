import { check, undecided } from '../../../scenarios/check.ts';
import { parseJson } from '../../../exchanges/exchange.ts';
import type { StreamEvent } from '../../../http/event-stream.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Check, Watched } from '../../../scenarios/scenario.ts';
import { isOver, statusOf } from './job.ts';
import type { EventNames } from './job.ts';

/** The maximum time between equal events of two streams, in milliseconds. */
export const BESIDE_MS = 30;

function dataOf(event: StreamEvent): string {
  let data = dataOfEvent.get(event);
  if (data === undefined) {
    data = JSON.stringify(parseJson(event.data)) ?? event.data;
    dataOfEvent.set(event, data);
  }
  return data;
}

const dataOfEvent = new WeakMap<StreamEvent, string>();

/** When a stream last had an event with this name and data. */
function lastTime(watched: Watched, { name }: StreamEvent, data: string): number {
  let times = timesOf.get(watched);
  if (times === undefined) {
    times = new Map(watched.events.map((event) => [`${event.name}\n${dataOf(event)}`, event.at]));
    timesOf.set(watched, times);
  }
  return times.get(`${name}\n${data}`) ?? Number.NEGATIVE_INFINITY;
}

const timesOf = new WeakMap<Watched, ReadonlyMap<string, number>>();

/**
 * The cause of an event. An event that the stream which was open throughout had as well, after the other one
 * was opened, is `news`: its cause is a change, not the connection. An event immediately after the connection
 * may be either.
 */
export function causeOf(
  event: StreamEvent,
  connection: Watched,
  whole: Watched,
): 'snapshot' | 'news' | 'either' {
  const opened = openedAt(connection);
  if (lastTime(whole, event, dataOf(event)) < opened - BESIDE_MS) return 'snapshot';
  if (event.at - opened > AT_ONCE_MS) return 'news';
  // The same data before and after: this is the state if nothing changes.
  const before = whole.events.findLast(({ name, at }) => name === event.name && at < opened - BESIDE_MS);
  return before !== undefined && dataOf(before) === dataOf(event) ? 'snapshot' : 'either';
}

function openedAt({ exchange, events: seen }: Watched): number {
  return Math.max(exchange.startedAt, seen[0]?.at ?? 0);
}

/** Document 3, GET …/events, item 1: on connect, without waiting for a change. */
export function* judgeSnapshot(
  rule: string,
  name: string,
  connections: readonly Watched[],
  whole: Watched,
  names: EventNames,
): Generator<Check> {
  // Streams of an ended job are a separate matter.
  const over = whole.events.find((event) => isOver([event], names))?.at ?? Number.POSITIVE_INFINITY;
  const midway = connections.filter((connection) => openedAt(connection) + AT_ONCE_MS < over);
  const told = midway.flatMap((connection) => {
    const found = connection.events.filter((event) => event.name === name);
    const origins = found.map((event) => causeOf(event, connection, whole));
    if (origins.includes('snapshot')) return [true];
    return origins.includes('either') ? [] : [false];
  });
  if (!told.includes(true) && told.length < FEWEST) {
    yield undecided(rule, whole.exchange, 'too few streams could be opened between two events');
    return;
  }
  const lacking = midway.filter((connection) => lacks(connection, whole, name, names));
  if (lacking.length >= (name === names.status ? 1 : FEWEST)) {
    yield check(
      rule,
      lacking.map(({ exchange }) => exchange),
      false,
      `an event ${name} on connect`,
      `only later news on ${lacking.length} of ${midway.length} streams`,
    );
    return;
  }
  const stale = midway.filter((connection) => isStale(connection, whole, name));
  // One stream may have been opened at an unlucky moment.
  if (name !== names.status && stale.length * 2 > midway.length && stale.length >= FEWEST) {
    yield check(
      rule,
      stale.map(({ exchange }) => exchange),
      false,
      `the latest ${name} on connect`,
      `an earlier one on ${stale.length} of ${midway.length} streams`,
    );
    return;
  }
  const first = midway[0]?.events.map((event) => event.name) ?? [];
  yield check(
    rule,
    midway.map(({ exchange }) => exchange),
    told.includes(true),
    `an event ${name} on connect`,
    `${told.length} streams opened, none with it; the first had: ${first.join(', ') || 'nothing'}`,
  );
}

/**
 * Whether a stream continued with later changes, and certainly had no such event on connect: several events
 * that are news preceded its first status; or its first progress, after the status, is news.
 */
function lacks(connection: Watched, whole: Watched, name: string, names: EventNames): boolean {
  const { events } = connection;
  const index = events.findIndex((event) => event.name === name);
  const isNews = (event: StreamEvent): boolean => causeOf(event, connection, whole) === 'news';
  const before = index < 0 ? events : events.slice(0, index);
  if (name === names.status) return before.filter(isNews).length >= FEWEST;
  const [found] = events.slice(index);
  const wasThere = whole.events.some(
    (event) => event.name === name && event.at < connection.exchange.startedAt - AT_ONCE_MS,
  );
  const hasStatus = before.some((event) => event.name === names.status && !isOver([event], names));
  return index >= 0 && found !== undefined && wasThere && hasStatus && isNews(found);
}

/**
 * The same item: on connect, and not at the end of the job. Reads show that the server had time to send it.
 */
export function* judgePromptness(
  { exchange, events }: Watched,
  reads: readonly Exchange[],
  names: EventNames,
): Generator<Check> {
  const first = events.find(({ name }) => name === names.status);
  if (first === undefined) return;
  const meanwhile = reads.filter(
    ({ json, startedAt, endedAt }) =>
      startedAt > exchange.startedAt + PROMPT_MS && endedAt < first.at && statusOf(json) === 'running',
  );
  yield check(
    'jobs.sse.snapshot-status',
    [exchange, ...meanwhile.slice(0, FEWEST)],
    meanwhile.length < FEWEST,
    `an event ${names.status} on connect`,
    `nothing for ${Math.round(first.at - exchange.startedAt)} ms, while reads were answered`,
  );
}

/**
 * Whether a stream began with the latest event of the other one before the next change, because the contract
 * promises the latest. The two get some time to agree.
 */
function isStale(connection: Watched, whole: Watched, name: string): boolean {
  const [told] = connection.events.filter((event) => event.name === name);
  if (told === undefined || causeOf(told, connection, whole) === 'news') return false;
  // The snapshot is taken when the server receives the request. It may arrive much later.
  const asked = connection.exchange.startedAt;
  const before = whole.events.filter((event) => event.name === name && event.at < asked - AT_ONCE_MS);
  const same = whole.events.findLast((event) => event.name === name && dataOf(event) === dataOf(told));
  const latest = before.at(-1);
  return latest !== undefined && same !== undefined && same.at < latest.at && dataOf(latest) !== dataOf(told);
}

// --- internal ---

/** One stream may have been opened at an unlucky moment. */
const FEWEST = 2;

/** How close to the opening of a stream its snapshot is expected, in milliseconds. */
const AT_ONCE_MS = 150;

/** The time limit for a snapshot of a server that answers reads, in milliseconds. */
const PROMPT_MS = 1000;
