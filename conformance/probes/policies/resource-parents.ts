import type { PolicyOf } from '../../../contract/index.ts';
import { canonical } from '../../../contract/canonical-json.ts';
import { at, isObject, isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import { itemsIn } from '../document/ids.ts';
import { inputFor } from '../document/input.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Values } from '../own-api.ts';
import { pathParameters, streams } from '../own-api.ts';
import { isBelow } from './below.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { actionsBelow, waysOf } from './lifecycle-ways.ts';
import { isDeclared } from './missing-thing.ts';
import { lifecyclesShown } from './shown-lifecycle.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** Reads and changes a thing of one parent through the path of another parent. */
export function elsewhere(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const roles = (['read', 'patch', 'replace', 'delete', 'read'] as const).filter(
    (role) => things.operation(role) !== undefined,
  );
  const reader = things.operation('read');
  // The path of a thing may have none of its parent.
  const hasParent = pathParameters(reader ?? facts.operation).some(
    ({ name }) => name !== things.roles.parameter,
  );
  if (reader === undefined || !things.hasParents || !hasParent) return [];
  const actions = actionsOf(facts, reader);
  const reads = facts.api.operations
    .filter((one) => one.method === 'get' && isBelow(one, reader) && !streams(one))
    .slice(0, MOST_READS);
  return facts.scenario(['missing'], {
    id: `resource.${facts.policy.collection}.elsewhere`,
    title: `${facts.operation.path}: through another parent`,
    permissions: ['writes'],
    severalCases: facts.ids('missing'),
    requests: {
      ...things.requests({ create: 2, read: 10 + 2 * MOST_ACTIONS, patch: 1, replace: 1, delete: 1 }, {}, 2),
      ...Object.fromEntries(
        actions.map(({ operation }) => [nameOf(operation), facts.api.plan(operation, { times: 2 })]),
      ),
      ...Object.fromEntries(reads.map((one) => [nameOf(one), facts.api.plan(one, { times: 2 })])),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const thing = await things.make(session, within);
      const other = await things.elsewhere(session, within);
      if (other === undefined) throw new NotExercised('an opportunity', 'there is only one parent');
      const values = { ...thing.values, ...other };
      for (const role of roles) {
        const tag = role === 'read' ? null : ((await things.tag(session, thing.values)) ?? null);
        const seen = await things.call(session, role, values, {
          body: things.bodies.change(session, role, thing.sent),
          ifMatch: tag,
        });
        if (role === 'read') {
          yield* facts.judge(
            'missing',
            [thing.made, seen],
            !isSuccess(seen) || !isItem(things, thing, things.shownIn(seen)),
            `no ${String(thing.id)} through another parent`,
            sketchAnswer(seen),
          );
          continue;
        }
        const now = await things.call(session, 'read', thing.values);
        for (const check of judgeShown(facts, 'missing', things, now, thing))
          yield {
            ...check,
            exchanges: [...check.exchanges, seen.id],
            expected: `${check.expected}, after ${role} through another parent`,
          };
        if (!isSuccess(now)) return;
      }
      for (const below of reads) {
        const [own, seen] = [
          await session.send(nameOf(below), inputFor(facts.api, below, session, thing.values)),
          await session.send(nameOf(below), inputFor(facts.api, below, session, values)),
        ];
        yield* judgeConflict(facts, below, [thing.made, own, seen]);
        // Whether a list of what is not there is refused or empty is judged elsewhere.
        if (isSuccess(own) && itemsIn(below, own.json)?.length !== 0)
          yield* facts.judge(
            'missing',
            [thing.made, own, seen],
            !isSuccess(seen) || canonical(seen.json) !== canonical(own.json),
            `no ${below.path} through another parent`,
            sketchAnswer(seen),
          );
      }
      for (const { operation, property } of actions) {
        const call = (of: Values): Promise<Exchange> =>
          session.send(nameOf(operation), inputFor(facts.api, operation, session, of));
        const before = await things.call(session, 'read', thing.values);
        const seen = await call(values);
        const now = await things.call(session, 'read', thing.values);
        if (seen.status === CONFLICT)
          yield* judgeConflict(facts, operation, [thing.made, await call(thing.values), seen]);
        const [was, is] = [before, now].map((one) => at(things.shownIn(one), property));
        yield* facts.judge(
          'missing',
          [thing.made, before, seen, now],
          !isSuccess(seen) || was === is || was === undefined || is === undefined,
          `${property} ${sketch(was, 40)} as before, after ${operation.id} through another parent`,
          sketch(is, 40),
        );
      }
    },
  });
}

/** Whether an item or an answer is this thing: by its id and its values, because an id may be unique only in its parent. */
export function isItem(things: Things, { id, sent }: Thing, item: unknown): boolean {
  if (!isObject(item) || String(things.idIn(item)) !== String(id) || !isObject(sent)) return false;
  const shown = Object.keys(sent).filter((name) => Object.hasOwn(item, name));
  return shown.length > 0 && shown.every((name) => canonical(item[name]) === canonical(member(sent, name)));
}

// --- internal ---

const MOST_ACTIONS = 4;

/** The refusal of a call for the state of the thing that it is about (RFC 9110, section 15.5.10). */
const CONFLICT = 409;

interface ActionOfThing {
  readonly operation: Operation;
  /** The path of the state that it changes. */
  readonly property: string;
}

/** The calls of the lifecycles of a thing; those that are possible for a new one first. */
function actionsOf({ api }: OperationFacts<Resource>, reader: Operation): readonly ActionOfThing[] {
  return lifecyclesShown(api, reader)
    .flatMap((policy) =>
      actionsBelow({ api, policy }, reader).flatMap((operation) => {
        const ways = waysOf(policy, operation);
        const isFirst = ways.some(({ from }) => from === policy.initial);
        return ways.length === 0 ? [] : [{ operation, property: policy.property, isFirst }];
      }),
    )
    .toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .slice(0, MOST_ACTIONS);
}

/** A call that is refused for the state of a thing has found it: that must not happen through another parent. */
function* judgeConflict(
  facts: OperationFacts<Resource>,
  operation: Operation,
  [made, own, seen]: readonly [Exchange, Exchange, Exchange],
): Generator<Check> {
  const { missing: stated = { status: 404 } } = facts.policy;
  if (own.status !== CONFLICT || !isDeclared(facts, operation, stated.status)) return;
  yield* facts.judge(
    'missing',
    [made, own, seen],
    seen.status !== CONFLICT,
    `${stated.status} for ${operation.path} through another parent, and not the refusal for the state of the thing`,
    sketchAnswer(seen),
  );
}
const MOST_READS = 2;

function nameOf({ id }: Operation): string {
  return `below ${id}`;
}
