import type { ReplayPolicy } from '../../contract/policies/idempotency-replay.ts';
import { freeKey, heldAs, knownOf } from '../../engine/memory-keys.ts';
import { bodyText } from '../call/answer.ts';
import type { Replacements } from './replacements.ts';
import type { AnswerStore } from '../state/key-ledger.ts';

/** Replacements of conforming parts for deviations about keys and capacity. */

type Replace<Name extends keyof Replacements> = NonNullable<Replacements[Name]>;

/** Facts of the policy that differ from the documented ones. */
export function keyPolicy(facts: Pick<Partial<ReplayPolicy>, 'window' | 'release'>): Replace<'policies'> {
  return (honest) => (operation) => {
    const { idempotency, ...served } = honest(operation);
    return idempotency === undefined ? served : { ...served, idempotency: { ...idempotency, ...facts } };
  };
}

/** Other statuses that release a key, instead of the documented ones. */
export function releasing(release: ReplayPolicy['release']): Replace<'policies'> {
  return keyPolicy({ release });
}

/** A second call runs at the same time as the first one. */
export const dispatchedInFlight = claiming((_store, id, held, claim) => {
  if (held.get(id)?.record.state === 'in-flight') free(held, id);
  return claim();
});

/** A second call waits for the first one, and gets the same answer. */
export const joinedInFlight = claiming(async (store, id, held, claim) => {
  const { scope, key, record } = held.get(id) ?? {};
  if (record?.state === 'in-flight' && scope !== undefined && key !== undefined)
    await store.untilSettled(scope, key);
  return claim();
});

/** Time passes between looking up a key and claiming it. */
export const checkedThenSet = claiming(async (_store, id, held, claim, { clock }) => {
  const known = held.get(id);
  const wasFree = known === undefined || knownOf(known, clock.now()) === undefined;
  await clock.sleep(1);
  if (wasFree) free(held, id);
  return claim();
});

/** Another body with the same key gets the answer to the first one. */
export const mismatchReplayed = claiming((_store, id, held, claim) => claim(held.get(id)?.record.bodyHash));

/** Another body with the same key runs. */
export const mismatchDispatched = claiming((_store, id, held, claim, { bodyHash }) => {
  if (held.get(id)?.record.bodyHash !== bodyHash) free(held, id);
  return claim();
});

/** Another body with the same key is refused, and replaces the first one. */
export const mismatchOverwrites = claiming(async (_store, id, held, claim, { bodyHash }) => {
  const claimed = await claim();
  const known = held.get(id);
  if (claimed.state !== 'new' && known !== undefined)
    held.set(id, { ...known, record: { ...known.record, bodyHash } });
  return claimed;
});

/** A key has one record: after the first has expired, nothing is recorded any more. */
export const recordedOnce = claiming((_store, id, held, claim, { clock }) => {
  const expired = overdue.get(held) ?? new Set<string>();
  overdue.set(held, expired);
  const known = held.get(id);
  if (known !== undefined && knownOf(known, clock.now()) === undefined) expired.add(id);
  else if (expired.has(id)) free(held, id);
  return claim();
});

/** Stores half of an answer that cannot be copied exactly. */
export const cutInHalf: Replace<'answers'> = (honest) => ({
  ...honest,
  copy: (made) => {
    const copy = honest.copy(made);
    if (copy !== undefined) return copy;
    const text = bodyText(made.answer.body);
    return { ...made.answer, body: { kind: 'bytes', bytes: Buffer.from(text.slice(0, text.length / 2)) } };
  },
});

/** A call whose answer is recorded without a reader must continue after its caller disconnects. */
export const unheardHangUp: Replace<'begin'> = (honest) => (call) => {
  honest(call);
  call.narrowSignal(() => new AbortController().signal);
};

/** An answer that was not delivered is recorded nevertheless. */
export const droppedDelivered: Replace<'delivery'> = (honest) => (heard) =>
  heard === 'dropped' ? 'delivered' : honest(heard);

/** A caller that was refused for its bound stays refused. */
export const neverFreed: Replace<'store'> = (honest) => {
  const stuck = new Set<string>();
  const enter: AnswerStore['enter'] = async (scope, ...asked) => {
    if (stuck.has(scope)) return { admitted: false, held: { calls: Infinity, cents: Infinity } };
    const entry = await honest.enter(scope, ...asked);
    if (entry.admitted === false) stuck.add(scope);
    return entry;
  };
  return { ...honest, enter };
};

/** What a call that is refused for its spend would have committed stays committed. */
export const refusedSpendHeld: Replace<'store'> = (honest) => {
  const lost = new Map<string, number>();
  const enter: AnswerStore['enter'] = async (scope, cents, bounds, ...asked) => {
    const kept = lost.get(scope) ?? 0;
    const left = bounds.cents === undefined ? {} : { cents: Math.max(0, bounds.cents - kept) };
    const entry = await honest.enter(scope, cents, { ...bounds, ...left }, ...asked);
    const isForSpend = entry.admitted === false && entry.held.cents + cents > (left.cents ?? Infinity);
    if (isForSpend) lost.set(scope, kept + cents);
    return entry;
  };
  return { ...honest, enter };
};

/** After one caller was refused for its bound, the next call of another one is refused as well. */
export const sharedByAll: Replace<'store'> = (honest) => {
  let full: string | undefined;
  const enter: AnswerStore['enter'] = async (scope, ...asked) => {
    if (full !== undefined && full !== scope) {
      full = undefined;
      return { admitted: false, held: { calls: Infinity, cents: 0 } };
    }
    const entry = await honest.enter(scope, ...asked);
    if (entry.admitted === false) full = scope;
    return entry;
  };
  return { ...honest, enter };
};

/** The router gives up after a fraction of its deadline. */
export function deadlineAfter(part: number): Replace<'deadlineMs'> {
  return (honest) => (operation) => part * honest(operation);
}

// --- internal ---

const overdue = new WeakMap<object, Set<string>>();

type Claimed = ReturnType<AnswerStore['claim']>;
type Surroundings = Parameters<Replace<'store'>>[1];

/** Releases a key, but keeps its charge. */
function free(held: Surroundings['held'], id: string): void {
  const known = held.get(id);
  if (known !== undefined)
    held.set(id, { ...freeKey(known.scope, known.key), chargedUntil: known.chargedUntil ?? 0 });
}

/** Another way to claim a key. `claim` is the conforming way, optionally with the hash of another body. */
function claiming(
  other: (
    store: AnswerStore,
    id: string,
    held: Surroundings['held'],
    claim: (bodyHash?: string) => Claimed,
    more: Pick<Surroundings, 'clock'> & { readonly bodyHash: string },
  ) => Claimed,
): Replace<'store'> {
  return (honest, { clock, held }) => ({
    ...honest,
    claim: (scope, key, bodyHash, leaseMs) => {
      const claim = (hash = bodyHash): Claimed => honest.claim(scope, key, hash, leaseMs);
      return other(honest, heldAs(scope, key), held, claim, { clock, bodyHash });
    },
  });
}
