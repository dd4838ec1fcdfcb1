import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import { CallsOfThings, moment, withVersions } from './calls.ts';
import type { KnownThing } from './known-thing.ts';
import { isWrite } from './thing-call.ts';
import type { ThingCall } from './thing-call.ts';
import type { CollectionModel } from './collection-model.ts';

/** The things that a course has made, the newest last, below one parent. */
export interface CourseState {
  readonly model: CollectionModel;
  readonly within: Values;
  readonly things: KnownThing[];
}

/** Which of the things a step is about. */
export const WHICH = ['last', 'first'] as const;

export function chosen({ things }: CourseState, which: (typeof WHICH)[number]): KnownThing {
  const thing = which === 'last' ? things.at(-1) : things[0];
  if (thing === undefined) throw new Error('a step is about a thing, and the course has made none');
  return thing;
}

/**
 * @param isVaried whether it differs from others in what it may
 * @throws {NotExercised} if nothing is made at once
 */
export async function* made(
  session: Session,
  state: CourseState,
  isVaried = false,
): AsyncGenerator<Check, KnownThing> {
  const { model, within } = state;
  const thing = await model.things.make(session, within, { isLater: true, isVaried });
  if (thing.made.status === 202) throw new NotExercised('an opportunity', 'the resource is made later: 202');
  if (state.things.some(({ id }) => id === String(thing.id)))
    throw new NotExercised('an opportunity', 'a creation returns a thing that exists');
  const known = model.known(thing);
  yield* heardBeside(state, known, [{ role: 'beside', operation: model.create, seen: thing.made }]);
  state.things.push(known);
  const shown = new CallsOfThings(model, session).creation(known, thing.made);
  if (shown !== undefined) yield* known.judge([{ call: shown }]);
  else yield* lookedAt(session, state, known);
  return known;
}

/**
 * Makes a thing while other calls are under way.
 *
 * @throws {NotExercised} if nothing is made at once
 */
export async function madeBeside(
  session: Session,
  state: CourseState,
  isVaried = false,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for await (const check of made(session, state, isVaried)) checks.push(check);
  return checks;
}

/** Makes calls about a thing at one moment, and reads it after them. */
export async function* judgedTogether(
  session: Session,
  state: CourseState,
  thing: KnownThing,
  calls: readonly ThingCall[],
): AsyncGenerator<Check> {
  const { model } = state;
  const now = await new CallsOfThings(model, session).read(thing);
  yield* thing.judge(moment(withVersions(calls, thing, now, model.api)));
  yield* thing.judge([{ call: now }]);
  yield* heardBeside(state, thing, calls.filter(isWrite));
}

/** Reads a thing whose version is not known, where changes name it. */
export async function* versionSeen(
  session: Session,
  state: CourseState,
  thing: KnownThing,
): AsyncGenerator<Check> {
  if (state.model.guards.length > 0 && thing.tags.length === 0) yield* lookedAt(session, state, thing);
}

export async function* lookedAt(
  session: Session,
  { model }: CourseState,
  thing: KnownThing,
): AsyncGenerator<Check> {
  yield* thing.judge([{ call: await new CallsOfThings(model, session).read(thing) }]);
}

export async function* listedAll(
  session: Session,
  { model, within, things }: CourseState,
): AsyncGenerator<Check> {
  for (const [thing, call] of await new CallsOfThings(model, session).list(things, within))
    yield* thing.judge([{ call }]);
}

/** The calls of one thing, as the others of its course may have noticed them. */
export function* heardBeside(
  { things }: CourseState,
  thing: KnownThing,
  calls: readonly ThingCall[],
): Generator<Check> {
  for (const other of things)
    if (other !== thing)
      for (const { operation, seen } of calls)
        yield* other.judge([{ call: { role: 'beside', operation, seen } }]);
}
