import type { Clock } from '../../state/clock.ts';
import type { Lane } from './lane.ts';

/** Why a wait ended. */
export type WakeReason = 'changed' | 'still-alive';

/**
 * Waits for an event in a lane. All waiters share one timer of the clock, and there is no timer without
 * waiters, so a stream without a reader does not move the clock.
 */
export class Watch {
  readonly #lane: Lane;
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #waiters = new Set<(wake: WakeReason | Error) => void>();
  #stillAliveAt = Number.NEGATIVE_INFINITY;
  #rest: AbortController | undefined;
  #closed: Error | undefined;

  /** @param everyMs how long to wait for a change before a keep-alive, in milliseconds */
  constructor(lane: Lane, clock: Clock, everyMs: number) {
    this.#lane = lane;
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Resolves at the next change or keep-alive; rejects when the signal aborts or the lane is closed. */
  wait(signal: AbortSignal): Promise<WakeReason> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(go);
        if (this.#waiters.size === 0) this.#rest?.abort();
        reject(signal.reason as Error);
      };
      const go = (wake: WakeReason | Error): void => {
        signal.removeEventListener('abort', leave);
        if (wake instanceof Error) reject(wake);
        else resolve(wake);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.add(go);
      if (this.#rest === undefined) void this.#keepWatch();
    });
  }

  /** Wakes all waiters. */
  wake(why: WakeReason | Error = 'changed'): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const go of waiters) go(why);
    this.#rest?.abort();
  }

  /** Ends all waits; no new ones can begin. */
  close(why: Error): void {
    this.#closed = why;
    this.wake(why);
  }

  /** Sleeps until the next event, while there are waiters. */
  async #keepWatch(): Promise<void> {
    while (this.#waiters.size > 0) {
      const rest = (this.#rest = new AbortController());
      const now = this.#clock.now();
      if (this.#stillAliveAt <= now) this.#stillAliveAt = now + this.#everyMs;
      const next = Math.min(this.#lane.nextAt() ?? Number.POSITIVE_INFINITY, this.#stillAliveAt);
      // Aborted by an earlier change, or if there are no more waiters.
      await this.#clock.sleep(next - now, rest.signal).catch(() => undefined);
      this.#lane.catchUp(this.#clock.now());
      if (this.#clock.now() >= this.#stillAliveAt) this.wake('still-alive');
    }
    this.#rest = undefined;
  }
}
