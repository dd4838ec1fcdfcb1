import { isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { ResourceCases } from './resource-facts.ts';
import { writeOutcome, lastMade } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

type Presence = 'there' | 'gone';

/**
 * Whether a read finds the thing.
 *
 * @param parts.mayEnd whether it may be gone after its end, without a call
 */
export function presenceOf(
  cases: ResourceCases,
  { id, mayEnd, isUpsert }: { readonly id: string; readonly mayEnd: boolean; readonly isUpsert: boolean },
): ThingSide<Presence> {
  const next = (state: Presence, { role }: ThingCall): Presence => {
    if (role === 'delete') return 'gone';
    if (role === 'restore' || role === 'create' || (role === 'replace' && isUpsert)) return 'there';
    return state;
  };
  const anyway = (state: Presence, call: ThingCall): readonly Presence[] =>
    mayEnd ? [state, next(state, call), 'gone'] : [state, next(state, call)];
  return {
    about: `whether ${id} is there`,
    specification: {
      start: ['there'],
      anyway,
      after: (state, call) => {
        const { role, seen, isOfAnother, isOfWrite } = call;
        if (role === 'list' || isOfWrite === true) return [state];
        if (role === 'read') {
          if (isGone(seen)) return state === 'gone' || mayEnd ? ['gone'] : [];
          if (!isSuccess(seen)) return [state];
          return state === 'there' && isOfAnother !== true ? ['there'] : [];
        }
        const outcome = writeOutcome(call);
        if (outcome === 'unknown') return anyway(state, call);
        return outcome === 'refused' ? [state] : [next(state, call)];
      },
    },
    broken: (calls) => cases.of(lastMade(calls)?.role ?? 'create'),
  };
}
