import { useEffect, useState } from 'preact/hooks';
import { state } from './live.ts';

/**
 * The time of the mock's clock, which can differ from the time of this machine. It is extrapolated from the last
 * reading at the clock's speed.
 */
export function useNow(everyMs = 1_000): number | undefined {
  const [, turn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      turn((count) => count + 1);
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [everyMs]);
  const clock = state.value?.clock;
  if (clock === undefined) return undefined;
  if (told?.clock !== clock) told = { clock, at: performance.now() };
  return clock.now + (performance.now() - told.at) * (clock.speed ?? 1);
}

// --- internal ---

/** When this page last read the clock. */
let told: { readonly clock: object; readonly at: number } | undefined;
