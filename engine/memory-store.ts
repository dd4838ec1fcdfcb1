import { admitCall } from '../contract/policies/capacity.ts';
import type { HeldCapacity } from '../contract/policies/capacity.ts';
import { claimReplayKey } from '../contract/policies/idempotency-replay.ts';
import type { ReplayPolicy, ReplayRecord } from '../contract/policies/idempotency-replay.ts';
import {
  admissible,
  type Claim,
  type Entry,
  keepable,
  type Store,
  type StoredResponse,
  wholeMs,
} from './store.ts';

export interface MemoryStoreOptions {
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Where keys are kept, by `keyName`; default: a map that nobody else sees. */
  readonly keys?: Map<string, HeldKey>;
  /** Called after something changed that a key is remembered by: see `rememberedAs`. */
  readonly changed?: (name: string) => void;
}

/** A key in memory. */
export interface HeldKey {
  /** Whose claim was the last one. */
  readonly fence: string;
  record: KeyRecord;
  /** Until when an attempt in flight owns the key. */
  leaseUntil: number;
  /** What it becomes when its owner does not come back. */
  prepared?: EndedKey;
  isReleased: boolean;
}

export type KeyRecord = ReplayRecord<StoredResponse>;
export type EndedKey = Exclude<KeyRecord, { state: 'in-flight' }>;

/** The name under which a memory store keeps a key. */
export function keyName(scope: string, key: string): string {
  return `${String(scope.length)}:${scope}${key}`;
}

/** What is left of a key when its process dies; nothing while its call has come to no answer. */
export function rememberedAs({ record, prepared, isReleased }: HeldKey): EndedKey | undefined {
  if (isReleased) return undefined;
  return record.state === 'in-flight' ? prepared : record;
}

/** A store for one process: what it holds is gone with it, and no other process sees it. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const { now = Date.now, keys = new Map<string, HeldKey>(), changed = () => undefined } = options;
  const tickets = new Map<string, Ticket>();
  let claims = 0;
  let nextSweep = 1_000;

  const sweep = (): void => {
    for (const [id, held] of keys) if (current(held) === undefined) keys.delete(id);
    for (const [ticket, { until }] of tickets) if (until <= now()) tickets.delete(ticket);
  };
  /** What is known of a key by now; nothing when it is free. */
  const current = ({ record, leaseUntil, prepared }: HeldKey): KeyRecord | undefined => {
    const known = record.state === 'in-flight' && leaseUntil <= now() ? prepared : record;
    return known === undefined || known.state === 'in-flight' || known.expiresAt > now() ? known : undefined;
  };
  const lastOf = (fence: string): HeldKey | undefined => {
    const held = keys.get(nameOf(fence));
    return held?.fence === fence ? held : undefined;
  };
  const owned = (fence: string): HeldKey | undefined => {
    const held = lastOf(fence);
    return held !== undefined && current(held)?.state === 'in-flight' ? held : undefined;
  };
  /** Ends a claim in one state, once; says again that it did. */
  const settle = <State extends EndedKey['state']>(
    fence: string,
    state: State,
    record: (bodyHash: string) => EndedKey & { readonly state: State },
  ): boolean => {
    const own = owned(fence);
    if (own === undefined) {
      const last = lastOf(fence);
      return last !== undefined && current(last)?.state === state;
    }
    own.record = record(own.record.bodyHash);
    delete own.prepared;
    changed(nameOf(fence));
    return true;
  };
  const heldBy = (scope: string): HeldCapacity => {
    const held = [...tickets.values()].filter((ticket) => ticket.scope === scope && ticket.until > now());
    return { calls: held.length, cents: held.reduce((sum, { cents }) => sum + cents, 0) };
  };
  const after = (ms: number): number => now() + wholeMs(ms);

  return {
    claim: (scope, key, bodyHash, leaseMs) =>
      atOnce((): Claim => {
        const leaseUntil = after(leaseMs);
        // Each sweep reads all keys: with many of them it comes as much more seldom.
        if ((claims += 1) >= nextSweep) {
          sweep();
          nextSweep = claims + Math.max(1_000, keys.size);
        }
        const name = keyName(scope, key);
        const known = keys.get(name);
        const fence = crypto.randomUUID() + name;
        const decision = claimReplayKey(STATES, known && current(known), { bodyHash, fence, now: now() });
        switch (decision.action) {
          case 'replay':
            return { state: 'recorded', response: decision.response };
          case 'refuse':
            if (decision.reason !== 'in-flight') return { state: decision.reason };
            return {
              state: 'inFlight',
              retryAfterMs: Math.max(0, (known?.leaseUntil ?? 0) - now()),
              delivering: known?.prepared !== undefined,
            };
          default:
            keys.set(name, { fence, record: decision.record, leaseUntil, isReleased: false });
            return { state: 'new', fence, collecting: decision.action === 'collect' };
        }
      }),
    renew: (fence, leaseMs) =>
      atOnce(() => {
        const leaseUntil = after(leaseMs);
        const own = owned(fence);
        if (own !== undefined) own.leaseUntil = leaseUntil;
        return own !== undefined;
      }),
    prepare: (fence, response, ttlMs, leaseMs) =>
      atOnce(() => {
        const expiresAt = after(ttlMs);
        const leaseUntil = leaseMs === undefined ? undefined : after(leaseMs);
        const kept = response && keepable(response);
        const own = owned(fence);
        if (own === undefined) return false;
        const { bodyHash } = own.record;
        own.leaseUntil = leaseUntil ?? own.leaseUntil;
        own.prepared =
          kept === undefined
            ? { state: 'consumed', bodyHash, expiresAt }
            : { state: 'recorded', bodyHash, response: kept, expiresAt };
        changed(nameOf(fence));
        return true;
      }),
    record: (fence, response, ttlMs) =>
      atOnce(() => {
        const kept = { response: keepable(response), expiresAt: after(ttlMs) };
        return settle(fence, 'recorded', (bodyHash) => ({ state: 'recorded', bodyHash, ...kept }));
      }),
    consume: (fence, ttlMs) =>
      atOnce(() => {
        const expiresAt = after(ttlMs);
        return settle(fence, 'consumed', (bodyHash) => ({ state: 'consumed', bodyHash, expiresAt }));
      }),
    park: (fence, ttlMs) =>
      atOnce(() => {
        const expiresAt = after(ttlMs);
        return settle(fence, 'collecting', (bodyHash) => ({ state: 'collecting', bodyHash, expiresAt }));
      }),
    release: (fence) =>
      atOnce(() => {
        const own = owned(fence);
        if (own === undefined) return lastOf(fence)?.isReleased === true;
        Object.assign(own, { leaseUntil: now(), isReleased: true });
        delete own.prepared;
        changed(nameOf(fence));
        return true;
      }),
    enter: (scope, cents, bounds, leaseMs) =>
      atOnce((): Entry => {
        const until = after(leaseMs);
        admissible(cents, bounds);
        const held = heldBy(scope);
        if (!admitCall(held, bounds, cents).admitted) return { admitted: false, held };
        const ticket = crypto.randomUUID();
        tickets.set(ticket, { scope, cents, until });
        return { admitted: true, ticket };
      }),
    stay: (ticket, leaseMs) =>
      atOnce(() => {
        const until = after(leaseMs);
        const known = tickets.get(ticket);
        if (known === undefined || known.until <= now()) return false;
        known.until = until;
        return true;
      }),
    leave: (ticket) =>
      atOnce(() => {
        tickets.delete(ticket);
      }),
  };
}

// --- internal ---

/** A fence is a UUID and the name of its key. */
const FENCE_LENGTH = 36;

function nameOf(fence: string): string {
  return fence.slice(FENCE_LENGTH);
}

/** Work that nothing interrupts; what it throws is the failure of the promise. */
function atOnce<Value>(work: () => Value): Promise<Value> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

interface Ticket {
  readonly scope: string;
  readonly cents: number;
  until: number;
}

/** A store decides about states; statuses are the business of the server that asks it. */
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
