/** How much a caller may hold at once (document 1, "POST /v1/models/{provider}/{model}", 429): of calls, or of things. */
export interface CapacityPolicy {
  readonly kind: 'capacity';
  readonly operations: readonly string[];
  readonly status: number;
  /** The error bucket or code of the refusal, if errors of the API have one. */
  readonly bucket?: string;
  /** How many calls of one caller may run at once; if left out, each server decides. */
  readonly calls?: number;
  /** How many things of one caller that the operations created may exist at once. */
  readonly things?: BoundedThings;
}

/** A bound on things that exist. Waiting does not lift it: a thing has to be removed, or to reach another state. */
export interface BoundedThings {
  readonly most: number;
  /** The states of the lifecycle in which a thing counts; if left out, it counts for as long as it exists. */
  readonly states?: readonly string[];
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

/** Whether a thing counts towards the bound. @param state its state, if it has a lifecycle */
export function countsThing({ states }: BoundedThings, state: unknown): boolean {
  return states === undefined || (typeof state === 'string' && states.includes(state));
}

/** Whether another thing may be created. @param existing how many that count exist already */
export function admitThing(existing: number, { most }: BoundedThings): boolean {
  return existing < most;
}

/** The used capacity after an admitted call has ended, in any way. */
export function releaseCall(held: HeldCapacity, cents: number): HeldCapacity {
  return { calls: Math.max(0, held.calls - 1), cents: Math.max(0, held.cents - cents) };
}
