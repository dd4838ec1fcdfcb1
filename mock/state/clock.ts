import { checkedTime, readSpeed, shown } from './clock-values.ts';
import { SteeredTime } from './steered-time.ts';

/** The time of the mock. Tests and the control API can replace it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after this many milliseconds of this clock; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A clock that can be moved. It only goes back together with the state of an earlier time. */
export interface SteerableClock extends Clock {
  /**
   * Advances by a duration, in milliseconds or as ISO 8601 such as `PT25H`. Sleepers that are due by then
   * wake in order, each at its own time.
   *
   * @throws {RangeError} as a rejection, for anything else; the clock then does not change
   */
  advance(duration: number | string): Promise<void>;
  /**
   * Sets the time, also to an earlier one, for the state of that time. Sleepers keep their remaining time.
   *
   * @param time in epoch milliseconds
   * @throws {RangeError} for anything else
   */
  setTo(time: number): void;
  /**
   * Milliseconds of this clock per real millisecond; 0 stops it. At most 1,000,000.
   *
   * @throws {RangeError} when it is set to anything else
   */
  speed: number;
  /** When the next sleeper wakes, in epoch milliseconds. */
  nextWake(): number | undefined;
  /**
   * Reports work that this clock cannot observe; the clock does not advance by itself until it is released.
   */
  hold(): () => void;
}

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
