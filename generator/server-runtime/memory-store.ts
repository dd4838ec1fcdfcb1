import { admitCall } from '../../contract/policies/capacity.ts';
import type { HeldCapacity } from '../../contract/policies/capacity.ts';
import { claimReplayKey } from '../../contract/policies/idempotency-replay.ts';
import type { ReplayPolicy, ReplayRecord } from '../../contract/policies/idempotency-replay.ts';
import type { Store, StoredResponse } from './store.ts';

export interface MemoryStoreOptions {
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** A store for one process: what it holds is gone with it, and no other process sees it. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const now = options.now ?? Date.now;
  const keys = new Map<string, Held>();
  /** Which key a fence owns. */
  const owners = new Map<string, string>();
  const tickets = new Map<string, Ticket>();
  let claims = 0;
  let nextSweep = 1_000;

  const sweep = (): void => {
    for (const [id, { record, leaseUntil, prepared }] of keys) {
      const until =
        record.state === 'in-flight' ? Math.max(leaseUntil, prepared?.expiresAt ?? 0) : record.expiresAt;
      if (until <= now()) forget(id, record);
    }
    for (const [ticket, { until }] of tickets) if (until <= now()) tickets.delete(ticket);
  };
  const forget = (id: string, record: Recorded): void => {
    keys.delete(id);
    if (record.state === 'in-flight') owners.delete(record.fence);
  };
  const owned = (fence: string): { id: string; held: Held } | undefined => {
    const id = owners.get(fence);
    const held = id === undefined ? undefined : keys.get(id);
    if (id === undefined || held?.record.state !== 'in-flight' || held.leaseUntil <= now()) return undefined;
    return { id, held };
  };
  const settle = (fence: string, record: (bodyHash: string) => Recorded | undefined): Promise<void> => {
    const own = owned(fence);
    if (own === undefined) return Promise.resolve();
    owners.delete(fence);
    const next = record(own.held.record.bodyHash);
    if (next === undefined) keys.delete(own.id);
    else keys.set(own.id, { record: next, leaseUntil: 0 });
    return Promise.resolve();
  };
  const heldBy = (scope: string): HeldCapacity => {
    const held = [...tickets.values()].filter((ticket) => ticket.scope === scope && ticket.until > now());
    return { calls: held.length, cents: held.reduce((sum, { cents }) => sum + cents, 0) };
  };

  return {
    claim(scope, key, bodyHash, leaseMs) {
      // Each sweep reads all keys: with many of them it comes as much more seldom.
      if ((claims += 1) >= nextSweep) {
        sweep();
        nextSweep = claims + Math.max(1_000, keys.size);
      }
      const id = `${String(scope.length)}:${scope}${key}`;
      const known = keys.get(id);
      const isAbandoned = known?.record.state === 'in-flight' && known.leaseUntil <= now();
      if (isAbandoned) {
        forget(id, known.record);
        if (known.prepared !== undefined) keys.set(id, { record: known.prepared, leaseUntil: 0 });
      }
      const fence = crypto.randomUUID();
      const decision = claimReplayKey(STATES, keys.get(id)?.record, {
        ...{ bodyHash, fence },
        now: now(),
      });
      switch (decision.action) {
        case 'replay':
          return Promise.resolve({ state: 'recorded', response: decision.response });
        case 'refuse':
          return Promise.resolve(
            decision.reason === 'in-flight'
              ? {
                  state: 'inFlight',
                  retryAfterMs: Math.max(0, (known?.leaseUntil ?? 0) - now()),
                  delivering: known?.prepared !== undefined,
                }
              : { state: decision.reason },
          );
        default:
          keys.set(id, { record: decision.record, leaseUntil: now() + leaseMs });
          owners.set(fence, id);
          return Promise.resolve({ state: 'new', fence, collecting: decision.action === 'collect' });
      }
    },
    renew(fence, leaseMs) {
      const own = owned(fence);
      if (own === undefined) return Promise.resolve(false);
      own.held.leaseUntil = now() + leaseMs;
      return Promise.resolve(true);
    },
    prepare(fence, response, ttlMs, leaseMs) {
      const own = owned(fence);
      if (own === undefined) return Promise.resolve();
      const { bodyHash } = own.held.record;
      const expiresAt = now() + ttlMs;
      if (leaseMs !== undefined) own.held.leaseUntil = now() + leaseMs;
      own.held.prepared =
        response === undefined
          ? { state: 'consumed', bodyHash, expiresAt }
          : { state: 'recorded', bodyHash, response, expiresAt };
      return Promise.resolve();
    },
    record: (fence, response, ttlMs) =>
      settle(fence, (bodyHash) => ({ state: 'recorded', bodyHash, response, expiresAt: now() + ttlMs })),
    consume: (fence, ttlMs) =>
      settle(fence, (bodyHash) => ({ state: 'consumed', bodyHash, expiresAt: now() + ttlMs })),
    park: (fence, ttlMs) =>
      settle(fence, (bodyHash) => ({ state: 'collecting', bodyHash, expiresAt: now() + ttlMs })),
    release: (fence) => settle(fence, () => undefined),
    enter(scope, cents, bounds, leaseMs) {
      const held = heldBy(scope);
      if (!admitCall(held, bounds, cents).admitted) return Promise.resolve({ admitted: false, held });
      const ticket = crypto.randomUUID();
      tickets.set(ticket, { scope, cents, until: now() + leaseMs });
      return Promise.resolve({ admitted: true, ticket });
    },
    stay(ticket, leaseMs) {
      const known = tickets.get(ticket);
      if (known === undefined || known.until <= now()) return Promise.resolve(false);
      known.until = now() + leaseMs;
      return Promise.resolve(true);
    },
    leave(ticket) {
      tickets.delete(ticket);
      return Promise.resolve();
    },
  };
}

// --- internal ---

type Recorded = ReplayRecord<StoredResponse>;

interface Held {
  readonly record: Recorded;
  /** Until when an attempt in flight owns the key. */
  leaseUntil: number;
  /** What it becomes when its owner does not come back. */
  prepared?: Exclude<Recorded, { state: 'in-flight' }>;
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
