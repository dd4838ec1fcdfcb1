import type { PolicyOf } from '../../../contract/index.ts';
import { findPolicy } from '../../../contract/index.ts';
import type { StreamEvent } from '../../event-stream.ts';
import { parseJson } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Check, Session } from '../../scenario.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import type { Values } from '../own-api.ts';
import { at } from './error-codes.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { reachable } from './reachable.ts';

/** The live events of a resource (WHATWG HTML, "Server-sent events"). */
export function streamProbes(facts: OperationFacts<PolicyOf<'event-stream'>>): Probes {
  const { api, operation, policy, reads } = facts;
  const found = reads.of(operation);
  const lifecycle = findPolicy(api.contract, 'lifecycle');
  const known = Object.values(policy.events);
  const made = new MadeResources(api, operation);
  const title = `GET ${operation.path}`;
  const requests = { stream: api.plan(operation) };
  return {
    scenarios: [
      ...facts.scenario(['frames', 'states', 'end'], {
        id: `event-stream.${operation.id}`,
        title,
        uses: [found],
        requests,
        async *run(session) {
          const { answer, values, missing, why } = await session.obtain(found);
          if (answer === undefined) throw new NotExercised(missing, why);
          yield* judge(session, values);
        },
      }),
      // A resource that ended long ago may have no events any more.
      ...(Object.keys(made.requests()).length === 0
        ? []
        : facts.scenario(['frames', 'states', 'end'], {
            id: `event-stream.${operation.id}.made`,
            title: `${title}, of a resource that the suite has created`,
            permissions: ['writes'],
            requests: { ...made.requests(), ...requests },
            async *run(session: Session) {
              yield* judge(session, await made.values(session));
            },
          })),
    ],
  };

  async function* judge(
    session: Pick<Session<'stream'>, 'fixtures' | 'freshKey' | 'watch'>,
    values: Values,
  ): AsyncGenerator<Check> {
    const isOver = (events: readonly StreamEvent[]): boolean =>
      lifecycle !== undefined &&
      statesOf(events, policy, lifecycle).some((state) => lifecycle.terminal.includes(String(state)));
    const { exchange, events, ended } = await session.watch('stream', {
      ...inputFor(api, operation, session, values),
      timeoutMs: LONGEST_MS,
      grace: { when: isOver, ms: GRACE_MS },
    });
    const told = events.filter(({ name }) => known.includes(name));
    const isStream = /^text\/event-stream\b/i.test(exchange.header('content-type') ?? '');
    if (isStream && events.length === 0 && exchange.scenario.endsWith('.made'))
      throw new NotExercised('an opportunity', 'the stream of a new resource reported nothing');
    const broken = told.find(({ data }) => jsonOf(data) === undefined);
    yield* facts.judge(
      'frames',
      exchange,
      isStream && told.length > 0 && broken === undefined,
      `text/event-stream with events ${known.join(', ')}, and JSON in each`,
      !isStream
        ? `${exchange.header('content-type') ?? 'no Content-Type'}`
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
    if (isOver(events))
      yield* facts.judge(
        'end',
        exchange,
        ended === 'end',
        `the end of the stream within ${GRACE_MS / 1000} s after a terminal state`,
        ended === 'end' ? 'its end' : ended,
      );
    else throw new NotExercised('an opportunity', 'the stream reported no terminal state');
  }
}

// --- internal ---

const LONGEST_MS = 20_000;
const GRACE_MS = 3000;

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
