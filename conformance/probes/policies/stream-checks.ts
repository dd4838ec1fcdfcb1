import type { PolicyOf } from '../../../contract/index.ts';
import type { MediaType } from '../../../contract/model.ts';
import { localPointer } from '../../../contract/pointer.ts';
import { at, isObject, isStream, isSuccess, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { StreamEvent } from '../../http/event-stream.ts';
import { pieceReader } from '../../http/piece-reader.ts';
import type { Check, Watched } from '../../scenarios/scenario.ts';
import { idOf } from '../document/ids.ts';
import { misfitsAsText } from '../document/told-misfits.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters, responseFor } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { reachable } from './reachable.ts';
import { kindOf } from './resources.ts';

type Stream = PolicyOf<'event-stream'>;
type Lifecycle = PolicyOf<'lifecycle'>;

/** What is known of the course in which a stream was watched. */
export interface WatchedCourse {
  /** A read that showed the terminal state, while the stream was open or before it was opened. */
  readonly end?: Exchange | undefined;
  /** Whether an event arrived before the first change; default: yes. */
  readonly isEarly?: boolean;
  /** Whether the thing had ended when the stream was opened. */
  readonly isLate?: boolean;
  /** The id of the thing, if the run has made it. */
  readonly id?: unknown;
  /** A read that was answered before the stream was opened, by a request to continue. */
  readonly before?: Exchange | undefined;
}

/** Servers that look for changes at intervals, and networks, take this long, in milliseconds. */
export const PROMPT_MS = 6000;

/** How long a server has to end a stream after a terminal state, in milliseconds. */
export const GRACE_MS = PROMPT_MS;

/** The cases that a stream can show. */
export const STREAM_CASES = [
  'first',
  'frames',
  'states',
  'end',
  'live',
  'thing',
  'last',
  'live-only',
] as const;

/** Judges the events of one stream. */
export class StreamChecks {
  readonly #facts: OperationFacts<Stream>;
  readonly #lifecycle: Lifecycle | undefined;

  constructor(facts: OperationFacts<Stream>, lifecycle: Lifecycle | undefined) {
    this.#facts = facts;
    this.#lifecycle = lifecycle;
  }

  /** The states in events, in order. */
  statesOf(events: readonly StreamEvent[]): readonly unknown[] {
    const { property = '' } = this.#lifecycle ?? {};
    return this.#statusesOf(events).map(({ data }) => at(parseJson(data), property));
  }

  isOver(events: readonly StreamEvent[]): boolean {
    return this.statesOf(events).some((state) => this.#isTerminal(state));
  }

  *judge(watched: Watched, course: WatchedCourse = {}): Generator<Check> {
    const { exchange } = watched;
    if (course.isLate === true && this.#saysNoMore(watched)) {
      if (exchange.answer === undefined || isStream(exchange)) yield* this.#end(watched, course);
      return;
    }
    yield* this.#first(watched, course);
    if (exchange.answer === undefined && this.#facts.policy.stateFirst !== true && course.end === undefined)
      return;
    yield* this.#frames(watched, course);
    if (isStream(exchange)) {
      yield* this.#states(watched);
      yield* this.#thing(watched, course);
      yield* this.#last(watched);
      yield* this.#liveOnly(watched, course);
    }
    yield* this.#end(watched, course);
  }

  /** Whether an answer says something else than a stream, and not a stream by another name. */
  isRefused(exchange: Exchange): boolean {
    if (exchange.answer === undefined || isStream(exchange)) return false;
    const { content = [] } = responseFor(this.#facts.operation, exchange.status) ?? {};
    const isMeantAsStream =
      content.length > 0 && content.every(({ mediaType }) => pieceReader(mediaType) !== undefined);
    return !(isMeantAsStream && isSuccess(exchange) && exchange.header('Content-Type') !== undefined);
  }

  /** After the end a server may refuse a stream, or have no more events of the thing. */
  #saysNoMore({ exchange, events }: Watched): boolean {
    const isEmpty = exchange.answer === undefined || (isStream(exchange) && events.length === 0);
    return this.isRefused(exchange) || (isEmpty && this.#facts.policy.stateFirst !== true);
  }

  #statusesOf(events: readonly StreamEvent[]): readonly StreamEvent[] {
    return events.filter((event) => kindOf(event) === this.#facts.policy.events.status);
  }

  #isTerminal(state: unknown): boolean {
    return this.#lifecycle?.terminal.includes(String(state)) === true;
  }

  *#end({ exchange, events, ended }: Watched, { end }: WatchedCourse): Generator<Check> {
    if (this.#lifecycle === undefined || !(this.isOver(events) || end !== undefined)) return;
    yield* this.#facts.judge(
      'end',
      end === undefined ? exchange : [exchange, end],
      ended === 'end',
      `the end of the stream within ${String(GRACE_MS / 1000)} s after a terminal state`,
      ENDS[ended],
    );
  }

  *#first({ exchange, events, ended }: Watched, { isEarly = true }: WatchedCourse): Generator<Check> {
    const { policy } = this.#facts;
    if (policy.stateFirst !== true || !(isStream(exchange) || exchange.answer === undefined)) return;
    const [first] = events;
    const kind = first === undefined ? undefined : kindOf(first);
    yield* this.#facts.judge(
      'first',
      exchange,
      kind === policy.events.status && isEarly,
      `${policy.events.status} as the first event, before anything changes`,
      kind === undefined
        ? `no event, and ${ENDS[ended]}`
        : `the event ${kind}${isEarly ? '' : ' after a change'}`,
    );
  }

  *#frames({ exchange, events, ended }: Watched, { end }: WatchedCourse): Generator<Check> {
    const { policy } = this.#facts;
    // A stream may report only what changes after it was opened.
    const isWaiting = events.length === 0 && end === undefined && policy.stateFirst !== true;
    if (isStream(exchange) && isWaiting && ended !== 'end') return;
    const known = Object.values(policy.events);
    const told = events.filter((event) => known.includes(kindOf(event)));
    const meant = policy.namedJson === true ? events : told;
    const broken = meant.find(({ data }) => parseJson(data) === undefined);
    const nameless = policy.namedJson === true ? events.find(({ name }) => name === '') : undefined;
    yield* this.#facts.judge(
      'frames',
      exchange,
      isStream(exchange) && told.length > 0 && broken === undefined && nameless === undefined,
      `text/event-stream with events ${known.join(', ')}, and JSON in each`,
      !isStream(exchange)
        ? exchange.answer === undefined
          ? 'nothing'
          : (exchange.header('content-type') ?? 'no Content-Type')
        : broken !== undefined
          ? `an event ${kindOf(broken)} ${broken.hasData ? 'whose data is not JSON' : 'without data'}`
          : nameless === undefined
            ? `${String(events.length)} events, ${String(told.length)} of these names`
            : `an event without a name: ${sketch(nameless.data, 60)}`,
    );
  }

  *#states({ exchange, events }: Watched): Generator<Check> {
    const lifecycle = this.#lifecycle;
    const states = this.statesOf(events);
    if (lifecycle === undefined || states.length === 0) return;
    const wrong = states.findIndex((state, index) => !follows(lifecycle, states[index - 1], state));
    yield* this.#facts.judge(
      'states',
      exchange,
      wrong < 0,
      `states of ${lifecycle.states.join(', ')}, in an order that the lifecycle allows`,
      states.join(', '),
    );
  }

  /** The document describes the thing, and its id is that of the path. */
  *#thing({ exchange, events }: Watched, { id }: WatchedCourse): Generator<Check> {
    const { api, operation, policy } = this.#facts;
    const { thing } = policy;
    const placed = thing === undefined ? undefined : answerWith(api, thing);
    const parameter = pathParameters(operation).at(-1)?.name ?? '';
    for (const { data } of this.#statusesOf(events)) {
      const value = parseJson(data);
      const own = isObject(value) ? idOf(value, parameter) : undefined;
      if (id !== undefined && own !== undefined && placed !== undefined)
        yield* this.#facts.judge(
          'live',
          exchange,
          String(own) === String(id),
          `events of ${String(id)}`,
          `an event of ${String(own)}`,
        );
      const found = placed === undefined ? [] : api.bodies.judge('response', placed, value);
      if (placed === undefined || 'reason' in found) continue;
      yield* this.#facts.judge(
        'thing',
        exchange,
        found.length === 0,
        `${String(thing)} in each event ${policy.events.status}`,
        `${sketch(data, 60)}: ${misfitsAsText(found, 'the event')}`,
      );
    }
  }

  /** A connection after the end may get more than the last state: what else the thing has to show. */
  *#last({ exchange, events, ended }: Watched): Generator<Check> {
    if (this.#lifecycle === undefined || ended === 'cut') return;
    const statuses = this.#statusesOf(events);
    const end = statuses.find((event) => this.isOver([event]));
    if (ended === 'end')
      yield* this.#facts.judge(
        'last',
        exchange,
        end !== undefined,
        'an event with a terminal state before the end of the stream',
        this.statesOf(events).join(', ') || 'no state',
      );
    if (end === undefined || end === statuses[0]) return;
    // A server may say it again.
    const trailing = events.slice(events.indexOf(end)).filter(({ data }) => data !== end.data).length;
    yield* this.#facts.judge(
      'last',
      exchange,
      trailing === 0,
      'no event after the terminal state',
      `${String(trailing)} more`,
    );
  }

  *#liveOnly({ exchange, events }: Watched, { before }: WatchedCourse): Generator<Check> {
    const numbered = events.filter(({ hasId }) => hasId).length;
    if (events.length > 0)
      yield* this.#facts.judge(
        'live-only',
        exchange,
        numbered === 0,
        'events without an id',
        `${String(numbered)} events with an id`,
      );
    const lifecycle = this.#lifecycle;
    const shown =
      before === undefined || lifecycle === undefined ? undefined : at(before.json, lifecycle.property);
    if (lifecycle === undefined || before === undefined || typeof shown !== 'string') return;
    const states = this.statesOf(events);
    if (states.length === 0 && this.#facts.policy.stateFirst !== true) return;
    const later = reachable(lifecycle, shown);
    yield* this.#facts.judge(
      'live-only',
      [before, exchange],
      states.length > 0 && states.every((state) => later.has(String(state))),
      `${shown} or what it leads to, as without the request to continue`,
      states.join(', ') || 'no state',
    );
  }
}

// --- internal ---

const ENDS: Readonly<Record<Watched['ended'], string>> = {
  end: 'its end',
  cut: 'a broken connection',
  enough: 'an open stream',
  timeout: 'an open stream',
};

/** The body of an answer that is such a component. */
function answerWith({ operations }: OwnApi, component: string): MediaType | undefined {
  return operations
    .flatMap(({ responses }) => responses.filter(({ status }) => status.startsWith('2')))
    .flatMap(({ content }) => content)
    .find(
      ({ mediaType, schema }) =>
        /json/i.test(mediaType) &&
        isObject(schema) &&
        localPointer(String(schema['$ref'])) === `/components/schemas/${component}`,
    );
}

function follows(lifecycle: Lifecycle, before: unknown, state: unknown): boolean {
  if (typeof state !== 'string' || !lifecycle.states.includes(state)) return false;
  return typeof before !== 'string' || reachable(lifecycle, before).has(state);
}
