import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { callsOn } from '../../target/occasions.ts';
import { occasionNeed, sendOnOccasion } from '../document/occasions.ts';
import type { Values } from '../own-api.ts';
import type { ThingCount } from './counted-things.ts';
import type { OperationFacts } from './facts.ts';
import { fill, isFull } from './freed-capacity.ts';
import type { Things } from './things.ts';

/**
 * What comes to its end by itself counts no longer, also if no call has looked at it since. The first thing shows how long that
 * takes; the second one is one of as many as may exist, and is read only at the end.
 *
 * @param most how many things may exist
 */
export function endedThings(
  facts: OperationFacts<PolicyOf<'capacity'>>,
  { things, count, most }: { readonly things: Things; readonly count: ThingCount; readonly most: number },
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  if (policy.things?.states === undefined || things.operation('read') === undefined) return [];
  return facts.scenario(['things'], {
    id: `capacity.${operation.id}.things.ending`,
    title: `${operation.method.toUpperCase()} ${operation.path}: after one of the things has come to its end by itself`,
    permissions: ['writes'],
    needs: [occasionNeed(operation, 'ending')],
    fillsCapacity: true,
    isUndisturbed: true,
    budgetMs: 4 * LONGEST_MS,
    severalCases: facts.ids('things'),
    requests: {
      ...things.requests({ create: most + 2, read: MOST_LOOKS + 2 }, { judgesRefusal: true }),
      ending: api.plan(operation, { times: 2, judgesRefusal: true }),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const first = await ending(session, within);
      const tookMs = await timeToEnd(session, first, within);
      const second = await ending(session, within);
      const { made, last } = await fill(session, things, { within, most, first: [second] });
      if (!isFull(facts, last) || made.length < most)
        throw new NotExercised(
          'an opportunity',
          `the bound was not reached by ${made.length} things of the run: ${sketchAnswer(last)}`,
        );
      await session.clock.sleep(2 * tookMs + PAUSE_MS);
      const next = await things.attempt(session, within);
      const now = await things.call(session, 'read', count.valuesOf(second, within));
      const isOver = isSuccess(now) && count.counts(things.shownIn(now)) === false;
      if (!isSuccess(next) && !(isOver && isFull(facts, next)))
        throw new NotExercised('an opportunity', `it has not come to its end: ${sketchAnswer(now)}`);
      yield* facts.judge(
        'things',
        [second, last, next, now],
        isSuccess(next),
        `a creation that is not refused with ${policy.status}, after one of ${most} things has come to its end by itself`,
      );
    },
  });

  async function ending(session: Session, within: Values): Promise<Exchange> {
    const [call = {}] = callsOn('ending', operation.id, session.fixtures);
    const seen = await sendOnOccasion(api, session, 'ending', [operation, 'ending', call], within);
    if (isSuccess(seen)) return seen;
    throw new NotExercised(`bodies.${operation.id}`, `nothing was made: ${sketchAnswer(seen)}`);
  }

  /** In milliseconds. @throws {NotExercised} if it still counts after a while */
  async function timeToEnd(session: Session, made: Exchange, within: Values): Promise<number> {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const seen = await things.call(session, 'read', count.valuesOf(made, within));
      if (isSuccess(seen) && count.counts(things.shownIn(seen)) === false)
        return session.clock.now() - made.startedAt;
      await session.clock.sleep(PAUSE_MS);
    }
    throw new NotExercised('an opportunity', `it still counts after ${LONGEST_MS / 1000} s`);
  }
}

// --- internal ---

const LONGEST_MS = 30_000;
const PAUSE_MS = 1000;
const MOST_LOOKS = LONGEST_MS / PAUSE_MS;
