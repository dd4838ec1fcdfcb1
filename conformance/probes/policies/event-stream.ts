import type { PolicyOf } from '../../../contract/index.ts';
import type { StreamEvent } from '../../http/event-stream.ts';
import { at, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Session, Watched, WatchOptions } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import type { Values } from '../own-api.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { shownLifecycle } from './shown-lifecycle.ts';
import { reachable } from './reachable.ts';
import { wayToEnd } from './stream-end.ts';

/** The live events of a resource (WHATWG HTML, "Server-sent events"). */
export function streamProbes(facts: OperationFacts<PolicyOf<'event-stream'>>): Probes {
  const { api, operation, policy, reads } = facts;
  const found = reads.of(operation);
  const reader = api.operation(policy.authority);
  const lifecycle = shownLifecycle(api, reader);
  const way = lifecycle && reader && wayToEnd(facts.about(lifecycle), reader);
  const known = Object.values(policy.events);
  const made = new MadeResources(api, operation);
  const title = `GET ${operation.path}`;
  const requests = { stream: api.plan(operation) };
  const canMake = Object.keys(made.requests()).length > 0;
  return {
    scenarios: [
      ...facts.scenario(CASES, {
        id: `event-stream.${operation.id}`,
        title,
        uses: [found],
        requests,
        async *run(session) {
          const { answer, values, missing, why } = await session.obtain(found);
          if (answer === undefined) throw new NotExercised(missing, why);
          yield* judge(await watch(session, values, { idleMs: IDLE_MS }));
        },
      }),
      // A resource that ended long ago may have no events any more.
      ...(canMake && way === undefined
        ? facts.scenario(CASES, {
            id: `event-stream.${operation.id}.made`,
            title: `${title}, of a resource that the suite has created`,
            permissions: ['writes'],
            requests: { ...made.requests(), ...requests },
            async *run(session: Session) {
              yield* judge(await watch(session, await made.values(session)));
            },
          })
        : []),
      ...(canMake && way !== undefined
        ? facts.scenario(CASES, {
            id: `event-stream.${operation.id}.made`,
            title: `${title}, of a resource that the suite has created and brings to its end`,
            permissions: ['writes'],
            requests: { ...made.requests(), ...requests, ...way.requests },
            async *run(session: Session) {
              const values = await made.values(session);
              const opened = signalled();
              let isOpened = false;
              const endsWithin = signalled<number>();
              const watching = watch(session, values, {
                until: () => {
                  isOpened = true;
                  opened.give(undefined);
                  return false;
                },
                endsWithin: endsWithin.given,
              });
              // A stream may report only what changes after it was opened.
              const patienceMs = policy.stateFirst === true ? FIRST_MS : OPENING_MS;
              await Promise.race([opened.given, watching, session.clock.sleep(patienceMs)]);
              const isEarly = isOpened;
              const end = await way.go(session, values).catch((error: unknown) => {
                endsWithin.give(0);
                throw error;
              });
              endsWithin.give(GRACE_MS);
              yield* judge(await watching, { end, isEarly });
            },
          })
        : []),
    ],
  };

  async function watch(
    session: Pick<Session<'stream'>, 'fixtures' | 'freshKey' | 'watch'>,
    values: Values,
    options: WatchOptions = {},
  ): Promise<Watched> {
    return session.watch('stream', {
      ...inputFor(api, operation, session, values),
      timeoutMs: LONGEST_MS,
      mayBeSilent: true,
      grace: { when: isOver, ms: GRACE_MS },
      ...options,
    });
  }

  function isOver(events: readonly StreamEvent[]): boolean {
    return (
      lifecycle !== undefined &&
      statesOf(events, policy, lifecycle).some((state) => lifecycle.terminal.includes(String(state)))
    );
  }

  /**
   * @param course.end the read that showed the terminal state, while the stream was open
   * @param course.isEarly whether an event arrived before the first change
   */
  function* judge(
    { exchange, events, ended }: Watched,
    { end, isEarly = true }: { readonly end?: Exchange | undefined; readonly isEarly?: boolean } = {},
  ): Generator<Check> {
    const told = events.filter(({ name }) => known.includes(name));
    const isStream = /^text\/event-stream\b/i.test(exchange.header('content-type') ?? '');
    const isMade = exchange.scenario.endsWith('.made');
    if (exchange.answer === undefined && policy.stateFirst !== true && end === undefined)
      throw new NotExercised('an opportunity', 'the stream sent nothing');
    if ((isStream || exchange.answer === undefined) && policy.stateFirst === true)
      yield* facts.judge(
        'first',
        exchange,
        events[0]?.name === policy.events.status && isEarly,
        `${policy.events.status} as the first event, before anything changes`,
        events[0] === undefined
          ? `no event, and ${ENDS[ended]}`
          : `the event ${events[0].name}${isEarly ? '' : ' after a change'}`,
      );
    if (isStream && events.length === 0 && isMade && end === undefined)
      throw new NotExercised('an opportunity', 'the stream of a new resource reported nothing');
    const broken = told.find(({ data }) => jsonOf(data) === undefined);
    yield* facts.judge(
      'frames',
      exchange,
      isStream && told.length > 0 && broken === undefined,
      `text/event-stream with events ${known.join(', ')}, and JSON in each`,
      !isStream
        ? exchange.answer === undefined
          ? 'nothing'
          : `${exchange.header('content-type') ?? 'no Content-Type'}`
        : broken === undefined
          ? `${events.length} events, ${told.length} of these names`
          : `an event ${broken.name} whose data is not JSON`,
    );
    if (lifecycle === undefined) throw new NotExercised('an opportunity', 'the sheet has no lifecycle');
    const states = statesOf(events, policy, lifecycle);
    if (states.length > 0) {
      const wrong = states.findIndex((state, index) => !follows(lifecycle, states[index - 1], state));
      yield* facts.judge(
        'states',
        exchange,
        wrong < 0,
        `states of ${lifecycle.states.join(', ')}, in an order that the lifecycle allows`,
        states.join(', '),
      );
    }
    if (isOver(events) || end !== undefined)
      yield* facts.judge(
        'end',
        end === undefined ? exchange : [exchange, end],
        ended === 'end',
        `the end of the stream within ${GRACE_MS / 1000} s after a terminal state`,
        ENDS[ended],
      );
    else throw new NotExercised('an opportunity', 'the stream reported no terminal state');
  }
}

// --- internal ---

const CASES = ['first', 'frames', 'states', 'end'] as const;

const LONGEST_MS = 20_000;
const GRACE_MS = 3000;
const IDLE_MS = 3000;
const OPENING_MS = 1000;
const FIRST_MS = 5000;

const ENDS: Readonly<Record<Watched['ended'], string>> = {
  end: 'its end',
  cut: 'a broken connection',
  enough: 'an open stream',
  timeout: 'an open stream',
};

/** A promise with the function that resolves it. */
function signalled<Value = undefined>(): {
  readonly given: Promise<Value>;
  readonly give: (value: Value) => void;
} {
  let give: (value: Value) => void = () => undefined;
  const given = new Promise<Value>((resolve) => (give = resolve));
  return { given, give };
}

function statesOf(
  events: readonly StreamEvent[],
  policy: PolicyOf<'event-stream'>,
  { property }: PolicyOf<'lifecycle'>,
): readonly unknown[] {
  return events
    .filter(({ name }) => name === policy.events.status)
    .map(({ data }) => at(jsonOf(data), property));
}

function follows(lifecycle: PolicyOf<'lifecycle'>, before: unknown, state: unknown): boolean {
  if (typeof state !== 'string' || !lifecycle.states.includes(state)) return false;
  return typeof before !== 'string' || reachable(lifecycle, before).has(state);
}

function jsonOf(data: string): unknown {
  return parseJson(data);
}
