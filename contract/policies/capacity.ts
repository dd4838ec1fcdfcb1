/** How much a caller may hold at once (document 1, "POST /v1/models/{provider}/{model}", 429). */
export interface CapacityPolicy {
  readonly kind: 'capacity';
  readonly operations: readonly string[];
  readonly status: number;
  /** The error bucket or code of the refusal, if errors of the API have one. */
  readonly bucket?: string;
  /** How many calls of one caller may run at once; if left out, each server decides. */
  readonly calls?: number;
}

/** The capacity that all running calls of one caller use. Money in whole US cents. */
export interface HeldCapacity {
  readonly calls: number;
  readonly cents: number;
}

/** The contract gives no numbers; a bound that is left out does not apply. */
export interface CapacityBounds {
  readonly calls?: number | undefined;
  readonly cents?: number | undefined;
}

export const nothingHeld: HeldCapacity = { calls: 0, cents: 0 };

export type Admission =
  | { readonly admitted: true; readonly held: HeldCapacity }
  | { readonly admitted: false; readonly bound: 'calls' }
  | {
      readonly admitted: false;
      readonly bound: 'spend';
      /** For the spend headers: in cents, `remaining` never below zero. */
      readonly spend: { readonly limit: number; readonly current: number; readonly remaining: number };
    };

/**
 * Whether one more call may run. Only calls that would really run are checked: a replay and a refused key use
 * no capacity. The number of calls is checked first.
 *
 * @param cents the expected cost of the call
 */
export function admitCall(held: HeldCapacity, bounds: CapacityBounds, cents: number): Admission {
  if (bounds.calls !== undefined && held.calls >= bounds.calls) return { admitted: false, bound: 'calls' };
  if (bounds.cents !== undefined && held.cents + cents > bounds.cents) {
    const spend = {
      limit: bounds.cents,
      current: held.cents,
      remaining: Math.max(0, bounds.cents - held.cents),
    };
    return { admitted: false, bound: 'spend', spend };
  }
  return { admitted: true, held: { calls: held.calls + 1, cents: held.cents + cents } };
}

/** The used capacity after an admitted call has ended, in any way. */
export function releaseCall(held: HeldCapacity, cents: number): HeldCapacity {
  return { calls: Math.max(0, held.calls - 1), cents: Math.max(0, held.cents - cents) };
}
