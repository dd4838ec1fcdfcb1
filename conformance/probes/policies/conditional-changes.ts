import { canonical } from '../../../contract/canonical-json.ts';
import { lifecyclesOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check, RequestPlans, SendOptions, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { asking, tagOf } from './conditional-matches.ts';
import type { ConditionalFacts as Facts } from './conditional-matches.ts';
import { actionsBelow, waysOf } from './lifecycle-calls.ts';
import { showsSchema } from './shown-lifecycle.ts';
import type { Things } from './things.ts';
import { thingsOf } from './things.ts';

/** A call that may change what the read of a thing shows. */
export interface ChangeOfThing {
  /** Of its planned request. */
  readonly name: string;
  readonly operation: Operation;
  readonly send: (session: Session, values: Values) => Promise<Exchange>;
}

/** The calls of its lifecycle that lead out of the first state, and the creations below it. */
export function changesOfThing(api: OwnApi, reader: Operation): readonly ChangeOfThing[] {
  const actions = lifecyclesOf(api.contract)
    .filter(({ schema }) => showsSchema(reader, schema))
    .flatMap((policy) =>
      actionsBelow({ api, policy }, reader).filter((one) =>
        waysOf(policy, one).some(({ from }) => from === policy.initial),
      ),
    );
  const nested = resourcesOf(api.contract)
    .map((policy) => thingsOf(api, policy))
    .filter((things) => isBelow(reader, things.operation('create')));
  return [
    ...actions.slice(0, MOST_OF_A_KIND).map((operation) => ({
      ...{ name: `change ${operation.id}`, operation },
      send: (session: Session, values: Values) =>
        session.send(`change ${operation.id}`, inputFor(api, operation, session, values)),
    })),
    ...nested.slice(0, MOST_OF_A_KIND).map((things) => creationOf(things)),
  ];
}

/** The requests of `judgeChange`. */
export function plansOfChanges(api: OwnApi, changes: readonly ChangeOfThing[]): RequestPlans {
  return Object.fromEntries(changes.map(({ name, operation }) => [name, api.plan(operation)]));
}

/**
 * What a read shows changes with a call: then the tag from before names it no longer. It is judged only if nothing but the call
 * can have changed it: two reads before it are alike, and so are two after it.
 *
 * @param input of the read
 */
export async function* judgeChange(
  facts: Facts,
  session: Session,
  change: ChangeOfThing,
  { input, values }: { readonly input: SendOptions; readonly values: Values },
): AsyncGenerator<Check> {
  const { policy } = facts;
  const before = await session.send('read', input);
  const tag = tagOf(before);
  if (tag === undefined || tag.startsWith('W/') || !isAlike(before, await session.send('read', input)))
    return;
  const done = await change.send(session, values);
  const now = await session.send('read', input);
  if (!isSuccess(done) || !isSuccess(now) || isAlike(before, now)) return;
  const seen = await asking(session, 'again', input)(tag);
  if (!isAlike(now, await session.send('read', input))) return;
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

function isBelow({ path }: Operation, create: Operation | undefined): boolean {
  const rest = create?.path.startsWith(`${path}/`) === true ? create.path.slice(path.length) : undefined;
  return rest !== undefined && !rest.includes('{');
}

function creationOf(things: Things): ChangeOfThing {
  const operation = things.operation('create') as Operation;
  const name = `change ${operation.id}`;
  return { name, operation, send: (session, values) => things.attempt(session, values, name) };
}
