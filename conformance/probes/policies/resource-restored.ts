import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { listThings } from './listed-things.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A deletion that is taken back, twice: a server may keep only the first version of a thing. */
export function restored(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  if (things.operation('read') === undefined || things.operation('delete') === undefined) return [];
  return facts.scenario(['restored'], {
    id: `resource.${policy.collection}.restored`,
    title: `${operation.method.toUpperCase()} ${operation.path}: a deletion is taken back`,
    permissions: ['writes'],
    severalCases: facts.ids('restored'),
    requests: things.requests({ create: 4, read: 8, delete: 2, restore: 2, list: 20 }),
    async *run(session: Session) {
      const within = await things.within(session);
      const thing = await things.make(session, within, { isVaried: true });
      for (let time = 0; time < 2; time += 1) {
        const gone = await things.call(session, 'delete', thing.values);
        if (!isSuccess(gone) || gone.status === 202)
          throw new NotExercised('an opportunity', `the resource was not deleted: ${sketchAnswer(gone)}`);
        const seen = await things.call(session, 'restore', thing.values, {
          body: things.bodies.valid(session, 'restore'),
        });
        yield* facts.judge(
          'restored',
          [gone, seen],
          isSuccess(seen),
          'a success for a deleted resource',
          sketchAnswer(seen),
        );
        if (!isSuccess(seen)) return;
        if (seen.status === 202) throw new NotExercised('an opportunity', 'the resource is back later: 202');
        const now = await things.call(session, 'read', thing.values);
        for (const shown of things.shownIn(seen) === undefined ? [now] : [now, seen])
          yield* judgeShown(facts, 'restored', things, shown, thing);
      }
      if (things.operation('list') === undefined) return;
      const { ids, pages, isAll } = await listThings(things, session, within);
      if (isAll)
        yield* facts.judge(
          'restored',
          [thing.made, ...pages.slice(-1)],
          ids.has(String(thing.id)),
          `a list with ${String(thing.id)}`,
          `${ids.size} things without it`,
        );
    },
  });
}
