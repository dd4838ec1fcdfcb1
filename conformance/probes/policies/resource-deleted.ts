import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { responseFor } from '../own-api.ts';
import { callBelow, callsBelow, requestsBelow } from './below.ts';
import type { OperationFacts } from './facts.ts';
import { MOST_FILTERS, MOST_PAGES, filterValuesOf, eachFiltered } from './filter-values.ts';
import { isDeclared, isDoneAgain, isRefusedBefore } from './missing-thing.ts';
import { refusal } from './refusal.ts';
import { listThings } from './listed-things.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A deleted thing is gone for every operation, and the others are still there. */
export function deleted(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { missing, gone, collection, upsert: makes, idempotentDelete: isAgain } = facts.policy;
  const stated = gone ?? missing ?? { status: 404 };
  const { operation } = facts;
  const below = callsBelow(facts.api, operation, stated.status).filter(
    ({ id }) => id !== facts.policy.operations.restore,
  );
  return facts.scenario(['deleted'], {
    id: `resource.${collection}.deleted`,
    title: `${operation.method.toUpperCase()} ${operation.path}: the deleted resource is gone`,
    permissions: ['writes'],
    severalCases: facts.ids('deleted'),
    requests: {
      ...things.requests({
        create: 6,
        read: 10 + below.length,
        list: 20 + MOST_FILTERS * MOST_PAGES,
        delete: 3,
        patch: 1,
        replace: 1,
      }),
      ...requestsBelow(facts.api, below),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const [thing, other] = [await things.make(session, within), await things.make(session, within)];
      const seen = await things.call(session, 'delete', thing.values);
      if (seen.status === 202) throw new NotExercised('an opportunity', 'the resource is deleted later: 202');
      yield* facts.judge(
        'deleted',
        [thing.made, seen],
        isSuccess(seen),
        'a success for an existing resource',
      );
      if (!isSuccess(seen)) return;
      for (const role of ['read', 'delete', 'patch', 'replace', 'read'] as const) {
        const own = things.operation(role);
        if (own === undefined || (role === 'replace' && makes === true)) continue;
        const isJudged = role === 'read' || (role === 'delete' && isAgain === true);
        if (!isJudged && !isDeclared(facts, own, stated.status)) continue;
        // The document has another refusal for this call.
        if (!isJudged && gone !== undefined && responseFor(own, gone.status) === undefined) continue;
        const again = await things.call(session, role, thing.values, {
          body: things.bodies.change(session, role, thing.sent),
          ifMatch: null,
        });
        if (role !== 'read' && isRefusedBefore(own, again)) continue;
        if (role === 'delete' && isAgain === true) {
          yield* facts.judge('deleted', [seen, again], isSuccess(again), 'a success for a second deletion');
          continue;
        }
        if (isDoneAgain(own, role, again, stated.status)) continue;
        yield* refusal(facts, 'deleted', again, stated, 'for the deleted resource');
      }
      for (const one of below) {
        const again = await callBelow(facts.api, session, one, thing.values);
        if (isSuccess(again) && (await isBack(things, session, thing))) return;
        if (!isRefusedBefore(one, again))
          yield* refusal(facts, 'deleted', again, stated, `to ${one.id} of the deleted resource`);
      }
      if (things.operation('list') !== undefined) {
        const { ids, pages } = await listThings(things, session, within);
        yield* facts.judge(
          'deleted',
          [seen, ...pages.slice(-1)],
          !ids.has(String(thing.id)),
          'a list without it',
          `a list with ${String(thing.id)}`,
        );
        const conditions = filterValuesOf(facts, things, things.shownIn(thing.made));
        yield* eachFiltered(things, session, within, { conditions }, (said, list) =>
          facts.judge(
            'deleted',
            [seen, ...list.pages.slice(-1)],
            !list.ids.has(String(thing.id)),
            `a list without it, with ${said}`,
            `a list with ${String(thing.id)}`,
          ),
        );
      }
      if (things.operation('read') !== undefined) {
        const kept = await things.call(session, 'read', other.values);
        yield* facts.judge(
          'deleted',
          [seen, kept],
          isSuccess(kept),
          `the other resource ${String(other.id)}`,
        );
        if (facts.policy.id.form === 'caller' || makes === true) return;
        // No new resource has the id of a deleted one, not even that of the newest.
        const newest = await things.make(session, within);
        if (!isSuccess(await things.call(session, 'delete', newest.values))) return;
        const { made } = await things.make(session, within);
        const again = await things.call(session, 'read', newest.values);
        yield* facts.judge(
          'deleted',
          [newest.made, made, again],
          !isSuccess(again),
          `no resource ${String(newest.id)} after another creation`,
          sketchAnswer(again),
        );
      }
    },
  });
}

// --- internal ---

/** Whether a call took back the deletion: the sheet may not say that it does. */
async function isBack(things: Things, session: Session, { values }: Thing): Promise<boolean> {
  return things.operation('read') !== undefined && isSuccess(await things.call(session, 'read', values));
}
