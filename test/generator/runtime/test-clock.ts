import type { Clock } from '../../../generator/runtime/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A stopped clock that records all sleeps. */
export class TestClock implements Clock {
  #now = Date.UTC(2026, 10, 21);
  #sleepers: Sleeper[] = [];
  /** Pauses that were slept to their end. */
  readonly slept: number[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
      };
      const sleeper: Sleeper = {
        at: this.#now + milliseconds,
        wake: () => {
          leave();
          this.slept.push(milliseconds);
          resolve();
        },
      };
      const stop = (): void => {
        leave();
        reject(signal?.reason as Error);
      };
      this.#sleepers.push(sleeper);
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Sleepers that were neither woken nor aborted: leaks of a client. */
  get asleep(): number {
    return this.#sleepers.length;
  }

  /** Moves on to the next sleeper and wakes it. */
  advance(): void {
    const [next] = [...this.#sleepers].sort((left, right) => left.at - right.at);
    if (next === undefined) throw new Error('nobody sleeps: what is waited for will never happen');
    this.#now = Math.max(this.#now, next.at);
    next.wake();
  }

  /** Waits for a promise, and moves on whenever nothing else happens. For code that touches no socket. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    for (;;) {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      if (settled) return watched;
      this.advance();
    }
  }
}
