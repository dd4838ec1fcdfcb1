import { deliveryLeaseMs, withinStoreTimeout } from './key-claim.ts';
import type { KeyContext } from './key-context.ts';
import { keepLease } from './lease.ts';
import { every, persist, within } from './patience.ts';

/** How a call keeps its key, and how it learns that the key is lost. */
export interface KeyLease {
  readonly lost: AbortSignal | undefined;
  readonly isLost: () => boolean;
  /** Stores the answer before it is sent. The result says whether it may be sent. */
  readonly prepare: (keep: (leaseMs?: number) => Kept) => Kept;
  /** @param isKept whether the key still belongs to the call */
  readonly settle: (keep: () => Kept, isKept: boolean) => Promise<void> | void;
}

/** Whether the call owned its key. */
type Kept = Promise<boolean> | boolean;

/**
 * In a store of the same process, leases do not end. A key that was removed manually does not delay an
 * answer.
 */
export const PERMANENT_LEASE: KeyLease = {
  lost: undefined,
  isLost: () => false,
  prepare: (keep) => {
    const kept = keep();
    return kept instanceof Promise ? kept.then(() => true) : true;
  },
  settle: (keep) => {
    const kept = keep();
    return kept instanceof Promise ? kept.then(() => undefined) : undefined;
  },
};

/** Renews the claim of a call on its key for as long as the call runs. */
export function leased<Copy>(context: KeyContext<Copy>, fence: string, sentAt: number): KeyLease {
  const { ports, leaseMs, onFailure } = context;
  const { store } = ports;
  const { storeTimeoutMs } = ports.limits;
  const loss = new AbortController();
  const lose = (error?: unknown): void => {
    if (loss.signal.aborted) return;
    loss.abort(new Error('the claim on the key of this call is lost'));
    context.onLost(error);
  };
  /** Whether an answer may have been stored by a command whose response got lost. */
  let mayBePrepared = false;
  let stop = keepLease({
    ...{ leaseMs, storeTimeoutMs, sentAt, onFailure },
    renew: () => store.renew(fence, leaseMs),
    onLost: (error) => {
      // A prepared answer has a shorter lease, and outlasts it. The record shows what happened.
      if (!mayBePrepared || error !== undefined) lose(error);
    },
  });
  const prepare: KeyLease['prepare'] = async (keep) => {
    const shortMs = deliveryLeaseMs(context);
    let isHeld: boolean;
    try {
      isHeld = await within(keep(shortMs), storeTimeoutMs);
    } catch (error) {
      onFailure(error);
      mayBePrepared = true;
      // The claim is still valid, and the record is retried after the answer was sent.
      return !loss.signal.aborted;
    }
    stop();
    if (isHeld) {
      // From now on, no other call gets the key: when this lease ends, the answer counts as recorded.
      stop = every(shortMs / 3, () => void Promise.resolve(store.renew(fence, shortMs)).catch(onFailure));
    } else lose();
    return isHeld;
  };
  const settle: KeyLease['settle'] = async (keep, isKept) => {
    // The claim outlasts an outage of the store that is shorter than the lease, so that nothing runs twice
    // because of that.
    const kept = persist(() => within(keep(), storeTimeoutMs), leaseMs, onFailure)
      .then((isHeld) => {
        if (isHeld === false && isKept) lose();
      })
      .finally(() => {
        stop();
      });
    await (isKept ? kept : withinStoreTimeout(kept, context));
  };
  return { lost: loss.signal, isLost: () => loss.signal.aborted, prepare, settle };
}
