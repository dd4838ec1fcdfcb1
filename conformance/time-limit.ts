import type { Clock } from './transport.ts';

/** A limit of time that waits which are not the server's doing move further away. */
export interface TimeLimit {
  readonly extend: (milliseconds: number) => void;
  readonly stop: () => void;
}

/** @param onOver called once, unless the limit is stopped before */
export function startTimeLimit(clock: Clock, milliseconds: number, onOver: () => void): TimeLimit {
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

// --- internal ---

/** What the timers of the engine can count to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
