/** The clock of a client. Tests replace it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after this many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of a timer; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        Math.min(milliseconds, LONGEST_TIMER_MS),
      );
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop);
    }),
};
