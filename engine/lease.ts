import { within } from './patience.ts';

/**
 * The shortest lease with which a slow store cannot end a claim unnoticed, in milliseconds.
 *
 * Let L be the lease, D the deadline, T the time that the store may take to answer, and M a margin for late
 * timers and differing clocks.
 *
 * - The store starts the lease when the claim arrives, which is never before it was sent. So the owner may
 *   rely on the claim for L - M from when it was *sent*, however late the answer arrives.
 * - A renewal is sent L/3 after the last one was sent, and is answered or abandoned T later. The outcome has
 *   to be known while the claim still lasts: L/3 + T <= L - M, so L >= 1.5 (T + M).
 * - The work begins up to T after the claim was sent (a claim that is answered later is released) and may
 *   take D. It should not be ended before its deadline only because no renewal succeeds. So D is added, and
 *   the rest of 1.5 (T + M) is for the start and for storing the answer.
 *
 * If all of them take their maximum and no renewal succeeds, the lease ends first. Then the claim counts as
 * lost, and the call is ended: it never continues without its key.
 */
export function shortestLeaseMs(deadlineMs: number, storeTimeoutMs: number): number {
  return deadlineMs + 1.5 * (storeTimeoutMs + MARGIN_MS);
}

export interface LeaseOptions {
  readonly leaseMs: number;
  readonly storeTimeoutMs: number;
  /** When the command that started the lease was sent, by `performance.now()`. */
  readonly sentAt: number;
  /** Renews the lease in the store for `leaseMs`; `false` if the lease no longer exists. */
  readonly renew: () => Promise<boolean> | boolean;
  /** Receives each failed renewal. */
  readonly onFailure: (error: unknown) => void;
  /**
   * Called once, when the lease has ended or may have ended; with the last failure if the store was
   * unavailable.
   */
  readonly onLost: (error?: unknown) => void;
}

/**
 * Renews a lease when a third of it has passed since the last renewal was sent. A failed renewal is retried
 * for as long as the lease certainly lasts, so that a short outage of the store does not end a call.
 *
 * @returns a function that stops the renewals
 */
export function keepLease({
  leaseMs,
  storeTimeoutMs,
  sentAt,
  renew,
  onFailure,
  onLost,
}: LeaseOptions): () => void {
  let sureUntil = sentAt + leaseMs - MARGIN_MS;
  let isOver = false;
  let restMs = SHORTEST_REST_MS;
  let failure: unknown;
  let timer: unknown;

  const lose = (): void => {
    isOver = true;
    onLost(failure);
  };
  const turn = async (): Promise<void> => {
    const now = performance.now();
    if (now >= sureUntil) {
      lose();
      return;
    }
    try {
      const isHeld = await within(renew(), Math.min(storeTimeoutMs, sureUntil - now));
      if (isOver) return;
      failure = undefined;
      if (!isHeld) {
        lose();
        return;
      }
      sureUntil = now + leaseMs - MARGIN_MS;
      restMs = SHORTEST_REST_MS;
      turnAt(now + leaseMs / 3);
    } catch (error) {
      if (isOver) return;
      failure = error;
      onFailure(error);
      turnAt(Math.min(performance.now() + restMs, sureUntil));
      restMs = Math.min(restMs * 2, LONGEST_REST_MS);
    }
  };
  const turnAt = (time: number): void => {
    const ms = Math.min(Math.max(0, time - performance.now()), LONGEST_TIMER_MS);
    timer = setTimeout(() => void turn(), ms);
    (timer as { unref?: () => void }).unref?.();
  };

  turnAt(sentAt + leaseMs / 3);
  return () => {
    isOver = true;
    clearTimeout(timer as ReturnType<typeof setTimeout>);
  };
}

// --- internal ---

const MARGIN_MS = 1_000;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 5_000;
/** The longest delay of a timer. */
const LONGEST_TIMER_MS = 2_147_483_647;
