import { durationMs } from '../contract/policies/duration.ts';
import { settleReplayKey } from '../contract/policies/idempotency-replay.ts';
import type { ReplayOutcome, ReplayPolicy } from '../contract/policies/idempotency-replay.ts';
import { matchesStatus } from '../contract/policies/status-pattern.ts';
import type { SingleUsePolicy } from '../contract/policies/idempotency-single-use.ts';
import type { Outgoing } from './answer.ts';
import { keepLease } from './lease.ts';
import { every, persist, sleep, within } from './patience.ts';
import type { Claim, IdempotencyStore, StoredResponse } from './store.ts';

/** What became of an answer. `short`: it began to leave and did not arrive whole. `dropped`: nothing of it left. */
export type Delivery = 'delivered' | 'short' | 'dropped';

export interface KeyContext {
  readonly store: IdempotencyStore;
  readonly scope: string;
  readonly key: string;
  readonly leaseMs: number;
  readonly storeTimeoutMs: number;
  readonly now: () => number;
  /** Hears of what the store did not do. */
  readonly told: (error: unknown) => void;
  /** Hears, once, that this call does not own its key any more; with what failed, where the store could not be asked. */
  readonly lost: (error?: unknown) => void;
}

/** A key that this call owns. */
export interface OwnedKey {
  readonly collecting: boolean;
  /** Aborts when this call does not own the key any more, or may not: another call may run with it. */
  readonly lost: AbortSignal | undefined;
  /**
   * Takes the one charge of the key in its window, unless it is taken; `hasEnded` says whether the call has ended
   * meanwhile, which gives it back.
   *
   * @throws when the store does not answer
   */
  charge(hasEnded: () => boolean): Promise<boolean>;
  /** Whether the key becomes free whatever becomes of the answer. */
  isFreedBy(answer: Outgoing): boolean;
  /**
   * Keeps what an answer is, before it leaves.
   *
   * @returns whether it may leave: not when the key is lost, since another call may give it another answer
   */
  prepare(answer: Outgoing, copy: StoredResponse | undefined): Promise<boolean>;
  /**
   * Decides what becomes of the key. Resolves when the store knows; of a key that is freed, when it had its time to: an
   * answer waits for that.
   */
  settle(end: KeyEnd): Promise<void>;
}

export interface KeyEnd {
  readonly delivery: Delivery;
  readonly answer: Outgoing | undefined;
  /** A faithful copy of the answer, where one can be kept. */
  readonly copy: StoredResponse | undefined;
  /** Whether the call surely had no effect. */
  readonly hadNoEffect: boolean;
}

/** The key is another call's, or was: what the store says of it. */
export type KeyClaim =
  | { readonly owned: true; readonly key: OwnedKey }
  | { readonly owned: false; readonly claim: Exclude<Claim, { state: 'new' }> };

/**
 * Claims a key whose answers are replayed (document 1, "Idempotency key handling").
 *
 * @throws when the store does not answer
 */
export async function claimReplay(
  context: KeyContext,
  policy: ReplayPolicy,
  bodyHash: string,
): Promise<KeyClaim> {
  const { store, leaseMs, storeTimeoutMs, now, told } = context;
  const deliveryLeaseMs = Math.min(leaseMs, DELIVERY_LEASE_MS);
  let { claim, sentAt } = await ask(context, bodyHash, leaseMs);
  const askAgain = async (afterMs: number): Promise<void> => {
    await sleep(afterMs);
    ({ claim, sentAt } = await ask(context, bodyHash, leaseMs));
  };
  // A caller that has its answer in hand is not told that its call still runs: the record follows in a moment.
  for (const rest of DELIVERY_PATIENCE_MS) {
    if (claim.state !== 'inFlight') break;
    await askAgain(rest);
  }
  // Nor where the process died that was to write the record: that shows when its lease ends.
  for (let waited = 0; claim.state === 'inFlight' && claim.delivering === true; waited += STEP_MS) {
    if (waited > deliveryLeaseMs) break;
    await askAgain(STEP_MS);
  }
  if (claim.state !== 'new') return { owned: false, claim };
  const { fence, collecting = false } = claim;
  const loss = new AbortController();
  const lose = (error?: unknown): void => {
    if (loss.signal.aborted) return;
    loss.abort(new Error('the claim on the key of this call is lost'));
    context.lost(error);
  };
  /** Whether an answer may have been kept, by a command whose answer got lost. */
  let mayBePrepared = false;
  let stop = keepLease({
    ...{ leaseMs, storeTimeoutMs, sentAt, told },
    renew: () => store.renew(fence, leaseMs),
    lost: (error) => {
      // What is prepared has a shorter lease, and is not lost with it. The record shows what happened.
      if (!mayBePrepared || error !== undefined) lose(error);
    },
  });
  const windowMs = durationMs(policy.window);
  /** The charge is a claim of its own, since it outlasts the calls that free their key. */
  const charge = async (hasEnded: () => boolean): Promise<boolean> => {
    const charges = { ...context, scope: `${context.scope} charged` };
    const { claim: taken } = await ask(charges, 'charge', windowMs);
    if (taken.state !== 'new' || !hasEnded()) return taken.state === 'new';
    await giveBack(charges, taken.fence);
    return false;
  };
  const isToBeCollected = ({ status, headers }: Outgoing): boolean =>
    status === policy.collecting.status && headers.has(policy.collecting.marker);
  const isFreedBy = (answer: Outgoing): boolean =>
    matchesStatus(policy.release, answer.status) && !isToBeCollected(answer);
  const prepare = async (answer: Outgoing, copy: StoredResponse | undefined): Promise<boolean> => {
    // What is to be collected is prepared for nobody.
    if (isToBeCollected(answer)) return !loss.signal.aborted;
    let isHeld: boolean;
    try {
      isHeld = await within(store.prepare(fence, copy, windowMs, deliveryLeaseMs), storeTimeoutMs);
    } catch (error) {
      told(error);
      mayBePrepared = true;
      // The claim lasts for now, and the record is tried again after the answer has left.
      return !loss.signal.aborted;
    }
    stop();
    if (isHeld) {
      // From here on no other call gets the key: when this lease ends, the answer counts as recorded.
      stop = every(deliveryLeaseMs / 3, () => void store.renew(fence, deliveryLeaseMs).catch(told));
    } else lose();
    return isHeld;
  };
  const settle = async ({ delivery, answer, copy }: KeyEnd): Promise<void> => {
    const outcome: ReplayOutcome<StoredResponse> =
      answer === undefined || delivery === 'dropped'
        ? { ended: 'dropped' }
        : { ended: 'answered', status: answer.status, marked: isToBeCollected(answer), delivery, copy };
    const owned = { state: 'in-flight', bodyHash, fence } as const;
    const record = settleReplayKey<StoredResponse>(policy, owned, { fence, now: now() }, outcome);
    // The claim outlives a store that is away for less than its lease, so that nothing runs twice for that.
    const kept = persist(() => within(keep(store, fence, record, windowMs), storeTimeoutMs), leaseMs, told)
      .then((isHeld) => {
        if (isHeld === false && record !== undefined) lose();
      })
      .finally(() => {
        stop();
      });
    await (record === undefined ? patiently(kept, context) : kept);
  };
  return { owned: true, key: { collecting, lost: loss.signal, charge, isFreedBy, prepare, settle } };
}

/**
 * Claims a key that is good for one use (document 3, "Idempotency-Key rules on submit"). The body plays no part, and a
 * process that dies leaves the key claimed: a job may exist.
 *
 * @throws when the store does not answer
 */
export async function claimSingleUse(context: KeyContext, policy: SingleUsePolicy): Promise<KeyClaim> {
  const { claim } = await ask(context, 'single use', durationMs(policy.window));
  if (claim.state !== 'new') return { owned: false, claim };
  const settle = async ({ hadNoEffect }: KeyEnd): Promise<void> => {
    if (hadNoEffect) await patiently(giveBack(context, claim.fence), context);
  };
  return {
    owned: true,
    key: {
      ...{ collecting: false, lost: undefined, settle },
      charge: (hasEnded) => Promise.resolve(!hasEnded()),
      isFreedBy: () => false,
      prepare: () => Promise.resolve(true),
    },
  };
}

/** What two requests with one key are compared by: method, target and body, byte for byte. */
export async function hashOf(method: string, target: string, bytes: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`${method} ${target}\n`);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// --- internal ---

/**
 * The lease of a call whose answer is on its way. It can be shorter than the call was allowed to take: nothing runs any
 * more, and when the lease ends too early, the answer is there to be replayed.
 */
const DELIVERY_LEASE_MS = 2_000;
const STEP_MS = 100;

/** How long a retry waits for the record of an answer that has just left, step by step. */
const DELIVERY_PATIENCE_MS = [5, 15, 30, 60];

/** A claim that comes too late to be of use is given back. */
async function ask(
  context: KeyContext,
  bodyHash: string,
  leaseMs: number,
): Promise<{ readonly claim: Claim; readonly sentAt: number }> {
  const { store, scope, key, storeTimeoutMs } = context;
  const sentAt = performance.now();
  const claim = await within(store.claim(scope, key, bodyHash, leaseMs), storeTimeoutMs, (late) => {
    if (late.state === 'new') void giveBack(context, late.fence);
  });
  return { claim, sentAt };
}

function giveBack({ store, leaseMs, storeTimeoutMs, told }: KeyContext, fence: string): Promise<unknown> {
  return persist(() => within(store.release(fence), storeTimeoutMs), leaseMs, told);
}

/** What is not done in the time that the store has goes on by itself. */
function patiently(work: Promise<unknown>, { storeTimeoutMs }: KeyContext): Promise<unknown> {
  return within(work, storeTimeoutMs).catch(() => undefined);
}

function keep(
  store: IdempotencyStore,
  fence: string,
  record: ReturnType<typeof settleReplayKey<StoredResponse>>,
  windowMs: number,
): Promise<boolean> {
  switch (record?.state) {
    case undefined:
      return store.release(fence);
    case 'recorded':
      return store.record(fence, record.response, windowMs);
    case 'consumed':
      return store.consume(fence, windowMs);
    case 'collecting':
      return store.park(fence, windowMs);
    case 'in-flight':
      return Promise.resolve(true);
  }
}
