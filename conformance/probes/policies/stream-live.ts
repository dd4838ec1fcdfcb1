import type { PolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { StreamEvent } from '../../http/event-stream.ts';
import type { Check, Watched } from '../../scenarios/scenario.ts';
import { idOf } from '../document/ids.ts';
import type { OperationFacts } from './facts.ts';
import { reachable } from './reachable.ts';
import { kindOf } from './resources.ts';
import { PROMPT_MS } from './stream-checks.ts';
import type { StreamChecks } from './stream-checks.ts';

type Facts = OperationFacts<PolicyOf<'event-stream'>>;

/**
 * Events come when they happen: a stream has a state that reads show some time later, and before it continues with other
 * events of the thing. A server may look for changes at intervals, and a network may be slow.
 */
export function* judgeLive(
  facts: Facts,
  { exchange, events }: Watched,
  reads: readonly Exchange[],
  { lifecycle, checks }: { readonly lifecycle: PolicyOf<'lifecycle'>; readonly checks: StreamChecks },
): Generator<Check> {
  const seen = new Set<string>([lifecycle.initial]);
  for (const read of reads) {
    const state = String(at(read.json, lifecycle.property));
    if (seen.has(state) || !lifecycle.states.includes(state) || read.startedAt < exchange.startedAt) continue;
    seen.add(state);
    const later = reachable(lifecycle, state);
    const told = events.find((event) => checks.statesOf([event]).some((one) => later.has(String(one))));
    const until = told?.at ?? exchange.endedAt;
    const meanwhile = othersIn(facts, events).filter(
      // What a server finds at one look comes in any order.
      (event) => event.at > read.endedAt + SOON_MS && event.at < until - SOON_MS / 2,
    );
    const isLate = until - read.endedAt > PROMPT_MS;
    if (told === undefined && !isLate && meanwhile.length < FEWEST) continue;
    yield* facts.judge(
      'live',
      [read, exchange],
      !isLate && meanwhile.length < FEWEST,
      `an event with the state ${state}, which a read shows, or a later one`,
      told === undefined
        ? `none, and ${String(meanwhile.length)} other events`
        : `it came ${String(Math.round((until - read.endedAt) / 1000))} s later, after ${String(meanwhile.length)} other events`,
    );
  }
}

/** Each stream of a thing has what happens: one does not stay silent while the other one has one event after the other. */
export function* judgeSecondStream(facts: Facts, whole: Watched, joined: Watched): Generator<Check> {
  const opened = Math.max(joined.exchange.startedAt, joined.events[0]?.at ?? 0) + SOON_MS / 2;
  const closed = Math.min(whole.exchange.endedAt, joined.exchange.endedAt) - SOON_MS / 2;
  const during = ({ events }: Watched): readonly StreamEvent[] =>
    othersIn(facts, events).filter((event) => event.at > opened && event.at < closed);
  const [first, ...others] = during(whole);
  const isTelling = others.length + 1 >= MANY && (others.at(-1)?.at ?? 0) - (first?.at ?? 0) >= SOON_MS;
  if (!isTelling || joined.events.length === 0) return;
  yield* facts.judge(
    'live',
    [whole.exchange, joined.exchange],
    during(joined).length > 0,
    'the events of the resource on each of its streams',
    `none on the second stream, while the first one had ${String(others.length + 1)}`,
  );
}

/** What was missed is not sent again: at most the latest event of each kind comes twice. */
export function* judgeMissed(facts: Facts, whole: Watched, again: Watched): Generator<Check> {
  const opened = again.exchange.startedAt - SOON_MS / 2;
  const before = othersIn(facts, whole.events).filter((event) => event.at < opened);
  const latest = [...new Map(before.map((event) => [kindOf(event), event])).values()];
  const sent = new Set(othersIn(facts, again.events).map(({ data }) => data));
  const repeated = before.filter((event) => sent.has(event.data) && !latest.includes(event));
  const count = new Set(repeated.map(({ data }) => timeless(data))).size;
  if (before.length > FEWEST)
    yield* facts.judge(
      'live-only',
      [whole.exchange, again.exchange],
      count < FEWEST,
      'no events of before, but for the latest ones',
      `${String(count)} earlier events again`,
    );
}

/** What happens to one thing is told on its own streams: two things do not have the same events at the same moments. */
export function* judgeOwn(facts: Facts, one: Watched, other: Watched): Generator<Check> {
  const told = othersIn(facts, one.events);
  const own = othersIn(facts, other.events).filter(({ at: time }) => time > one.exchange.startedAt);
  const isShared = (event: StreamEvent): boolean =>
    told.some(
      (twin) =>
        kindOf(twin) === kindOf(event) &&
        twin.data === event.data &&
        Math.abs(twin.at - event.at) <= SAME_MOMENT_MS,
    );
  const shared = own.filter(isShared);
  if (new Set(own.map(({ data }) => timeless(data))).size < MANY) return;
  const distinct = new Set(shared.map(({ data }) => timeless(data))).size;
  yield* facts.judge(
    'live',
    [one.exchange, other.exchange],
    distinct < MANY || shared.length * 2 < own.length,
    'events of the own resource alone',
    `${String(shared.length)} of ${String(own.length)} events were on the stream of another resource at the same moment`,
  );
}

/** What is made below one thing is no event of another one. */
export function* judgeBelow(
  facts: Facts,
  streams: readonly Watched[],
  made: readonly Exchange[],
): Generator<Check> {
  for (const creation of made.filter(isSuccess)) {
    const id = idOf(creation.json, '');
    // A short one, or a number, can be in an event by chance.
    if (typeof id !== 'string' || id.length < SHORTEST_ID) continue;
    for (const { exchange, events } of streams)
      if (events.some(({ data }) => data.includes(JSON.stringify(id))))
        yield* facts.judge(
          'live',
          [creation, exchange],
          false,
          'events of the own resource alone',
          `an event with ${id}, which was made below another resource`,
        );
  }
}

// --- internal ---

const SHORTEST_ID = 5;

/** What happened this long ago comes before what happens now, in milliseconds. */
const SOON_MS = 1000;
const SAME_MOMENT_MS = 250;
const FEWEST = 2;
const MANY = 3;

/** The events that are no states. */
function othersIn({ policy }: Facts, events: readonly StreamEvent[]): readonly StreamEvent[] {
  const { status, ...others } = policy.events;
  const kinds: readonly string[] = Object.values(others);
  return events.filter((event) => kinds.includes(kindOf(event)) && kindOf(event) !== status);
}

/** The data without times, which two things can have in common. */
function timeless(data: string): string {
  return data.replace(/\d{4}-\d\d-\d\dT[\d:.]+|\d{10,}/g, 'a time');
}
