/** Where a server keeps what must hold for all of its processes: keys, the answers to them, and who holds capacity. */

/** A faithful copy of an answer, for replays. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What a request that presents a key may do. Whoever claims a free key owns it under its `fence`. */
export type Claim =
  /** `collecting`: an earlier call ended with its work still under way; it is to be waited for, not begun anew. */
  | { readonly state: 'new'; readonly fence: string; readonly collecting?: boolean }
  /** `delivering`: its answer is on its way, so that it soon comes to an end, whatever becomes of its owner. */
  | { readonly state: 'inFlight'; readonly retryAfterMs: number; readonly delivering?: boolean }
  | { readonly state: 'recorded'; readonly response: StoredResponse }
  | { readonly state: 'consumed' }
  | { readonly state: 'mismatch' };

/**
 * Keys and what became of them. Each operation is atomic for all processes that share the store, and counts time by the
 * store's own clock. A fence that no longer owns its key changes nothing: every late end is discarded.
 */
export interface IdempotencyStore {
  /**
   * Claims a key, or tells why not. The claim lasts `leaseMs` milliseconds and is renewed while the call runs, so that
   * the key of a process that died becomes free.
   *
   * @param scope whose key it is and for what: the same key in two scopes is two keys
   * @param bodyHash what a later request with the same key is compared by
   */
  claim(scope: string, key: string, bodyHash: string, leaseMs: number): Promise<Claim>;
  /** Whether the fence still owns its key, which it then does for `leaseMs` milliseconds from now. */
  renew(fence: string, leaseMs: number): Promise<boolean>;
  /**
   * Keeps the answer before it leaves, or that there is one which cannot be replayed. The key stays in flight; but should
   * its owner die now, it does not become free when the lease ends, since the answer may have arrived.
   *
   * @param leaseMs from now on the claim lasts so long; as long as before where it is left out
   */
  prepare(
    fence: string,
    response: StoredResponse | undefined,
    ttlMs: number,
    leaseMs?: number,
  ): Promise<void>;
  /** Keeps the answer for replays. */
  record(fence: string, response: StoredResponse, ttlMs: number): Promise<void>;
  /** Keeps the key from being used again, without an answer to replay. */
  consume(fence: string, ttlMs: number): Promise<void>;
  /** Keeps the key for the one request that collects what is still under way. */
  park(fence: string, ttlMs: number): Promise<void>;
  /** Frees the key. */
  release(fence: string): Promise<void>;
}

/** What the running calls of one caller hold together. A bound that is left out does not bind. Money in whole US cents. */
export interface Bounds {
  readonly calls?: number | undefined;
  readonly cents?: number | undefined;
}

export type Entry =
  | { readonly admitted: true; readonly ticket: string }
  | { readonly admitted: false; readonly held: { readonly calls: number; readonly cents: number } };

/** How much callers hold. Atomic like the keys; a ticket that nobody renews is given back by itself. */
export interface CapacityStore {
  /** Lets one more call of `scope` in, unless it would go over a bound. */
  enter(scope: string, cents: number, bounds: Bounds, leaseMs: number): Promise<Entry>;
  /** Keeps a ticket for `leaseMs` milliseconds from now; `false` when it was given back already. */
  stay(ticket: string, leaseMs: number): Promise<boolean>;
  /** Gives a ticket back. */
  leave(ticket: string): Promise<void>;
}

export type Store = IdempotencyStore & CapacityStore;
