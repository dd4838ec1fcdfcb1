import type { Clock } from '../../../generator/runtime/clock.ts';
import { virtualClock } from '../../../mock/index.ts';

/** A clock that moves on when everything waits for it, and records all sleeps. For code that touches no socket. */
export class TestClock implements Clock {
  readonly #clock = virtualClock({ startAt: Date.UTC(2026, 10, 21) });
  /** Pauses that were slept to their end. */
  readonly slept: number[] = [];

  now(): number {
    return this.#clock.now();
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.#clock.sleep(milliseconds, signal);
    this.slept.push(milliseconds);
  }

  /** Whether there are sleepers that were neither woken nor aborted: leaks of a client. */
  get isAwaited(): boolean {
    return this.#clock.nextWake() !== undefined;
  }
}
