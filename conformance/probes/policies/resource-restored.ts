import type { PolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import { changesOfThing, plansOfChanges } from './conditional-changes.ts';
import type { ChangeOfThing } from './conditional-changes.ts';
import type { OperationFacts } from './facts.ts';
import { judgeShown } from './judge-shown.ts';
import { listThings } from './listed-things.ts';
import { type Move, moveOf } from './moved-thing.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A deletion that is taken back, twice: a server may keep only the first version of a thing. */
export function restored(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  if (things.operation('read') === undefined || things.operation('delete') === undefined) return [];
  const move = moveOf(facts, things, () => true);
  return facts.scenario(['restored'], {
    id: `resource.${policy.collection}.restored`,
    title: `${operation.method.toUpperCase()} ${operation.path}: a deletion is taken back`,
    permissions: ['writes'],
    severalCases: facts.ids('restored'),
    requests: {
      ...things.requests({ create: 7, read: 16, delete: 4, restore: 4, list: 20 }),
      ...plansOfChanges(facts.api, creationsBelow(facts, things)),
      ...(move === undefined ? {} : { move: facts.api.plan(move.action) }),
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
      if (move !== undefined) yield* inItsState(facts, things, session, { within, move });
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

/** What comes back is in the state in which it was deleted. */
async function* inItsState(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { within, move }: { readonly within: Thing['values']; readonly move: Move },
): AsyncGenerator<Check> {
  const thing = await things.make(session, within);
  await session.send('move', inputFor(facts.api, move.action, session, thing.values));
  const before = await things.call(session, 'read', thing.values);
  const gone = await things.call(session, 'delete', thing.values);
  const body = things.bodies.valid(session, 'restore');
  const back = await things.call(session, 'restore', thing.values, { body });
  const after = await things.call(session, 'read', thing.values);
  const [was, is] = [before, after].map((seen) => at(things.shownIn(seen), move.member));
  // Not every state may allow a deletion.
  if (![before, gone, back, after].every(isSuccess) || typeof was !== 'string') return;
  yield* facts.judge(
    'restored',
    [before, gone, back, after],
    was === is,
    `${move.member} ${was}, as before the deletion`,
    sketch(is, 40),
  );
}
