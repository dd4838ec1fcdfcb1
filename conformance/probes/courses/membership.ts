import type { ResourceCases } from './resource-facts.ts';
import { writeOutcome } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

type Membership = 'in' | 'out' | 'either';

/**
 * Whether the list of its collection has the thing: from its creation until its deletion. A list may leave out things by what
 * they are, so that a change may bring it in or take it out.
 *
 * @param parts.mayMove whether its state may change after the answer to a call, or without one
 */
export function membershipOf(
  cases: ResourceCases,
  { id, isUpsert, mayMove }: { readonly id: string; readonly isUpsert: boolean; readonly mayMove: boolean },
): ThingSide<Membership> {
  const next = ({ role }: ThingCall): Membership =>
    role === 'delete' ? 'out' : role === 'create' || role === 'restore' ? 'in' : 'either';
  const anyway = (state: Membership, call: ThingCall): readonly Membership[] =>
    call.role === 'read' || call.role === 'list' ? [state] : [state, next(call)];
  return {
    about: `whether the list has ${id}`,
    specification: {
      start: ['in'],
      anyway,
      after: (state, call) => {
        const { role, shown } = call;
        if (role === 'read' || (role === 'list' && shown === undefined)) return [state];
        if (role === 'list') {
          const is: Membership = shown === null ? 'out' : 'in';
          if (state !== 'either') return state === is || (mayMove && is === 'out') ? [state] : [];
          return [mayMove ? state : is];
        }
        const outcome = writeOutcome(call);
        if (outcome === 'unknown') return anyway(state, call);
        // What is deleted stays out, unless a call makes it again.
        const mayMake = role === 'create' || role === 'restore' || (role === 'replace' && isUpsert);
        return [outcome === 'refused' || (state === 'out' && !mayMake) ? state : next(call)];
      },
    },
    broken: (calls) => {
      const write = calls.findLast(
        (call) => (call.role === 'delete' || call.role === 'restore') && writeOutcome(call) === 'made',
      );
      return cases.of(write?.role ?? 'list');
    },
  };
}
