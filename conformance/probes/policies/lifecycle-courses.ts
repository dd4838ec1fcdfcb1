import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { callsTo, waysOf } from './lifecycle-ways.ts';
import { reachable } from './reachable.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/** Calls of one new thing, one after the other. */
export interface CallCourse {
  readonly calls: readonly Operation[];
  /** The state in which the first call is sent, if it is not that of a new thing. */
  readonly from?: string;
}

/** Each call twice, each ordered pair of calls, and those in later states; of many calls, those in each state. */
export function coursesOf(policy: Lifecycle, actions: readonly Operation[]): readonly CallCourse[] {
  if (actions.length > MOST_IN_PAIRS) return coursesByState(policy, actions).map((calls) => ({ calls }));
  return [
    ...actions.map((one) => [one, one]),
    ...actions.flatMap((one) => actions.filter((other) => other !== one).map((other) => [one, other])),
    ...laterCourses(policy, actions),
  ].map((calls) => ({ calls }));
}

/** Each call twice, in each state in which it is possible and to which the resource comes without a call. */
export function coursesOnTheWay(
  ownWays: Pick<Lifecycle, 'transitions'>,
  policy: Lifecycle,
  actions: readonly Operation[],
): readonly CallCourse[] {
  const reached = reachable(ownWays, policy.initial);
  return actions
    .flatMap((one) => waysOf(policy, one).map(({ from }) => ({ calls: [one, one], from })))
    .filter(({ from }) => from !== policy.initial && reached.has(from))
    .slice(0, MOST_ON_THE_WAY);
}

// --- internal ---

/** How many states are tried to which only several calls lead. */
const MOST_LATER = 4;

/** Of so many calls, each pair is tried. */
const MOST_IN_PAIRS = 4;
const MOST_STATES = 12;
const MOST_ON_THE_WAY = 4;

/** In each state that calls lead to: all calls that it excludes, one after the other, and each other one twice. */
function coursesByState(policy: Lifecycle, actions: readonly Operation[]): readonly (readonly Operation[])[] {
  return [...callsTo(policy, actions)].slice(0, MOST_STATES).flatMap(([state, way]) => {
    const isPossible = (one: Operation): boolean => waysOf(policy, one).some(({ from }) => from === state);
    const excluded = actions.filter((one) => !isPossible(one));
    return [
      ...(excluded.length === 0 ? [] : [[...way, ...excluded]]),
      ...actions.filter(isPossible).map((one) => [...way, one, one]),
    ];
  });
}

/** Every call in the states to which at least two calls lead. */
function laterCourses(policy: Lifecycle, actions: readonly Operation[]): readonly (readonly Operation[])[] {
  return [...callsTo(policy, actions).values()]
    .filter(({ length }) => length > 1)
    .slice(0, MOST_LATER)
    .flatMap((way) => actions.map((action) => [...way, action]));
}
