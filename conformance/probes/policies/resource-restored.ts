import type { PolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { Operation } from '../../../contract/model.ts';
import { inputFor } from '../document/input.ts';
import { changesOfThing, plansOfChanges } from './conditional-changes.ts';
import type { ChangeOfThing } from './conditional-changes.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { actionsBelow, callsTo, reachedByItself } from './lifecycle-ways.ts';
import { listThings } from './listed-things.ts';
import { lifecyclesShown } from './shown-lifecycle.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A deletion that is taken back, twice: a server may keep only the first version of a thing. */
export function restored(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  if (things.operation('read') === undefined || things.operation('delete') === undefined) return [];
  const states = statesOf(facts, things);
  return facts.scenario(['restored'], {
    id: `resource.${policy.collection}.restored`,
    title: `${operation.method.toUpperCase()} ${operation.path}: a deletion is taken back`,
    permissions: ['writes'],
    severalCases: facts.ids('restored'),
    requests: {
      ...things.requests({
        create: 6 + states.length,
        read: 14 + 6 * states.length,
        delete: 3 + states.length,
        restore: 3 + states.length,
        list: 20,
      }),
      ...Object.fromEntries(
        states
          .flatMap(({ calls }) => calls)
          .map((one) => [nameOf(one), facts.api.plan(one, { times: states.length })]),
      ),
      ...plansOfChanges(facts.api, creationsBelow(facts, things)),
    },
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
      yield* withWhatIsBelow(facts, things, session, within);
      for (const one of states) yield* inItsState(facts, things, session, { within, ...one });
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

// --- internal ---

/** What the thing shows of what is below it, such as a number, is back as well. */
async function* withWhatIsBelow(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  within: Thing['values'],
): AsyncGenerator<Check> {
  const creations = creationsBelow(facts, things);
  if (creations.length === 0) return;
  const { values } = await things.make(session, within);
  const empty = await things.call(session, 'read', values);
  const made: Exchange[] = [];
  for (const creation of creations) made.push(await creation.send(session, values));
  const before = await things.call(session, 'read', values);
  const gone = await things.call(session, 'delete', values);
  const body = things.bodies.valid(session, 'restore');
  const back = await things.call(session, 'restore', values, { body });
  const after = await things.call(session, 'read', values);
  const seen = [empty, ...made, before, gone, back, after];
  if (!seen.every(isSuccess)) return;
  const [none, was, is] = [empty, before, after].map((one) => things.shownIn(one) ?? {});
  // Versions and times change with each call.
  const counts = Object.keys(was ?? {}).filter(
    (name) =>
      isCount(was?.[name]) && isCount(none?.[name]) && was?.[name] !== none?.[name] && !MOVING.test(name),
  );
  for (const name of counts)
    yield* facts.judge(
      'restored',
      [before, gone, back, after],
      is?.[name] === was?.[name],
      `${name} ${String(was?.[name])}, as before the deletion`,
      `${name} ${sketch(is?.[name], 40)}`,
    );
}

function creationsBelow({ api }: OperationFacts<Resource>, things: Things): readonly ChangeOfThing[] {
  const reader = things.operation('read');
  return reader === undefined
    ? []
    : changesOfThing(api, reader).filter(({ property }) => property === undefined);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value);
}

const MOVING = /version|revision|sequence|etag|time|_at$|At$/i;

/** A state of the thing, and the calls that lead to it. */
interface StateCalls {
  readonly policy: PolicyOf<'lifecycle'>;
  readonly calls: readonly Operation[];
}

function statesOf({ api }: OperationFacts<Resource>, things: Things): readonly StateCalls[] {
  const reader = things.operation('read');
  if (reader === undefined) return [];
  return lifecyclesShown(api, reader)
    .flatMap((policy) =>
      [...callsTo(policy, actionsBelow({ api, policy }, reader)).values()].map((calls) => ({
        policy,
        calls,
      })),
    )
    .filter(({ calls }) => calls.length > 0)
    .slice(0, MOST_STATES);
}

const MOST_STATES = 6;

/** What comes back is in the state in which it was deleted, with each member that it had. */
async function* inItsState(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { within, policy, calls }: StateCalls & { readonly within: Thing['values'] },
): AsyncGenerator<Check> {
  const thing = await things.make(session, within);
  const seen: Exchange[] = [];
  for (const one of calls)
    seen.push(await session.send(nameOf(one), inputFor(facts.api, one, session, thing.values)));
  const before = await things.call(session, 'read', thing.values);
  const gone = await things.call(session, 'delete', thing.values);
  const body = things.bodies.valid(session, 'restore');
  const back = await things.call(session, 'restore', thing.values, { body });
  const after = await things.call(session, 'read', thing.values);
  // Not every state may allow a deletion.
  if (![...seen, before, gone, back, after].every(isSuccess) || back.status === 202) return;
  const [was, is] = [before, after].map((one) => things.shownIn(one) ?? {});
  const [from, to] = [was, is].map((one) => at(one, policy.property));
  const reader = things.operation('read') ?? facts.operation;
  if (typeof from === 'string')
    yield* facts.judge(
      'restored',
      [before, gone, back, after],
      typeof to === 'string' && reachedByItself({ api: facts.api, policy }, reader, from).has(to),
      `${policy.property} ${from}, as before the deletion`,
      sketch(to, 40),
    );
  const lost = Object.keys(was ?? {}).find(
    (name) => was?.[name] !== null && (is?.[name] ?? null) === null && !DELETION.test(name),
  );
  yield* facts.judge(
    'restored',
    [before, gone, back, after],
    lost === undefined,
    `every member that the thing had before its deletion, after ${calls.map(({ id }) => id).join(', ')}`,
    `no ${lost ?? ''}`,
  );
}

/** Members that are about the deletion itself. */
const DELETION = /delet|remov|trash|restor|purge|expir|archiv/i;

function nameOf({ id }: Operation): string {
  return `before: ${id}`;
}
