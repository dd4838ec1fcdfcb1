import type { Clock } from './transport.ts';

/**
 * Waits for the turn of a request if the rate is limited.
 *
 * @param willWait called with the length of the wait in milliseconds, before it begins
 */
export type AwaitTurn = (signal: AbortSignal, willWait?: (milliseconds: number) => void) => Promise<void>;

/**
 * Spreads requests evenly over time, with a maximum per second; a fraction means less than one per second.
 */
export function rationed(clock: Clock, perSecond: number | undefined): AwaitTurn {
  if (perSecond === undefined) return () => Promise.resolve();
  const gapMs = 1000 / perSecond;
  let next = 0;
  return async (signal, willWait) => {
    const now = clock.now();
    const at = Math.max(next, now);
    next = at + gapMs;
    if (at <= now) return;
    willWait?.(at - now);
    await clock.sleep(at - now, signal);
  };
}
