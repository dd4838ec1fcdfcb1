import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { responseFor } from '../own-api.ts';
import type { Values } from '../own-api.ts';
import { callBelow, callsBelow, requestsBelow, thingsBelow } from './below.ts';
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
  const children = childrenOf(facts, things);
  return facts.scenario(['deleted'], {
    id: `resource.${collection}.deleted`,
    title: `${operation.method.toUpperCase()} ${operation.path}: the deleted resource is gone`,
    permissions: ['writes'],
    severalCases: facts.ids('deleted'),
    requests: {
      ...things.requests({
        create: 7,
        read: 10 + below.length,
        list: 20 + MOST_FILTERS * MOST_PAGES,
        delete: 4,
        patch: 1,
        replace: 1,
      }),
      ...requestsBelow(facts.api, below),
      ...Object.fromEntries(
        children.flatMap(({ create, read }) => [
          [nameOf(create), facts.api.plan(create)],
          [nameOf(read), facts.api.plan(read, { times: 2 })],
        ]),
      ),
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
      yield* judgeChildren(facts, things, session, { within, children });
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

/** A resource whose things are below others. */
interface Child {
  readonly things: Things;
  readonly create: Operation;
  readonly read: Operation;
}

const MOST_CHILDREN = 3;

function childrenOf({ api, operation }: OperationFacts<Resource>, around: Things): readonly Child[] {
  const thing = around.operation('read') ?? operation;
  return thingsBelow(api, thing)
    .flatMap((things): readonly Child[] => {
      const [create, read] = [things.operation('create'), things.operation('read')];
      const isChild = create !== undefined && read?.path.startsWith(`${thing.path}/`) === true;
      return isChild ? [{ things, create, read }] : [];
    })
    .slice(0, MOST_CHILDREN);
}

/** What was below a deleted thing is no longer found. Where it prevents the deletion, nothing is judged. */
async function* judgeChildren(
  facts: OperationFacts<Resource>,
  around: Things,
  session: Session,
  { within, children }: { readonly within: Values; readonly children: readonly Child[] },
): AsyncGenerator<Check> {
  if (children.length === 0) return;
  const parent = await around.make(session, within);
  const made: { readonly child: Child; readonly values: Values; readonly seen: Exchange }[] = [];
  for (const child of children) {
    const seen = await child.things.attempt(session, parent.values, { as: nameOf(child.create) });
    const id = isSuccess(seen) ? child.things.madeId(seen) : undefined;
    if (id !== undefined)
      made.push({ child, seen, values: { ...parent.values, [child.things.roles.parameter]: id } });
  }
  const read = ({ child, values }: (typeof made)[number]): Promise<Exchange> =>
    child.things.send(session, nameOf(child.read), child.read, values, {});
  const before: Exchange[] = [];
  for (const one of made) before.push(await read(one));
  const gone = await around.call(session, 'delete', parent.values);
  if (!isSuccess(gone) || gone.status === 202) return;
  for (const [index, one] of made.entries()) {
    const [was, now] = [before[index], await read(one)];
    if (was === undefined || !isSuccess(was)) continue;
    yield* facts.judge(
      'deleted',
      [one.seen, was, gone, now],
      !isSuccess(now),
      `a refusal of ${one.child.read.id}, because what it was below is deleted`,
      sketchAnswer(now),
    );
  }
}

function nameOf({ id }: Operation): string {
  return `child ${id}`;
}

/** Whether a call took back the deletion: the sheet may not say that it does. */
async function isBack(things: Things, session: Session, { values }: Thing): Promise<boolean> {
  return things.operation('read') !== undefined && isSuccess(await things.call(session, 'read', values));
}
