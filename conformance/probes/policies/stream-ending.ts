import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session, Watched } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { callsOn } from '../../target/occasions.ts';
import { creatorOf, idOfCreated } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { occasionNeed, sendOnOccasion } from '../document/occasions.ts';
import type { Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { actionsBelow, withoutCalls } from './lifecycle-ways.ts';
import { reachable } from './reachable.ts';
import type { OpenStream } from './stream-beside.ts';
import { STREAM_CASES } from './stream-checks.ts';
import type { WatchedCourse } from './stream-checks.ts';

/** Streams of things that come to their end without a call: of any one, and of those that the fixtures know. */
export function endingScenario(
  facts: OperationFacts<PolicyOf<'event-stream'>>,
  {
    reader,
    lifecycle,
    watch,
    judge,
    idleMs,
  }: {
    readonly reader: Operation | undefined;
    readonly lifecycle: PolicyOf<'lifecycle'> | undefined;
    readonly watch: OpenStream;
    readonly judge: (
      session: Session,
      values: Values,
      watched: Watched,
      known: WatchedCourse,
    ) => AsyncGenerator<Check>;
    /** How long the stream of any thing may be silent. */
    readonly idleMs: number;
  },
): readonly Scenario[] {
  const { api, operation } = facts;
  const parameter = pathParameters(operation).at(-1)?.name ?? '';
  const maker = creatorOf(api, operation.path, parameter);
  if (maker === undefined || reader === undefined || lifecycle === undefined) return [];
  const actions = actionsBelow(facts.about(lifecycle), reader);
  const own = withoutCalls(lifecycle, actions);
  // Where no call leads on, another scenario watches what the suite has made.
  if (own.transitions.length === lifecycle.transitions.length) return [];
  const isOwn = [...reachable(own, lifecycle.initial)].some((state) => lifecycle.terminal.includes(state));
  if (!isOwn) return [];
  const made = new MadeResources(api, operation, [parameter]);
  return facts.scenario(STREAM_CASES, {
    id: `event-stream.${operation.id}.ending`,
    title: `GET ${operation.path}, of a resource that ends without a call`,
    permissions: ['writes'],
    budgetMs: (1 + MOST_ENDINGS) * 2 * LONGEST_MS,
    alsoTakes: [occasionNeed(maker, 'ending')],
    requests: {
      ...made.requests(),
      make: api.plan(maker, { times: 1 + MOST_ENDINGS }),
      stream: api.plan(operation, { times: 1 + MOST_ENDINGS }),
      'whether it has ended': api.plan(reader, { times: 1 + MOST_ENDINGS }),
    },
    async *run(session: Session) {
      const known = await made.values(session);
      const endings = callsOn('ending', maker.id, session.fixtures).slice(0, MOST_ENDINGS);
      for (const { minMs = 0, ...call } of endings) {
        const seen = await sendOnOccasion(api, session, 'make', [maker, 'ending', call], known);
        const values = valuesOf(seen, known);
        const timeoutMs = Math.min(minMs, LONGEST_MS) + LONGEST_MS;
        const watched = await watch(session, values, { timeoutMs });
        yield* judge(session, values, watched, { id: values[parameter] });
      }
      if (endings.length > 0) return;
      const values = valuesOf(await session.send('make', inputFor(api, maker, session, known)), known);
      yield* judge(session, values, await watch(session, values, { idleMs }), { id: values[parameter] });
    },
  });

  function valuesOf(seen: Exchange, known: Values): Values {
    const id = isSuccess(seen) ? idOfCreated(api, seen, parameter) : undefined;
    if (id === undefined)
      throw new NotExercised(`bodies.${maker?.id ?? ''}`, `nothing was made: ${sketchAnswer(seen)}`);
    return { ...known, [parameter]: id };
  }
}

// --- internal ---

const MOST_ENDINGS = 3;

/** How much longer than it takes an end is waited for, and the longest time that counts for that, in milliseconds. */
const LONGEST_MS = 20_000;
