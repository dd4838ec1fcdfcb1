import type { Clock } from '../http/transport.ts';

/** A time limit that is extended by waits that the server did not cause. */
export interface TimeLimit {
  readonly extend: (milliseconds: number) => void;
  readonly stop: () => void;
}

/** The time limits of all running scenarios. */
export class TimeLimits {
  readonly #clock: Clock;
  readonly #running = new Set<TimeLimit>();
  /** The end of the longest wait that affects all of them. */
  #waitUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param onOver called once, unless the limit is stopped before */
  start(milliseconds: number, onOver: () => void): TimeLimit {
    const { extend, stop } = startTimeLimit(this.#clock, milliseconds, onOver);
    extend(Math.max(0, this.#waitUntil - this.#clock.now()));
    const limit: TimeLimit = {
      extend,
      stop: () => {
        stop();
        this.#running.delete(limit);
      },
    };
    this.#running.add(limit);
    return limit;
  }

  /** A wait that no scenario caused. It also counts for those that begin meanwhile. */
  extendAll(milliseconds: number): void {
    this.#waitUntil = Math.max(this.#waitUntil, this.#clock.now() + milliseconds);
    for (const limit of this.#running) limit.extend(milliseconds);
  }
}

// --- internal ---

/** The longest delay of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function startTimeLimit(clock: Clock, milliseconds: number, onOver: () => void): TimeLimit {
  const stopped = new AbortController();
  let until = clock.now() + milliseconds;
  const run = async (): Promise<void> => {
    for (let left = milliseconds; left > 0; left = until - clock.now())
      await clock.sleep(Math.min(left, LONGEST_TIMER_MS), stopped.signal);
    onOver();
  };
  run().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  return {
    extend: (more) => void (until += more),
    stop: () => stopped.abort(),
  };
}
