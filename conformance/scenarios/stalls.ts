import type { Clock } from '../http/transport.ts';

/**
 * Watches for how long this process does nothing: on a busy machine, what it sends and hears is late.
 *
 * @returns ends the watch, and gives the longest such time in milliseconds
 */
export function watchStalls(clock: Clock): () => number {
  const over = new AbortController();
  let longest = 0;
  let due = clock.now() + TICK_MS;
  const note = (): void => {
    longest = Math.max(longest, clock.now() - due);
    due = clock.now() + TICK_MS;
  };
  const tick = async (): Promise<never> => {
    for (;;) {
      await clock.sleep(TICK_MS, over.signal);
      note();
    }
  };
  void tick().catch(() => undefined);
  return () => {
    note();
    over.abort(new Error('the watch is over'));
    return longest;
  };
}

// --- internal ---

const TICK_MS = 20;
