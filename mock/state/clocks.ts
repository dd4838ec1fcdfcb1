import type { SteerableClock } from './clock.ts';
import { checkedTime, readSpeed, shown } from './clock-values.ts';
import { SteeredTime } from './steered-time.ts';

/**
 * The start of virtual clocks and of mocks with a seed, in epoch milliseconds; fixed, so that runs are
 * repeatable.
 */
export const startOfSeeded = Date.UTC(2026, 0, 5, 9);

/**
 * A clock that runs like that of this machine, and can also be advanced, stopped and sped up.
 *
 * @param startAt epoch milliseconds; default: the time of this machine
 * @param speed its initial speed; with 0, the clock shows exactly `startAt`
 * @throws {RangeError} for an invalid time or speed
 */
export function realClock(startAt = Date.now(), speed = 1): SteerableClock {
  return new SteeredTime({ startAt: checkedTime('startAt', startAt), speed: readSpeed(speed), auto: false });
}

/** The start and the behaviour of a virtual clock. */
export interface VirtualClockOptions {
  /** Epoch milliseconds; default: a fixed day, so that runs are repeatable. */
  readonly startAt?: number;
  /**
   * Whether the clock advances to the next sleeper as soon as everything in this process is idle (the
   * default). Idle means that several turns of the event loop passed in which no code read the time. Peers
   * behind real sockets look idle although they are not: set it to false for them and use `advance`.
   */
  readonly auto?: boolean;
}

/**
 * A clock that only advances by `advance`, and by itself when everything is waiting.
 *
 * @throws {RangeError} for options of another type
 */
export function virtualClock(options: VirtualClockOptions = {}): SteerableClock {
  const { startAt = startOfSeeded, auto = true } = options;
  if (typeof auto !== 'boolean') throw new RangeError(`"auto" is true or false, got ${shown(auto)}.`);
  return new SteeredTime({ startAt: checkedTime('startAt', startAt), speed: 0, auto });
}
