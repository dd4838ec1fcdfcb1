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
