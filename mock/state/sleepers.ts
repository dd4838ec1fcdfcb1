/** What waits for a time of a clock. */
interface Sleeper {
  due: number;
  readonly wake: () => void;
}

/** The sleepers of a clock, ordered by the time when they wake; among equals the earlier one comes first. */
export class Sleepers {
  readonly #waiting: Sleeper[] = [];

  /** When the first one wakes, in epoch milliseconds. */
  get next(): number | undefined {
    return this.#waiting[0]?.due;
  }

  /** @param onLeave called when a sleeper is cancelled, with whether it was the first */
  sleep(due: number, signal: AbortSignal | undefined, onLeave: (wasFirst: boolean) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const index = this.#waiting.indexOf(sleeper);
        if (index >= 0) this.#waiting.splice(index, 1);
        onLeave(index === 0);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        due,
        wake: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.splice(this.#placeFor(due), 0, sleeper);
    });
  }

  /** Wakes the first one if it is due by then; says whether it did. */
  wakeFirst(until: number): boolean {
    const first = this.#waiting[0];
    if (first === undefined || first.due > until) return false;
    this.#waiting.shift();
    first.wake();
    return true;
  }

  /** Moves all of them by so many milliseconds, together with their clock. */
  move(milliseconds: number): void {
    for (const sleeper of this.#waiting) sleeper.due += milliseconds;
  }

  /** After all sleepers that wake at the same time or earlier; there can be thousands. */
  #placeFor(due: number): number {
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waiting[middle] as Sleeper).due <= due) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
