import { canonical } from '../../../contract/canonical-json.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check, RequestPlans, SendOptions, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { thingsBelow } from './below.ts';
import { asking, strongTagOf } from './conditional-matches.ts';
import type { ConditionalFacts as Facts } from './conditional-matches.ts';
import { actionsBelow, waysOf } from './lifecycle-ways.ts';
import { lifecyclesShown } from './shown-lifecycle.ts';
import type { Things } from './things.ts';

/** A call that may change what the read of a thing shows. */
export interface ChangeOfThing {
  /** Of its planned request. */
  readonly name: string;
  readonly operation: Operation;
  readonly send: (session: Session, values: Values) => Promise<Exchange>;
  /** The path of the state that it changes, if it is a call of a lifecycle. */
  readonly property?: string;
}

/**
 * The calls of its lifecycle that lead out of the first state, and the creations below it.
 *
 * @param most of each kind
 */
export function changesOfThing(
  api: OwnApi,
  reader: Operation,
  most = MOST_OF_A_KIND,
): readonly ChangeOfThing[] {
  const actions = lifecyclesShown(api, reader).flatMap((policy) =>
    actionsBelow({ api, policy }, reader)
      .filter((one) => waysOf(policy, one).some(({ from }) => from === policy.initial))
      .map((operation) => ({ operation, property: policy.property })),
  );
  const nested = thingsBelow(api, reader);
  return [
    ...actions.slice(0, most).map(({ operation, property }) => ({
      ...{ name: `change ${operation.id}`, operation, property },
      send: (session: Session, values: Values) =>
        session.send(`change ${operation.id}`, inputFor(api, operation, session, values)),
    })),
    ...nested.slice(0, most).map((things) => creationOf(things)),
  ];
}

/** The requests of `judgeChange`. */
export function plansOfChanges(api: OwnApi, changes: readonly ChangeOfThing[]): RequestPlans {
  return Object.fromEntries(changes.map(({ name, operation }) => [name, api.plan(operation)]));
}

/**
 * What a read shows changes with a call: then the tag from before names it no longer. That is so if the state is another one, or
 * if nothing but the call can have changed what is shown: two reads before it are alike, and so are two after it.
 *
 * @param input of the read
 */
export async function* judgeChange(
  facts: Facts,
  session: Session,
  change: ChangeOfThing,
  {
    things,
    input,
    values,
  }: { readonly things: Things; readonly input: SendOptions; readonly values: Values },
): AsyncGenerator<Check> {
  const { policy } = facts;
  const before = await session.send('read', input);
  const tag = strongTagOf(before);
  if (tag === undefined) return;
  const isSteady = isAlike(before, await session.send('read', input));
  const done = await change.send(session, values);
  const now = await session.send('read', input);
  if (!isSuccess(done) || !isSuccess(now)) return;
  const stateIn = (one: Exchange): unknown =>
    change.property === undefined ? undefined : at(things.shownIn(one), change.property);
  const hasMoved = stateIn(now) !== stateIn(before);
  if (!hasMoved && (!isSteady || isAlike(before, now))) return;
  const seen = await asking(session, 'again', input)(tag);
  if (!hasMoved && !isAlike(now, await session.send('read', input))) return;
  yield* facts.judge(
    'changed',
    [before, done, now, seen],
    seen.status !== policy.status,
    `the whole answer: what the read shows is another one after ${done.request.method} ${change.operation.path}`,
    sketchAnswer(seen),
  );
}

/** How often `judgeChange` reads. */
export const READS_OF_A_CHANGE = 4;

export function isAlike(one: Exchange, other: Exchange): boolean {
  return one.json === undefined
    ? Buffer.compare(one.bytes, other.bytes) === 0
    : canonical(one.json) === canonical(other.json);
}

// --- internal ---

const MOST_OF_A_KIND = 2;

function creationOf(things: Things): ChangeOfThing {
  const operation = things.operation('create') as Operation;
  const name = `change ${operation.id}`;
  return { name, operation, send: (session, values) => things.attempt(session, values, { as: name }) };
}
