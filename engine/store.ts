/** The state that all processes of a server share: keys, their answers, and the capacity in use. */

/** An exact copy of an answer, for replays. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What a request that presents a key may do. The call that claims a free key owns it under its `fence`. */
export type Claim<Copy = StoredResponse> =
  /** `collecting`: an earlier call ended with its work still under way; it is to be waited for, not started again. */
  | { readonly state: 'new'; readonly fence: string; readonly collecting?: boolean }
  /** `delivering`: its answer is on its way, so that it soon comes to an end, whatever becomes of its owner. */
  | { readonly state: 'inFlight'; readonly retryAfterMs: number; readonly delivering?: boolean }
  | { readonly state: 'recorded'; readonly response: Copy }
  | { readonly state: 'consumed' }
  | { readonly state: 'mismatch' };

/**
 * Keys and what became of them. Each operation is atomic for all processes that share the store, and counts time by the
 * store's own clock. A fence that no longer owns its key changes nothing: every late end is discarded.
 *
 * `prepare`, `record`, `consume`, `park` and `release` resolve with whether the fence owned its key. A client may send a
 * command twice when it heard no answer, so each of them has the effect of once, and says `true` again when the key is
 * already in the state that this fence asked for.
 *
 * Times are milliseconds above 0 and at most `LONGEST_MS`. Fractions are rounded up; anything else is a RangeError.
 */
export interface IdempotencyStore<Copy = StoredResponse> {
  /**
   * Claims a key, or tells why not. The claim lasts `leaseMs` milliseconds and is renewed while the call runs, so that
   * the key of a process that died becomes free. A claim that fails and nevertheless arrives later must not last.
   *
   * @param scope whose key it is and for what: the same key in two scopes is two keys
   * @param bodyHash what a later request with the same key is compared by
   */
  claim(scope: string, key: string, bodyHash: string, leaseMs: number): Promise<Claim<Copy>>;
  /** Whether the fence still owns its key, which it then does for `leaseMs` milliseconds from now. */
  renew(fence: string, leaseMs: number): Promise<boolean>;
  /**
   * Keeps the answer before it leaves, or that there is one which cannot be replayed. The key stays in flight; but should
   * its owner die now, it does not become free when the lease ends, since the answer may have arrived.
   *
   * @param leaseMs from now on the claim lasts so long; as long as before where it is left out
   * @throws {TypeError} for headers that HTTP cannot carry, see `keepable`
   */
  prepare(fence: string, response: Copy | undefined, ttlMs: number, leaseMs?: number): Promise<boolean>;
  /**
   * Keeps the answer for replays.
   *
   * @throws {TypeError} for headers that HTTP cannot carry, see `keepable`
   */
  record(fence: string, response: Copy, ttlMs: number): Promise<boolean>;
  /** Marks the key as used up, without an answer to replay. */
  consume(fence: string, ttlMs: number): Promise<boolean>;
  /** Keeps the key for the single request that collects the result of the running work. */
  park(fence: string, ttlMs: number): Promise<boolean>;
  /** Frees the key. */
  release(fence: string): Promise<boolean>;
}

/**
 * The capacity that the running calls of one caller use together. An absent bound is no limit. Money is in whole US
 * cents.
 */
export interface Bounds {
  readonly calls?: number | undefined;
  readonly cents?: number | undefined;
}

/** Whether a call was admitted, and what its caller holds if it was not. */
export type Entry =
  | { readonly admitted: true; readonly ticket: string }
  | { readonly admitted: false; readonly held: { readonly calls: number; readonly cents: number } };

/** The capacity in use. Atomic like the keys. A ticket that is not renewed expires. */
export interface CapacityStore {
  /**
   * Lets one more call of `scope` in, unless it would go over a bound.
   *
   * @throws {RangeError} for cents that are negative or no finite number, and for a bound that is no number
   */
  enter(scope: string, cents: number, bounds: Bounds, leaseMs: number): Promise<Entry>;
  /** Keeps a ticket for `leaseMs` milliseconds from now; `false` when it was given back already. */
  stay(ticket: string, leaseMs: number): Promise<boolean>;
  /** Gives a ticket back. */
  leave(ticket: string): Promise<void>;
}

/** A store of idempotency keys and of capacity. */
export type Store<Copy = StoredResponse> = IdempotencyStore<Copy> & CapacityStore;

/** A store as the engine uses it. A store in the process of its calls can answer synchronously. */
export type AskedStore<Copy = StoredResponse> = {
  readonly [Name in keyof Store<Copy>]: (
    ...asked: Parameters<Store<Copy>[Name]>
  ) => ReturnType<Store<Copy>[Name]> | Awaited<ReturnType<Store<Copy>[Name]>>;
};

/**
 * Further functions of a store in the process of its calls. Leases of such calls do not expire unnoticed, so the
 * store needs no renewals and no polling. Without timers, a virtual clock can idle.
 */
export interface InProcess {
  /** The answer to a call is being sent: a retry waits for its delivery. */
  leaving(fence: string): void;
  /** Resolves when the call that runs with a key has ended. */
  untilSettled(scope: string, key: string): Promise<void>;
  /** Takes the single charge of a key in its window; `false` if it is taken. */
  charge(scope: string, key: string, windowMs: number): boolean;
}

/** The longest time that a store accepts, in milliseconds: about 31 years. */
export const LONGEST_MS = 1e12;

/**
 * A time that every store accepts: whole milliseconds, rounded up.
 *
 * @throws {RangeError} unless it is above 0 and at most `LONGEST_MS`
 */
export function wholeMs(ms: number): number {
  if (ms > 0 && ms <= LONGEST_MS) return Math.ceil(ms);
  throw new RangeError(
    `a time of ${String(ms)} ms: a store takes times above 0 and up to ${String(LONGEST_MS)} ms`,
  );
}

/**
 * An answer that every store accepts. @throws {TypeError} for headers with NUL, CR, LF or half a surrogate pair: HTTP
 * cannot carry them, and some engines cannot keep them
 */
export function keepable<Copy extends Pick<StoredResponse, 'headers'>>(response: Copy): Copy {
  const bad = response.headers.find((header) => header.some(isUnsendable));
  if (bad === undefined) return response;
  throw new TypeError(`the header ${JSON.stringify(bad[0])} contains characters that HTTP does not allow`);
}

/**
 * What a call asks of the capacity, as every store takes it.
 *
 * @throws {RangeError} for cents that are negative or no finite number, and for a bound that is no number
 */
export function admissible(cents: number, bounds: Bounds): void {
  if (!(cents >= 0 && cents < Infinity))
    throw new RangeError(
      `a call that costs ${String(cents)} cents: give a finite number that is not negative`,
    );
  for (const name of ['calls', 'cents'] as const)
    if (Number.isNaN(bounds[name])) throw new RangeError(`the bound on ${name} is not a number`);
}

// --- internal ---

function isUnsendable(text: string): boolean {
  // Few texts contain any surrogate, and only those need the second check.
  return /[\0\r\n\uD800-\uDFFF]/.test(text) && /[\0\r\n]|\p{Surrogate}/u.test(text);
}
