import { isActionPath } from '../../../contract/sheet/action-path.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isCalled, thingPlace } from '../document/thing-places.ts';
import { isRead } from '../own-api.ts';
import type { Facts } from './facts.ts';
import { reachable } from './reachable.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/** Calls below one resource, and calls elsewhere that name it and a transition; those with the name of a transition first. */
export function actionsBelow(
  { api, policy }: Pick<Facts<Lifecycle>, 'api' | 'policy'>,
  reader: Operation,
): readonly Operation[] {
  const own = thingPlace(api, reader)?.resource;
  const isActionElsewhere = (one: Operation): boolean =>
    isNamedBy(policy, one) && own !== undefined && thingPlace(api, one)?.resource === own;
  return api.operations
    .filter((one) => isActionPath(one.path, reader.path) || isActionElsewhere(one))
    .filter((one) => !isRead(one) && one.method !== 'delete')
    .sort((one, other) => Number(isNamedBy(policy, other)) - Number(isNamedBy(policy, one)))
    .slice(0, MOST_ACTIONS);
}

/** The transitions with the name of this call. */
export function waysOf({ transitions }: Lifecycle, action: Operation): Lifecycle['transitions'] {
  return transitions.filter(({ on }) => isCalled(action, on));
}

/** The lifecycle with those of its transitions alone that happen without a call. */
export function withoutCalls(
  policy: Lifecycle,
  actions: readonly Operation[],
): Pick<Lifecycle, 'transitions'> {
  const called = new Set(actions.flatMap((one) => waysOf(policy, one)));
  return { transitions: policy.transitions.filter((way) => !called.has(way)) };
}

/** The states to which a thing can come from one without a call, with that one. */
export function reachedByItself(
  { api, policy }: Pick<Facts<Lifecycle>, 'api' | 'policy'>,
  reader: Operation,
  from: string,
): ReadonlySet<string> {
  return reachable(withoutCalls(policy, actionsBelow({ api, policy }, reader)), from);
}

/** The fewest calls that lead a new thing to each state that calls reach, by state: the nearest first. */
export function callsTo(
  policy: Lifecycle,
  actions: readonly Operation[],
): ReadonlyMap<string, readonly Operation[]> {
  const ways = new Map<string, readonly Operation[]>([[policy.initial, []]]);
  // Iterating a map also visits entries that are added during the loop.
  for (const [state, way] of ways)
    for (const action of actions)
      for (const { from, to } of waysOf(policy, action))
        if (from === state && !ways.has(to)) ways.set(to, [...way, action]);
  return ways;
}

/** Whether a transition has the name of a call. */
export function isNamedBy({ transitions }: Lifecycle, operation: Operation): boolean {
  return transitions.some(({ on }) => isCalled(operation, on));
}

// --- internal ---

const MOST_ACTIONS = 12;
