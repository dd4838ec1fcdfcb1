import { isGone, isSuccess } from '../../exchanges/exchange.ts';
import type { ResourceCases } from './resource-facts.ts';
import { isWrite, lastMade, writeOutcome } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

/** `ending`: it is there, and may be gone without a call, because it may have come to its end. */
type Presence = 'there' | 'ending' | 'gone';

/**
 * Whether a read finds the thing.
 *
 * @param parts.mayEnd whether a call can bring it to an end, after which it may be gone
 * @param parts.endsAlone whether it can come to that end without a call
 */
export function presenceOf(
  cases: ResourceCases,
  parts: {
    readonly id: string;
    readonly mayEnd: boolean;
    readonly endsAlone: boolean;
    readonly isUpsert: boolean;
  },
): ThingSide<Presence> {
  const { id, mayEnd, endsAlone, isUpsert } = parts;
  const there: Presence = endsAlone ? 'ending' : 'there';
  const next = (state: Presence, { role }: ThingCall): Presence => {
    if (role === 'delete') return 'gone';
    if (role === 'restore' || role === 'create' || (role === 'replace' && isUpsert))
      return mayEnd ? 'ending' : there;
    return state === 'there' && mayEnd ? 'ending' : state;
  };
  const anyway = (state: Presence, call: ThingCall): readonly Presence[] =>
    isWrite(call) ? [state, next(state, call)] : [state];
  return {
    about: `whether ${id} is there`,
    specification: {
      start: [there],
      anyway,
      after: (state, call) => {
        const { role, seen, isOfAnother, isOfWrite } = call;
        if (role === 'list' || isOfWrite === true) return [state];
        if (role === 'read') {
          if (isGone(seen)) return state === 'there' ? [] : ['gone'];
          if (!isSuccess(seen)) return [state];
          return state === 'gone' || isOfAnother === true ? [] : [state];
        }
        const outcome = writeOutcome(call);
        if (outcome === 'unknown') return anyway(state, call);
        return outcome === 'refused' ? [state] : [next(state, call)];
      },
    },
    broken: (calls) => cases.of(lastMade(calls)?.role ?? 'create'),
  };
}
