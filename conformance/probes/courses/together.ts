import type { Operation } from '../../../contract/model.ts';
import { sentAtOnce } from '../../explore/at-once.ts';
import type { Step } from '../../explore/model.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { callsTo, waysOf } from '../policies/lifecycle-ways.ts';
import { CallsOfThings, actName } from './calls.ts';
import type { CollectionModel } from './collection-model.ts';
import { step } from './first-courses.ts';
import type { KnownThing } from './known-thing.ts';
import { chosen, judgedTogether, listedAll, madeBeside, versionSeen } from './state.ts';
import type { CourseState } from './state.ts';
import { conditionOf, courseStep } from './steps.ts';
import type { Steps } from './steps.ts';
import type { ThingCall } from './thing-call.ts';

export const TOGETHER = 'together';
const NOTHING = 'nothing';

/** @param names of the calls of the collection */
export function togetherStep(model: CollectionModel, names: readonly string[]): Steps[string] {
  const kinds = names.filter((name) => name !== 'list' || model.list !== undefined);
  const isRequired = model.guards.some(({ policy }) => policy.required !== undefined);
  return courseStep({
    factors: {
      first: kinds,
      second: kinds,
      third: [NOTHING, ...kinds],
      fourth: [NOTHING, ...kinds],
      version: model.guards.length === 0 || isRequired ? ['current'] : ['none', 'current'],
    },
    sends: (choices) => {
      const sent = calledBy(choices);
      const all = [...sent, 'read', ...(sent.includes('create') && kinds.includes('list') ? ['list'] : [])];
      return Object.fromEntries(all.map((name) => [name, all.filter((one) => one === name).length]));
    },
    isPossible: ({ things }) => things.length > 0,
    async *perform({ state, session, choices }) {
      const thing = chosen(state, 'last');
      const before = state.things.length;
      const called = calledBy(choices);
      if (choices.version === 'current') yield* versionSeen(session, state, thing);
      const settled = await sentAtOnce(
        session,
        called.map((name, index) => (own) => {
          const number = called.slice(0, index).filter((one) => one === name).length;
          const isGuarded = choices.version !== 'none';
          return callOf(own, state, thing, { name, number, isGuarded });
        }),
      );
      const calls: ThingCall[] = [];
      for (const one of settled) {
        if (one.status === 'rejected') throw one.reason as Error;
        if ('checks' in one.value) yield* one.value.checks;
        else calls.push(...one.value);
      }
      yield* judgedTogether(session, state, thing, calls);
      if (state.things.length > before && kinds.includes('list')) yield* listedAll(session, state);
    },
  });
}

/** The calls that exclude each other in each state, and the changes of which one can undo another. */
export function coursesTogether(model: CollectionModel): readonly (readonly Step[])[] {
  const { lives } = model;
  const pair = (first: string, second: string, more: Step['choices'] = {}): Step =>
    step(TOGETHER, { first, second, ...more });
  return [
    ...lives.flatMap((life) =>
      [...callsTo(life.facts.policy, life.actions)].flatMap(([state, way]) => {
        const leaving = life.actions.filter((one) =>
          waysOf(life.facts.policy, one).some(({ from }) => from === state),
        );
        const before = [step('create'), ...way.map((one) => step(actName(one)))];
        return pairsOfActions(leaving).map(([one, other]) => {
          const [first, second] = [actName(one), actName(other)];
          // The more of them meet, the likelier one comes between the look and the write of another.
          return [...before, pair(first, second, { third: first, fourth: second })];
        });
      }),
    ),
    [
      step('create'),
      pair('patch', 'patch', { version: 'none' }),
      pair('patch', 'patch', { version: 'current' }),
      pair('replace', 'replace', { version: 'current' }),
      pair('replace', 'patch', { version: 'none' }),
      pair('patch', 'read', { third: 'read' }),
      step('read'),
    ],
    [step('create'), pair('patch', 'delete')],
    [step('create'), pair('replace', 'delete')],
    [step('create'), pair('create', 'delete')],
  ];
}

// --- internal ---

function calledBy(choices: Step['choices']): readonly string[] {
  return ['first', 'second', 'third', 'fourth'].flatMap((place) => {
    const name = choices[place] ?? NOTHING;
    return name === NOTHING ? [] : [name];
  });
}

function pairsOfActions(actions: readonly Operation[]): readonly (readonly [Operation, Operation])[] {
  return actions.flatMap((one, index) => actions.slice(index + 1).map((other) => [one, other] as const));
}

/** One of several calls at once about a thing; a creation makes another one, and has checks of its own. */
async function callOf(
  session: Session,
  state: CourseState,
  thing: KnownThing,
  {
    name,
    number,
    isGuarded,
  }: { readonly name: string; readonly number: number; readonly isGuarded: boolean },
): Promise<readonly ThingCall[] | { readonly checks: readonly Check[] }> {
  const { model, within } = state;
  const calls = new CallsOfThings(model, session);
  const tag = (role: 'patch' | 'replace' | 'delete'): string | undefined =>
    isGuarded ? conditionOf(model, role, thing, 'current') : undefined;
  switch (name) {
    case 'read':
      return [await calls.read(thing)];
    case 'list':
      return [...(await calls.list([thing], within, { isQuiet: false })).values()];
    case 'patch':
    case 'replace':
      return [await calls.change(name, thing, { body: number, ifMatch: tag(name) })];
    case 'delete':
      return [await calls.remove(name, thing, tag(name))];
    case 'restore':
      return [await calls.remove(name, thing, undefined)];
    case 'create':
      return { checks: await madeIfPossible(session, state) };
    default: {
      const action = model.actions.find((one) => actName(one) === name);
      return action === undefined ? [] : [await calls.act(action, thing)];
    }
  }
}

/** Another thing; none if the server does not make one beside other calls. */
async function madeIfPossible(session: Session, state: CourseState): Promise<readonly Check[]> {
  try {
    return await madeBeside(session, state);
  } catch (error) {
    if (error instanceof NotExercised) return [];
    throw error;
  }
}
