import { durationMs } from '../contract/policies/duration.ts';
import { isToBeCollected, settleReplayKey } from '../contract/policies/idempotency-replay.ts';
import type { ReplayOutcome, ReplayPolicy } from '../contract/policies/idempotency-replay.ts';
import { matchesStatus } from '../contract/policies/status-pattern.ts';
import type { SingleUsePolicy } from '../contract/policies/idempotency-single-use.ts';
import { KEY_LOST, Refused } from './decision.ts';
import { KeyCharge } from './key-charge.ts';
import {
  claimInTime,
  claimInSharedStore,
  claimInProcess,
  giveBack,
  withinStoreTimeout,
} from './key-claim.ts';
import { type KeyLease, leased, PERMANENT_LEASE } from './key-lease.ts';
import type { KeyContext, KeyPorts } from './key-context.ts';
import type { AnswerHead, KeyClaim, KeyEnd, OwnedKey } from './owned-key.ts';
import { within } from './patience.ts';
import type { Claim } from './store.ts';

/**
 * Claims a key whose answers are replayed (document 1, "Idempotency key handling").
 *
 * @throws when the store does not answer
 */
export function claimReplay<Copy>(
  context: KeyContext<Copy>,
  policy: ReplayPolicy,
  bodyHash: string,
): KeyClaim<Copy> | Promise<KeyClaim<Copy>> {
  const { local } = context.ports;
  const owned = (claim: Claim<Copy>, sentAt = 0): KeyClaim<Copy> =>
    claim.state === 'new'
      ? { owned: true, key: new ReplayKey(context, policy, { bodyHash, sentAt, ...claim }) }
      : { owned: false, claim };
  if (local === undefined)
    return claimInSharedStore(context, bodyHash, windowOf(policy)).then(({ claim, sentAt }) =>
      owned(claim, sentAt),
    );
  const claim = claimInProcess(context, bodyHash, local);
  return claim instanceof Promise ? claim.then((known) => owned(known)) : owned(claim);
}

/**
 * Claims a single-use key (document 3, "Idempotency-Key rules on submit"). The body is not compared. If the process
 * dies, the key stays claimed, because a job may exist.
 *
 * @throws when the store does not answer
 */
export function claimSingleUse<Copy>(
  context: KeyContext<Copy>,
  policy: SingleUsePolicy,
): KeyClaim<Copy> | Promise<KeyClaim<Copy>> {
  const { scope, key, ports } = context;
  const windowMs = windowOf(policy);
  const owned = (claim: Claim<Copy>): KeyClaim<Copy> =>
    claim.state === 'new'
      ? { owned: true, key: singleUseKey(context, claim.fence) }
      : { owned: false, claim };
  if (ports.local === undefined)
    return claimInTime(context, SINGLE_USE, windowMs).then(({ claim }) => owned(claim));
  const claim = ports.store.claim(scope, key, SINGLE_USE, windowMs);
  return claim instanceof Promise ? claim.then(owned) : owned(claim);
}

/**
 * The value that stores hold for a single-use key instead of the hash of a body. Such a key is claimed and
 * never settled.
 */
export const SINGLE_USE = 'single use';

/** The hash by which two requests with one key are compared: method, target and body, byte for byte. */
export async function hashOf(method: string, target: string, bytes: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`${method} ${target}\n`);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// --- internal ---

/** How long a policy keeps its keys, in milliseconds. Each duration is parsed once, not for each call. */
function windowOf(policy: ReplayPolicy | SingleUsePolicy): number {
  const known = windows.get(policy) ?? durationMs(policy.window);
  windows.set(policy, known);
  return known;
}

const windows = new WeakMap<object, number>();

function singleUseKey<Copy>(context: KeyContext<Copy>, fence: string): OwnedKey<Copy> {
  const { local, store } = context.ports;
  return {
    ...{ collecting: false, lost: undefined, isSpent: false },
    settle: ({ hadNoEffect, course }) => {
      course.note({ policy: 'idempotency', case: hadNoEffect ? 'freed' : 'spent' });
      if (!hadNoEffect) return undefined;
      const freed =
        local === undefined ? withinStoreTimeout(giveBack(context, fence), context) : store.release(fence);
      return freed instanceof Promise ? freed.then(() => undefined) : undefined;
    },
    charge: (hasEnded) => !hasEnded(),
    isFreedBy: () => false,
    prepare: () => true,
  };
}

/** A key that this call owns and whose answer will be replayed. */
class ReplayKey<Copy> implements OwnedKey<Copy> {
  readonly collecting: boolean;
  readonly #context: KeyContext<Copy>;
  readonly #policy: ReplayPolicy;
  readonly #claim: { readonly fence: string; readonly bodyHash: string };
  readonly #lease: KeyLease;
  readonly #windowMs: number;
  readonly #charge: KeyCharge<Copy>;
  #isSpent = false;

  constructor(
    context: KeyContext<Copy>,
    policy: ReplayPolicy,
    claim: {
      readonly fence: string;
      readonly bodyHash: string;
      readonly sentAt: number;
      readonly collecting?: boolean;
    },
  ) {
    this.collecting = claim.collecting === true;
    this.#context = context;
    this.#policy = policy;
    this.#claim = claim;
    this.#lease =
      context.ports.local === undefined ? leased(context, claim.fence, claim.sentAt) : PERMANENT_LEASE;
    this.#windowMs = windowOf(policy);
    this.#charge = new KeyCharge(context, this.#windowMs);
  }

  get isSpent(): boolean {
    return this.#isSpent;
  }

  get lost(): AbortSignal | undefined {
    return this.#lease.lost;
  }

  charge(hasEnded: () => boolean): Promise<boolean> | boolean {
    const { scope, key, ports } = this.#context;
    if (ports.local === undefined) return this.#chargeInSharedStore(hasEnded);
    return !hasEnded() && ports.local.charge(scope, key, this.#windowMs);
  }

  /** From now on, the end of the lease does not free the key: a call that may be charged does not run again. */
  async #chargeInSharedStore(hasEnded: () => boolean): Promise<boolean> {
    const { store, limits } = this.#context.ports;
    const spent = store.prepare(this.#claim.fence, undefined, this.#windowMs);
    if (!(await within(Promise.resolve(spent), limits.storeTimeoutMs))) throw new Refused(KEY_LOST);
    const state = await this.#charge.take(hasEnded);
    this.#isSpent = state === 'lost';
    if (this.#isSpent) throw new Refused(KEY_LOST);
    return state === 'free';
  }

  isFreedBy(head: AnswerHead): boolean {
    return matchesStatus(this.#policy.release, head.status) && !this.#isToBeCollected(head);
  }

  prepare(head: AnswerHead, copy: Copy | undefined): Promise<boolean> | boolean {
    const { store, local } = this.#context.ports;
    const { fence } = this.#claim;
    if (!this.#isToBeCollected(head))
      return this.#lease.prepare((leaseMs) => store.prepare(fence, copy, this.#windowMs, leaseMs));
    // An answer that will be collected later is not stored for replay.
    local?.leaving(fence);
    return !this.#lease.isLost();
  }

  settle({ delivery, head, copy, course }: KeyEnd<Copy>): Promise<void> | void {
    const { store, now } = this.#context.ports;
    const { fence, bodyHash } = this.#claim;
    if (this.#isSpent) return this.#lease.settle(() => store.consume(fence, this.#windowMs), false);
    // If the policy has no state `consumed`, an undelivered answer is replayed to its caller.
    const isUnheard = delivery === 'dropped' && this.#policy.consumed !== undefined;
    const outcome: ReplayOutcome<Copy> =
      head === undefined || isUnheard
        ? { ended: 'dropped' }
        : {
            ...{ ended: 'answered', status: head.status, marked: head.isMarked, copy },
            delivery: delivery === 'delivered' ? delivery : 'short',
          };
    const owned = { state: 'in-flight', bodyHash, fence } as const;
    const record = settleReplayKey<Copy>(this.#policy, owned, { fence, now: now() }, outcome);
    const freed = outcome.ended === 'dropped' ? 'dropped' : 'freed';
    course.note({ policy: 'idempotency', case: record === undefined ? freed : KEPT[record.state] });
    const kept = (): Promise<boolean> | boolean => keep(store, fence, record, this.#windowMs);
    const isOver = record !== undefined && record.state !== 'collecting';
    const isShared = this.#context.ports.local === undefined;
    // The charge first: if this process dies in between, the key is used up.
    const settled = isOver || !isShared ? kept : () => this.#passOn().then(kept);
    return this.#lease.settle(settled, record !== undefined);
  }

  /**
   * A key that is lost is not passed on: what this call prepared may have been replayed to another caller. Until the key is
   * settled, it is used up when the lease ends, so that nothing is replayed that another run replaces.
   */
  async #passOn(): Promise<void> {
    if (!this.#charge.isTaken) return;
    const { store } = this.#context.ports;
    if (await store.prepare(this.#claim.fence, undefined, this.#windowMs)) await this.#charge.passOn();
  }

  #isToBeCollected({ status, isMarked }: AnswerHead): boolean {
    return isToBeCollected(this.#policy, { status, marked: isMarked });
  }
}

const KEPT = { recorded: 'kept', consumed: 'spent', collecting: 'parked', 'in-flight': 'kept' } as const;

function keep<Copy>(
  store: KeyPorts<Copy>['store'],
  fence: string,
  record: ReturnType<typeof settleReplayKey<Copy>>,
  windowMs: number,
): Promise<boolean> | boolean {
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
      return true;
  }
}
