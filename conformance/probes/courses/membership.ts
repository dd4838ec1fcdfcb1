import type { ResourceCases } from './resource-facts.ts';
import { writeOutcome } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

type Membership = 'in' | 'out' | 'either';

/**
 * Whether the list of its collection has the thing: from its creation until its deletion. A list may leave out things by what
 * they are, so that a change may bring it in or take it out.
 */
export function membershipOf(cases: ResourceCases, id: string): ThingSide<Membership> {
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
          return state === 'either' || state === is ? [is] : [];
        }
        const outcome = writeOutcome(call);
        if (outcome === 'unknown') return anyway(state, call);
        // What is deleted stays out, with any other call as well.
        if (outcome === 'refused' || (state === 'out' && next(call) === 'either')) return [state];
        return [next(call)];
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
