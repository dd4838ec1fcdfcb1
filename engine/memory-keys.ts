import { claimReplayKey } from '../contract/policies/idempotency-replay.ts';
import type { ReplayPolicy, ReplayRecord } from '../contract/policies/idempotency-replay.ts';
import { MOST_KEY_BYTES, sizeOfAnswer, sizeOfKey } from './memory-size.ts';
import {
  type AtOnce,
  type Claim,
  type EngineStore,
  type InProcess,
  keepable,
  type StoredResponse,
  wholeMs,
} from './store.ts';

/** A key in a memory store. */
export interface HeldKey<Copy = StoredResponse> {
  readonly scope: string;
  readonly key: string;
  /** The fence of the latest claim. */
  readonly fence: string;
  readonly record: ReplayRecord<Copy>;
  /** When the claim of the attempt in flight ends, in epoch milliseconds. */
  readonly leaseUntil: number;
  /** The state of the key when the claim of its owner expires. */
  readonly prepared?: Settled<Copy> | undefined;
  /** The answer to its call is being sent. */
  readonly isLeaving?: boolean;
  readonly isReleased?: boolean;
  /** When the key's charge expires, in epoch milliseconds. This outlasts calls that release the key. */
  readonly chargedUntil?: number;
}

/** The clock and the keys of a memory store. */
export interface MemoryStoreOptions<Copy = StoredResponse> {
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** The map of keys, by the store's own names (`heldAs`). It can be inspected, or filled beforehand. */
  readonly keys?: Map<string, HeldKey<Copy>>;
  /**
   * About how much memory keys and their answers may take, in bytes; default 512 MiB. A full store evicts nothing: it refuses
   * new keys until older ones have expired.
   */
  readonly maximumBytes?: number;
  /**
   * Called for each changed key with the key itself, which can change again, and with whether only its charge
   * changed.
   */
  readonly changed?: (held: HeldKey<Copy>, isCharge: boolean) => void;
}

/** Keys and the answers to them, in the memory of this process. */
export function memoryKeys<Copy extends Pick<StoredResponse, 'headers'>>({
  now = Date.now,
  keys = new Map<string, HeldKey<Copy>>(),
  maximumBytes = MOST_KEY_BYTES,
  changed,
}: MemoryStoreOptions<Copy>): InProcess & AtOnce<Omit<EngineStore<Copy>, 'enter' | 'stay' | 'leave'>> {
  /** Names of keys by the fences of running calls, so that a fence need not be parsed twice. */
  const running = new Map<string, string>();
  const waiting = new Map<string, { readonly until: Promise<void>; readonly end: () => void }>();
  let claims = 0;
  let nextSweep = 1_000;
  /** As counted by the last sweep, and what was added since. */
  let bytes = 0;

  const sweep = (): void => {
    bytes = 0;
    for (const [id, held] of keys)
      if (knownOf(held, now()) === undefined && (held.chargedUntil ?? 0) <= now()) keys.delete(id);
      else bytes += sizeOfKey(held);
    fullUntil = now() + (bytes < maximumBytes ? 0 : FULL_MS);
    // A fence contains the name of its key.
    running.clear();
    nextSweep = claims + Math.max(1_000, keys.size);
  };
  let fullUntil = 0;
  /** @throws {Error} when there is no memory for another key */
  const requireRoom = (): void => {
    if (bytes < maximumBytes) return;
    if (fullUntil <= now()) sweep();
    if (bytes < maximumBytes) return;
    throw new Error(
      `the keys in memory take ${String(bytes)} bytes, and may take ${String(maximumBytes)}: raise maximumBytes of memoryStore, lower replayCapBytes, or use an engine`,
    );
  };
  const nameOf = (fence: string): string => running.get(fence) ?? keyIn(fence);
  /** Wakes the calls that wait for the end of this call. */
  const end = (held: Held<Copy>, fence: string): void => {
    // A key is changed in place: most keys change three times.
    held.prepared = undefined;
    held.isLeaving = false;
    changed?.(held, false);
    if (waiting.size > 0) {
      const id = nameOf(fence);
      waiting.get(id)?.end();
      waiting.delete(id);
    }
    running.delete(fence);
  };
  const lastOf = (fence: string): Held<Copy> | undefined => {
    const held = keys.get(nameOf(fence));
    return held?.fence === fence ? held : undefined;
  };
  const owned = (fence: string): Held<Copy> | undefined => {
    const held = lastOf(fence);
    return held !== undefined && knownOf(held, now())?.state === 'in-flight' ? held : undefined;
  };
  /** Ends a claim in one state. Returns `true` again if the claim already ended in that state. */
  const settle = <State extends Settled<Copy>['state']>(
    fence: string,
    state: State,
    record: (bodyHash: string) => Settled<Copy> & { readonly state: State },
  ): boolean => {
    const own = owned(fence);
    if (own === undefined) {
      const last = lastOf(fence);
      return last !== undefined && knownOf(last, now())?.state === state;
    }
    own.record = record(own.record.bodyHash);
    end(own, fence);
    return true;
  };
  const after = (ms: number): number => now() + wholeMs(ms);

  return {
    claim: (scope, key, bodyHash, leaseMs): Claim<Copy> => {
      const leaseUntil = after(leaseMs);
      // Each sweep reads all keys, so that it runs less often if there are more keys.
      if ((claims += 1) >= nextSweep) sweep();
      const id = heldAs(scope, key);
      const known = keys.get(id);
      const fence = `${String(claims)}:${id}`;
      const record = known && knownOf(known, now());
      const decision = claimReplayKey(STATES, record, { bodyHash, fence, now: now() });
      switch (decision.action) {
        case 'replay':
          return { state: 'recorded', response: decision.response };
        case 'refuse':
          if (decision.reason !== 'in-flight') return { state: decision.reason };
          return {
            state: 'inFlight',
            retryAfterMs: Math.max(0, (known?.leaseUntil ?? 0) - now()),
            delivering: isDelivering(known),
          };
        default: {
          if (known === undefined) requireRoom();
          const chargedUntil = known?.chargedUntil ?? 0;
          // All keys have all members, so that engines give them one hidden class.
          const held: Held<Copy> = {
            scope,
            key,
            fence,
            record: decision.record,
            leaseUntil,
            // Work that is collected is collected by another one if this one does not come back.
            prepared: record?.state === 'collecting' ? record : undefined,
            isLeaving: false,
            isReleased: false,
            chargedUntil,
          };
          keys.set(id, held);
          if (known === undefined) bytes += sizeOfKey(held);
          running.set(fence, id);
          changed?.(held, false);
          return { state: 'new', fence, collecting: decision.action === 'collect' };
        }
      }
    },
    renew: (fence, leaseMs) => {
      const leaseUntil = after(leaseMs);
      const own = owned(fence);
      if (own === undefined) return false;
      own.leaseUntil = leaseUntil;
      changed?.(own, false);
      return true;
    },
    prepare: (fence, response, ttlMs, leaseMs) => {
      const expiresAt = after(ttlMs);
      const leaseUntil = leaseMs === undefined ? undefined : after(leaseMs);
      const kept = response && keepable(response);
      const own = owned(fence);
      if (own === undefined) return false;
      const { bodyHash } = own.record;
      const prepared: Settled<Copy> =
        kept === undefined
          ? { state: 'consumed', bodyHash, expiresAt }
          : { state: 'recorded', bodyHash, response: kept, expiresAt };
      own.prepared = prepared;
      bytes += sizeOfAnswer(kept);
      own.leaseUntil = leaseUntil ?? own.leaseUntil;
      changed?.(own, false);
      return true;
    },
    record: (fence, response, ttlMs) => {
      const expiresAt = after(ttlMs);
      const { prepared } = lastOf(fence) ?? {};
      const isKnown = prepared?.state === 'recorded' && prepared.response === response;
      const kept = isKnown ? response : keepable(response);
      if (!isKnown) bytes += sizeOfAnswer(kept);
      return settle(fence, 'recorded', (bodyHash) => ({
        state: 'recorded',
        bodyHash,
        response: kept,
        expiresAt,
      }));
    },
    consume: (fence, ttlMs) => {
      const expiresAt = after(ttlMs);
      return settle(fence, 'consumed', (bodyHash) => ({ state: 'consumed', bodyHash, expiresAt }));
    },
    park: (fence, ttlMs) => {
      const expiresAt = after(ttlMs);
      return settle(fence, 'collecting', (bodyHash) => ({ state: 'collecting', bodyHash, expiresAt }));
    },
    release: (fence) => {
      const own = owned(fence);
      if (own === undefined) return lastOf(fence)?.isReleased === true;
      own.leaseUntil = now();
      own.isReleased = true;
      end(own, fence);
      return true;
    },
    leaving: (fence) => {
      const own = owned(fence);
      if (own === undefined) return;
      own.isLeaving = true;
      changed?.(own, false);
    },
    charge: (scope, key, windowMs) => {
      const id = heldAs(scope, key);
      const known = keys.get(id);
      if ((known?.chargedUntil ?? 0) > now()) return false;
      const held: Held<Copy> = known ?? freeKey(scope, key);
      held.chargedUntil = after(windowMs);
      keys.set(id, held);
      changed?.(held, true);
      return true;
    },
    untilSettled: (scope, key) => {
      const id = heldAs(scope, key);
      const held = keys.get(id);
      if (held === undefined || knownOf(held, now())?.state !== 'in-flight') return Promise.resolve();
      const known = waiting.get(id);
      if (known !== undefined) return known.until;
      let end = (): void => undefined;
      const until = new Promise<void>((resolve) => (end = resolve));
      waiting.set(id, { until, end });
      return until;
    },
  };
}

/** The name of a key in a memory store. */
export function heldAs(scope: string, key: string): string {
  return `${String(scope.length)}:${scope}${key}`;
}

/** A free key, which may have a charge. */
export function freeKey<Copy>(scope: string, key: string): HeldKey<Copy> {
  const record = { state: 'in-flight', bodyHash: '', fence: '' } as const;
  const unused = { prepared: undefined, isLeaving: false, chargedUntil: 0 };
  return { scope, key, fence: '', record, leaseUntil: 0, ...unused, isReleased: true };
}

/** The state of a key at a time; `undefined` if the key is free. */
export function knownOf<Copy>(
  { record, leaseUntil, prepared }: Pick<HeldKey<Copy>, 'record' | 'leaseUntil' | 'prepared'>,
  now: number,
): ReplayRecord<Copy> | undefined {
  const known = record.state === 'in-flight' && leaseUntil <= now ? prepared : record;
  return known === undefined || known.state === 'in-flight' || known.expiresAt > now ? known : undefined;
}

// --- internal ---

/** A full store does not read all of its keys for each refused one, so it waits in between, in milliseconds. */
const FULL_MS = 1_000;

/** The store's own state of the key. */
type Held<Copy> = { -readonly [Member in keyof HeldKey<Copy>]: HeldKey<Copy>[Member] };

type Settled<Copy> = Exclude<ReplayRecord<Copy>, { state: 'in-flight' }>;

function isDelivering(held: HeldKey<unknown> | undefined): boolean {
  const { prepared, isLeaving } = held ?? {};
  return (prepared !== undefined && prepared.state !== 'collecting') || isLeaving === true;
}

/** A fence is a number and the name of its key. */
function keyIn(fence: string): string {
  return fence.slice(fence.indexOf(':') + 1);
}

/** A store returns states. The server turns them into statuses. */
const STATES: ReplayPolicy = {
  kind: 'idempotency',
  mode: 'replay',
  operations: [],
  requestHeader: '',
  replayHeader: { name: '', value: '' },
  window: 'PT0S',
  release: [],
  inFlight: { status: 0, retryAfter: false },
  consumed: { status: 0 },
  mismatch: { status: 0 },
  collecting: { status: 0, marker: '' },
};
