import type { Exchange } from '../exchanges/exchange.ts';
import type { Clock } from '../http/transport.ts';
import { type BrokenFixture, Hindered } from './scenario.ts';

/**
 * Watches how late this process is: on a busy machine it sends and hears late.
 *
 * @returns ends the watch, and gives the sum of all delays in milliseconds
 */
export function watchDelays(clock: Clock): () => number {
  const over = new AbortController();
  let sum = 0;
  let due = clock.now() + TICK_MS;
  const note = (): void => {
    const late = clock.now() - due;
    if (late > USUAL_MS) sum += late;
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
    return sum;
  };
}

/**
 * Why a machine that was late shows nothing about what happens at the same time; `undefined` if it was not.
 *
 * @param mostMs how late it may be, in milliseconds
 */
export function whyTooLate(lateMs: number, mostMs = MOST_LATE_MS): string | undefined {
  if (lateMs <= mostMs) return undefined;
  return `this machine was ${String(Math.round(lateMs))} ms late: it is too busy to time calls`;
}

/** That this machine was too late to see what became of a call; `undefined` if it was not. */
export function hinderedByDelays(lateMs: number, call: Exchange): Hindered | undefined {
  const why = wasOnTime(lateMs, call) ? undefined : whyTooLate(lateMs, 0);
  return why === undefined ? undefined : new Hindered(why, [call.id]);
}

/** A call did not run as long as it had to: its fixture is at fault, or this machine was too late to see it. */
export function unlessLate(fault: BrokenFixture, lateMs: number, call: Exchange): BrokenFixture | Hindered {
  return hinderedByDelays(lateMs, call) ?? fault;
}

// --- internal ---

/** Whether delays were short beside what a call took. */
function wasOnTime(lateMs: number, { startedAt, endedAt }: Exchange): boolean {
  return lateMs <= (endedAt - startedAt) / 4;
}

const TICK_MS = 20;

/** Later than this, it may see a call after the end of another one. */
const MOST_LATE_MS = 500;

/** Timers of a machine that is not busy are as late as this. */
const USUAL_MS = 5;
