/** The state that all processes of a server share: keys, their answers, and the capacity in use. */

/** An exact copy of an answer, for replays. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** The outcome for a request with a key. The call that claims a free key owns it under its `fence`. */
export type Claim<Copy = StoredResponse> =
  /**
   * `collecting`: an earlier call ended while its work continued. That work is to be waited for, not started
   * again.
   */
  | { readonly state: 'new'; readonly fence: string; readonly collecting?: boolean }
  /** `delivering`: its answer is being sent, so the call will end soon, even if its owner dies. */
  | { readonly state: 'inFlight'; readonly retryAfterMs: number; readonly delivering?: boolean }
  | { readonly state: 'recorded'; readonly response: Copy }
  | { readonly state: 'consumed' }
  | { readonly state: 'mismatch' };

/**
 * Keys and their states. Each operation is atomic for all processes that share the store, and uses the
 * store's own clock. A fence that no longer owns its key changes nothing: a late end is ignored.
 *
 * `prepare`, `record`, `consume`, `park` and `release` resolve with whether the fence owned its key. A client
 * may repeat a command after a lost response, so each of them is idempotent: it resolves with `true` again if
 * the key is already in the state that this fence requested.
 *
 * Times are milliseconds above 0 and at most `LONGEST_MS`. Fractions are rounded up; any other value is a
 * RangeError.
 */
export interface IdempotencyStore<Copy = StoredResponse> {
  /**
   * Claims a key, or returns why it cannot. The claim lasts `leaseMs` milliseconds and is renewed while the
   * call runs, so that the key of a dead process becomes free; one that was parked is parked again. If the engine receives a claim after its
   * caller has given up on it, the claim must not last.
   *
   * @param scope the owner and the purpose of the key: the same key in two scopes is two keys
   * @param bodyHash the hash that later requests with the same key are compared with
   */
  claim(scope: string, key: string, bodyHash: string, leaseMs: number): Promise<Claim<Copy>>;
  /** Whether the fence still owns its key. If so, it owns the key for another `leaseMs` milliseconds. */
  renew(fence: string, leaseMs: number): Promise<boolean>;
  /**
   * Stores the answer before it is sent, or the fact that it cannot be replayed. The key stays in flight. If
   * its owner dies now, the key does not become free at the end of the lease, because the answer may have
   * arrived.
   *
   * @param leaseMs the new lease from now; if left out, the lease is unchanged
   * @throws {TypeError} for headers that HTTP cannot carry, see `keepable`
   */
  prepare(fence: string, response: Copy | undefined, ttlMs: number, leaseMs?: number): Promise<boolean>;
  /**
   * Stores the answer for replays.
   *
   * @throws {TypeError} for headers that HTTP cannot carry, see `keepable`
   */
  record(fence: string, response: Copy, ttlMs: number): Promise<boolean>;
  /** Marks the key as used up, without an answer to replay. */
  consume(fence: string, ttlMs: number): Promise<boolean>;
  /** Reserves the key for the single request that collects the result of the running work. */
  park(fence: string, ttlMs: number): Promise<boolean>;
  /** Releases the key. */
  release(fence: string): Promise<boolean>;
}

/**
 * Limits for the capacity that all running calls of one caller use. Without a bound, there is no limit. Money is in
 * whole US cents.
 */
export interface Bounds {
  readonly calls?: number | undefined;
  readonly cents?: number | undefined;
}

/** Whether a call was admitted; if not, the capacity that its caller uses. */
export type Entry =
  | { readonly admitted: true; readonly ticket: string }
  | { readonly admitted: false; readonly held: { readonly calls: number; readonly cents: number } };

/** The capacity in use. Atomic like the keys. A ticket that is not renewed expires. */
export interface CapacityStore {
  /**
   * Admits one more call of `scope`, unless it would exceed a bound.
   *
   * @throws {RangeError} for cents that are negative or not finite, and for a bound that is not a number
   */
  enter(scope: string, cents: number, bounds: Bounds, leaseMs: number): Promise<Entry>;
  /** Extends a ticket for `leaseMs` milliseconds from now; `false` if it was already returned. */
  stay(ticket: string, leaseMs: number): Promise<boolean>;
  /** Returns a ticket. */
  leave(ticket: string): Promise<void>;
}

/** A store of idempotency keys and of capacity. */
export type Store<Copy = StoredResponse> = IdempotencyStore<Copy> & CapacityStore;

/** The same functions without promises. */
export type AtOnce<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...asked: infer Asked) => infer Told
    ? (...asked: Asked) => Awaited<Told>
    : never;
};

/** A store as the engine uses it. A store in the process of its calls can answer synchronously. */
export type EngineStore<Copy = StoredResponse> = {
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
    `a time of ${String(ms)} ms: a store accepts times above 0 and up to ${String(LONGEST_MS)} ms`,
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
 * The capacity that a call requests, in a form that every store accepts.
 *
 * @throws {RangeError} for cents that are negative or not finite, and for a bound that is not a number
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
  // Few texts contain surrogates, and only those need the second check.
  return /[\0\r\n\uD800-\uDFFF]/.test(text) && /[\0\r\n]|\p{Surrogate}/u.test(text);
}
