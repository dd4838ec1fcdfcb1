import { durationMs } from '../../contract/policies/duration.ts';
import { settleReplayKey } from '../../contract/policies/idempotency-replay.ts';
import type { ReplayOutcome, ReplayPolicy } from '../../contract/policies/idempotency-replay.ts';
import { matchesStatus } from '../../contract/policies/status-pattern.ts';
import type { SingleUsePolicy } from '../../contract/policies/idempotency-single-use.ts';
import type { Outgoing } from './answer.ts';
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
  readonly told: (error: unknown) => void;
}

/** A key that this call owns. */
export interface OwnedKey {
  readonly collecting: boolean;
  /** Whether the key becomes free whatever becomes of the answer. */
  isFreedBy(answer: Outgoing): boolean;
  /** Keeps what an answer is, before it leaves. */
  prepare(answer: Outgoing, copy: StoredResponse | undefined): Promise<void>;
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
  const { store, leaseMs, now, told } = context;
  const deliveryLeaseMs = Math.min(leaseMs, DELIVERY_LEASE_MS);
  let claim = await ask(context, bodyHash, leaseMs);
  // A caller that has its answer in hand is not told that its call still runs: the record follows in a moment.
  for (const rest of DELIVERY_PATIENCE_MS) {
    if (claim.state !== 'inFlight') break;
    await sleep(rest);
    claim = await ask(context, bodyHash, leaseMs);
  }
  // Nor where the process died that was to write the record: that shows when its lease ends.
  for (let waited = 0; claim.state === 'inFlight' && claim.delivering === true; waited += STEP_MS) {
    if (waited > deliveryLeaseMs) break;
    await sleep(STEP_MS);
    claim = await ask(context, bodyHash, leaseMs);
  }
  if (claim.state !== 'new') return { owned: false, claim };
  const { fence } = claim;
  const beat = (ms: number): (() => void) => every(ms / 3, () => void store.renew(fence, ms).catch(told));
  let stop = beat(leaseMs);
  const windowMs = durationMs(policy.window);
  const isMarked = ({ headers }: Outgoing): boolean => headers.has(policy.collecting.marker);
  const isFreedBy = (answer: Outgoing): boolean =>
    matchesStatus(policy.release, answer.status) &&
    !(answer.status === policy.collecting.status && isMarked(answer));
  const prepare = async (answer: Outgoing, copy: StoredResponse | undefined): Promise<void> => {
    // What is to be collected is prepared for nobody.
    if (answer.status === policy.collecting.status && isMarked(answer)) return;
    try {
      await within(store.prepare(fence, copy, windowMs, deliveryLeaseMs), context.storeTimeoutMs);
    } catch (error) {
      told(error);
      return;
    }
    stop();
    stop = beat(deliveryLeaseMs);
  };
  const settle = async ({ delivery, answer, copy }: KeyEnd): Promise<void> => {
    const outcome: ReplayOutcome<StoredResponse> =
      answer === undefined || delivery === 'dropped'
        ? { ended: 'dropped' }
        : {
            ended: 'answered',
            status: answer.status,
            marked: isMarked(answer),
            delivery,
            copy,
          };
    const owned = { state: 'in-flight', bodyHash, fence } as const;
    const record = settleReplayKey<StoredResponse>(policy, owned, { fence, now: now() }, outcome);
    // The claim outlives a store that is away for less than its lease, so that nothing runs twice for that.
    const kept = persist(
      () => within(keep(store, fence, record, windowMs), context.storeTimeoutMs),
      leaseMs,
      told,
    ).finally(() => {
      stop();
    });
    await (record === undefined ? patiently(kept, context) : kept);
  };
  return { owned: true, key: { collecting: claim.collecting === true, isFreedBy, prepare, settle } };
}

/**
 * Claims a key that is good for one use (document 3, "Idempotency-Key rules on submit"). The body plays no part, and a
 * process that dies leaves the key claimed: a job may exist.
 *
 * @throws when the store does not answer
 */
export async function claimSingleUse(context: KeyContext, policy: SingleUsePolicy): Promise<KeyClaim> {
  const { store, leaseMs, told } = context;
  const claim = await ask(context, 'single use', durationMs(policy.window));
  if (claim.state !== 'new') return { owned: false, claim };
  const settle = async ({ hadNoEffect }: KeyEnd): Promise<void> => {
    if (!hadNoEffect) return;
    const freed = persist(() => within(store.release(claim.fence), context.storeTimeoutMs), leaseMs, told);
    await patiently(freed, context);
  };
  return {
    owned: true,
    key: { collecting: false, isFreedBy: () => false, prepare: () => Promise.resolve(), settle },
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
function ask(
  { store, scope, key, storeTimeoutMs, told }: KeyContext,
  bodyHash: string,
  leaseMs: number,
): Promise<Claim> {
  return within(store.claim(scope, key, bodyHash, leaseMs), storeTimeoutMs, (late) => {
    if (late.state === 'new') void store.release(late.fence).catch(told);
  });
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
): Promise<void> {
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
      return Promise.resolve();
  }
}
