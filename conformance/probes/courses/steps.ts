import type { Operation } from '../../../contract/model.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import { CallsOfThings, actName } from './calls.ts';
import { WHICH, chosen, judgedTogether, listedAll, lookedAt, made, versionSeen } from './state.ts';
import type { CourseState } from './state.ts';
import type { CollectionModel } from './collection-model.ts';

export type Steps = Readonly<Record<string, ModelOperation<CourseState, string>>>;

/** How many bodies of changes are tried. */
const BODIES = ['0', '1', '2'] as const;

/** A step whose requests are those of the collection. */
export function courseStep<const Factors extends Readonly<Record<string, readonly string[]>>>(
  parts: Parameters<typeof operation<CourseState, string, Factors>>[0],
): Steps[string] {
  return operation<CourseState, string, Factors>(parts);
}

const MOST_THINGS = 3;
const isThere = ({ things }: CourseState): boolean => things.length > 0;

/** The calls of a collection as steps, one after the other. */
export function stepsOf(model: CollectionModel): Steps {
  const { things, actions } = model;
  return {
    create: courseStep({
      factors: {},
      // If the server takes the first body, and shows what it has made.
      sends: () => ({ create: 1 }),
      isPossible: ({ things: all }: CourseState) => all.length < MOST_THINGS,
      async *perform({ state, session }) {
        yield* made(session, state);
      },
    }),
    read: courseStep({
      factors: { which: WHICH },
      sends: () => ({ read: 1 }),
      isPossible: isThere,
      async *perform({ state, session, choices: { which } }) {
        yield* lookedAt(session, state, chosen(state, which));
      },
    }),
    ...(model.list === undefined
      ? {}
      : {
          list: courseStep({
            factors: {},
            sends: () => ({ list: 1 }),
            isPossible: isThere,
            async *perform({ state, session }) {
              yield* listedAll(session, state);
            },
          }),
        }),
    ...Object.fromEntries(
      (['patch', 'replace'] as const)
        .filter((role) => things.operation(role) !== undefined)
        .map((role) => [role, changing(model, role)]),
    ),
    ...Object.fromEntries(
      (['delete', 'restore'] as const)
        .filter((role) => things.operation(role) !== undefined)
        .map((role) => [role, removing(model, role)]),
    ),
    ...Object.fromEntries(actions.map((action) => [actName(action), acting(action)])),
  };
}

/** The condition of a change: the current tag where the sheet has conditions, or one that the thing had before. */
export function conditionOf(
  model: CollectionModel,
  role: 'patch' | 'replace' | 'delete' | 'restore',
  { tags }: { readonly tags: readonly string[] },
  version: 'current' | 'earlier',
): string | undefined {
  const one = model.things.operation(role);
  return one === undefined || model.guardOf(one) === undefined
    ? undefined
    : tags.at(version === 'current' ? -1 : -2);
}

// --- internal ---

function versionsOf(
  model: CollectionModel,
  role: 'patch' | 'replace' | 'delete',
): readonly ('current' | 'earlier')[] {
  const one = model.things.operation(role);
  return one === undefined || model.guardOf(one) === undefined ? ['current'] : ['current', 'earlier'];
}

function changing(model: CollectionModel, role: 'patch' | 'replace'): Steps[string] {
  return courseStep({
    factors: { which: WHICH, body: BODIES, version: versionsOf(model, role) },
    sends: () => ({ [role]: 1, read: 1 }),
    isPossible: isThere,
    async *perform({ state, session, choices: { which, body, version } }) {
      const thing = chosen(state, which);
      yield* versionSeen(session, state, thing);
      const ifMatch = conditionOf(model, role, thing, version);
      const call = await new CallsOfThings(model, session).change(role, thing, {
        body: Number(body),
        ifMatch,
      });
      yield* judgedTogether(session, state, thing, [call]);
    },
  });
}

function removing(model: CollectionModel, role: 'delete' | 'restore'): Steps[string] {
  return courseStep({
    factors: { which: WHICH },
    sends: () => ({ [role]: 1, read: 1 }),
    isPossible: isThere,
    async *perform({ state, session, choices: { which } }) {
      const thing = chosen(state, which);
      yield* versionSeen(session, state, thing);
      const ifMatch = conditionOf(model, role, thing, 'current');
      yield* judgedTogether(session, state, thing, [
        await new CallsOfThings(model, session).remove(role, thing, ifMatch),
      ]);
    },
  });
}

function acting(action: Operation): Steps[string] {
  return courseStep({
    factors: { which: WHICH },
    sends: () => ({ [actName(action)]: 1, read: 1 }),
    isPossible: isThere,
    async *perform({ state, session, choices: { which } }) {
      const thing = chosen(state, which);
      yield* judgedTogether(session, state, thing, [
        await new CallsOfThings(state.model, session).act(action, thing),
      ]);
    },
  });
}
