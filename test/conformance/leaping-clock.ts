import type { Clock } from '../../conformance/index.ts';
import { systemClock } from '../../conformance/http/transport.ts';

/**
 * Real time, but hours pass at once: the server looks at the same clock for the age of its records. Code that waits
 * for hours wakes in the order of its times, with a moment in between to act.
 */
export function leapingClock(): Clock {
  const sleepers: { readonly due: number; readonly wake: () => void }[] = [];
  let leapt = 0;
  let leaping = false;
  const now = (): number => Date.now() + leapt;
  const leap = async (): Promise<void> => {
    leaping = true;
    for (;;) {
      // Many short waits, because they take longer on a busy machine, like everything else.
      for (let moment = 0; moment < 25; moment += 1) await systemClock.sleep(10);
      sleepers.sort((a, b) => a.due - b.due);
      const next = sleepers.shift();
      if (next === undefined) break;
      leapt += Math.max(0, next.due - now());
      next.wake();
    }
    leaping = false;
  };
  return {
    now,
    sleep: (milliseconds, signal) => {
      if (milliseconds < HOUR_MS || isBudget(milliseconds))
        return systemClock.sleep(Math.min(milliseconds, 2 ** 31 - 1), signal);
      return new Promise((wake, reject) => {
        signal?.throwIfAborted();
        const sleeper = { due: now() + milliseconds, wake };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          if (sleepers.includes(sleeper)) sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal.reason as Error);
        });
        if (!leaping) void leap();
      });
    },
  };
}

// --- internal ---

const HOUR_MS = 60 * 60_000;

/** A budget must not leap: a day and some hours, or longer than any job lives. */
function isBudget(milliseconds: number): boolean {
  return Math.floor(milliseconds / HOUR_MS) === 27 || milliseconds > 31 * 24 * HOUR_MS;
}
