import type { PolicyOf } from '../../../contract/index.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import { isBelow } from './below.ts';
import { ThingCount } from './counted-things.ts';
import type { OperationFacts } from './facts.ts';
import { fill, isFull } from './freed-capacity.ts';
import { waysToEndOf } from './stream-end.ts';
import type { WayToEnd } from './stream-end.ts';
import { thingsOf } from './things.ts';
import type { Things } from './things.ts';

type Facts = OperationFacts<PolicyOf<'capacity'>>;

/**
 * A call below a thing that makes another one, such as a retry of what has failed, where creations have filled the bound that
 * both have.
 *
 * @param most how many things are created for one rule
 * @returns `undefined` if the operation is no such call
 */
export function boundedActions(facts: Facts, most: number): readonly Scenario[] | undefined {
  const { api, operation, policy } = facts;
  const bound = policy.things;
  const known = filledBy(facts);
  if (bound === undefined || known === undefined || bound.most > most) return undefined;
  const { things, way } = known;
  const count = new ThingCount(facts, things, false);
  return facts.scenario(['things'], {
    id: `capacity.${operation.id}.things`,
    title: `${operation.method.toUpperCase()} ${operation.path}: where as many things exist as may`,
    permissions: ['writes'],
    fillsCapacity: true,
    isFirst: true,
    isUndisturbed: true,
    severalCases: facts.ids('things'),
    requests: {
      ...things.requests({ create: bound.most + 3, read: 2 * bound.most + 4 }, { judgesRefusal: true }),
      ...way.requests,
      action: api.plan(operation, { judgesRefusal: true }),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const ended = await things.make(session, within, { isLater: true });
      if ((await way.go(session, ended.values)) === undefined)
        throw new NotExercised('an opportunity', 'the thing did not come to its end');
      const { made, last } = await fill(session, things, { within, most: bound.most });
      // What others have may come to its end in the meantime.
      if (!isFull(facts, last) || made.length < bound.most)
        throw new NotExercised(
          'an opportunity',
          `the bound was not reached by ${made.length} things of the run: ${sketchAnswer(last)}`,
        );
      const seen = await session.send('action', inputFor(api, operation, session, ended.values));
      // It may be refused for something else, such as the end that the thing came to.
      if (!isSuccess(seen) && !isFull(facts, seen))
        throw new NotExercised('an opportunity', `the call was refused: ${sketchAnswer(seen)}`);
      if (isSuccess(seen) && (await count.whyNot(session, made, within)) !== undefined) return;
      yield* facts.judge(
        'things',
        [...made, last, seen],
        !isSuccess(seen),
        `a refusal with ${policy.status}, as of creations: ${bound.most} things exist`,
      );
    },
  });
}

// --- internal ---

/** The things that creations fill the same bound with, and the calls that bring one to its end. */
function filledBy(facts: Facts): { readonly things: Things; readonly way: WayToEnd } | undefined {
  const { api, operation, policy } = facts;
  for (const resource of resourcesOf(api.contract)) {
    const things = thingsOf(api, resource);
    const reader = things.operation('read');
    const isOfBound = policy.operations.includes(resource.operations.create ?? '');
    if (reader === undefined || !isOfBound || !isBelow(operation, reader)) continue;
    const [way] = waysToEndOf(facts, reader);
    if (way !== undefined) return { things, way };
  }
  return undefined;
}
