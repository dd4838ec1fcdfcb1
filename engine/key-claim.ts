import type { KeyContext } from './key-context.ts';
import { persist, sleep, within } from './patience.ts';
import { type Claim, type InProcess, LONGEST_MS } from './store.ts';

interface Asked<Copy> {
  readonly claim: Claim<Copy>;
  readonly sentAt: number;
}

/**
 * Claims a key within the time limit of the store. A claim that is granted later is released again.
 *
 * @param windowMs how long a parked key stays so
 */
export async function claimInTime<Copy>(
  context: KeyContext<Copy>,
  bodyHash: string,
  leaseMs: number,
  windowMs: number = leaseMs,
): Promise<Asked<Copy>> {
  const { scope, key } = context;
  const { store, limits } = context.ports;
  const sentAt = performance.now();
  const claim = await within(store.claim(scope, key, bodyHash, leaseMs), limits.storeTimeoutMs, (late) => {
    if (late.state === 'new')
      void giveBack(context, late.fence, late.collecting === true ? windowMs : undefined);
  });
  return { claim, sentAt };
}

/** Claims a key in a store that is shared with other processes. */
export async function claimInSharedStore<Copy>(
  context: KeyContext<Copy>,
  bodyHash: string,
  windowMs: number,
): Promise<Asked<Copy>> {
  const { leaseMs } = context;
  let asked = await claimInTime(context, bodyHash, leaseMs, windowMs);
  const askAgain = async (afterMs: number): Promise<void> => {
    await sleep(afterMs);
    asked = await claimInTime(context, bodyHash, leaseMs, windowMs);
  };
  // A caller that has received its answer must not get "in flight": the record follows in a moment.
  for (const rest of DELIVERY_PATIENCE_MS) {
    if (asked.claim.state !== 'inFlight') break;
    await askAgain(rest);
  }
  // The same applies if the process died before it wrote the record. The end of its lease shows that. A call that may be
  // charged and still runs has a longer lease.
  const longestMs = deliveryLeaseMs(context);
  for (let waited = 0; waited <= longestMs; waited += STEP_MS) {
    const { claim } = asked;
    if (claim.state !== 'inFlight' || claim.delivering !== true || claim.retryAfterMs > longestMs) break;
    await askAgain(STEP_MS);
  }
  return asked;
}

/** Claims a key in the store of this process, which knows whether an answer is being sent. */
export function claimInProcess<Copy>(
  context: KeyContext<Copy>,
  bodyHash: string,
  local: InProcess,
): Claim<Copy> | Promise<Claim<Copy>> {
  const { scope, key, ports } = context;
  const claim = ports.store.claim(scope, key, bodyHash, LONGEST_MS);
  const isSettling = (known: Claim<Copy>): boolean => known.state === 'inFlight' && known.delivering === true;
  if (!(claim instanceof Promise) && !isSettling(claim)) return claim;
  return (async () => {
    const known = await claim;
    if (!isSettling(known)) return known;
    let cancel = (): void => undefined;
    const patience = new Promise<void>((resolve) => (cancel = ports.after(LOCAL_PATIENCE_MS, resolve)));
    await Promise.race([local.untilSettled(scope, key), patience]);
    cancel();
    return ports.store.claim(scope, key, bodyHash, LONGEST_MS);
  })();
}

/** @returns the lease of a call whose answer is being sent */
export function deliveryLeaseMs({ leaseMs }: Pick<KeyContext, 'leaseMs'>): number {
  return Math.min(leaseMs, DELIVERY_LEASE_MS);
}

/** @param parkedMs parks the key again for this time, because its work is still to be collected */
export function giveBack<Copy>(
  { ports, leaseMs, onFailure }: KeyContext<Copy>,
  fence: string,
  parkedMs?: number,
): Promise<unknown> {
  const { store, limits } = ports;
  const end = (): Promise<boolean> | boolean =>
    parkedMs === undefined ? store.release(fence) : store.park(fence, parkedMs);
  return persist(() => within(Promise.resolve(end()), limits.storeTimeoutMs), leaseMs, onFailure);
}

/** An operation that exceeds the store's time limit continues in the background. */
export function withinStoreTimeout<Copy>(
  work: Promise<unknown>,
  { ports }: KeyContext<Copy>,
): Promise<unknown> {
  return within(work, ports.limits.storeTimeoutMs).catch(() => undefined);
}

// --- internal ---

/**
 * The lease of a call whose answer is being sent. It can be shorter than the deadline of the call: the call
 * has ended, and if the lease ends too early, the answer can be replayed.
 */
const DELIVERY_LEASE_MS = 2_000;
const STEP_MS = 100;

/** How long a retry waits for the record of an answer that has just been sent, step by step. */
const DELIVERY_PATIENCE_MS = [5, 15, 30, 60];

/** How long it waits if the store reports the record as soon as it exists. */
const LOCAL_PATIENCE_MS = 1_000;
