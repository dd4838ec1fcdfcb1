import { inspect } from 'node:util';
import { durationMs } from '../../contract/policies/duration.ts';

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
  return steerable({ startAt: checkedTime('startAt', startAt), speed: readSpeed(speed), auto: false });
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
  return steerable({ startAt: checkedTime('startAt', startAt), speed: 0, auto });
}

/**
 * Non-negative milliseconds from a number, or from an ISO 8601 duration such as `PT25H`.
 *
 * @param name of the value, for the message
 * @throws {RangeError} for anything else
 */
export function readDuration(name: string, duration: unknown): number {
  const milliseconds = typeof duration === 'string' ? isoMilliseconds(duration) : duration;
  if (isBetween(milliseconds, 0, LATEST)) return milliseconds;
  throw new RangeError(
    `"${name}" is a number of milliseconds from 0 up or an ISO 8601 duration such as "PT25H", got ${shown(duration)}.`,
  );
}

/**
 * A time in epoch milliseconds.
 *
 * @param name of the value, for the message
 * @throws {RangeError} for anything that a Date cannot represent
 */
export function checkedTime(name: string, time: unknown): number {
  if (isBetween(time, -LATEST, LATEST)) return time;
  throw new RangeError(`"${name}" is a time in epoch milliseconds, got ${shown(time)}.`);
}

/**
 * A speed for a clock.
 *
 * @throws {RangeError} for anything but a number from 0 to 1,000,000
 */
export function readSpeed(speed: unknown): number {
  if (isBetween(speed, 0, FASTEST)) return speed;
  throw new RangeError(`"speed" is a number from 0 to ${String(FASTEST)}, got ${shown(speed)}.`);
}

// --- internal ---

interface Sleeper {
  due: number;
  readonly wake: () => void;
}

const FASTEST = 1_000_000;

/** The latest time that a Date can represent, in epoch milliseconds. */
const LATEST = 8.64e15;

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

function isoMilliseconds(text: string): number | undefined {
  try {
    return durationMs(text);
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  return inspect(value, { depth: 0 }).slice(0, 60);
}

/** After this many turns of the event loop in which no code read the time, the process counts as idle. */
const IDLE_TURNS = 3;

/** The longest delay of setTimeout. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** After all sleepers that wake at the same time or earlier; there can be thousands. */
function placeFor(sleepers: readonly Sleeper[], due: number): number {
  let low = 0;
  let high = sleepers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sleepers[middle] as Sleeper).due <= due) low = middle + 1;
    else high = middle;
  }
  return low;
}

function steerable(options: { startAt: number; speed: number; auto: boolean }): SteerableClock {
  /** Ordered by `due`; among equals the earlier sleeper comes first. */
  const sleepers: Sleeper[] = [];
  let speed = options.speed;
  let base = options.startAt;
  let anchor = performance.now();
  let questions = 0;
  let holds = 0;
  let watching = false;
  let timeout: NodeJS.Timeout | undefined;

  const read = (): number => (speed === 0 ? base : Math.floor(base + (performance.now() - anchor) * speed));

  const set = (time: number): void => {
    base = Math.max(time, read());
    anchor = performance.now();
  };

  const wakeDue = (until: number): boolean => {
    const first = sleepers[0];
    if (first === undefined || first.due > until) return false;
    sleepers.shift();
    first.wake();
    return true;
  };

  const watch = (): void => {
    if (speed > 0) arm();
    else if (options.auto && !watching && sleepers.length > 0) {
      watching = true;
      watchTurn(questions, 0);
    }
  };

  const arm = (): void => {
    clearTimeout(timeout);
    const first = sleepers[0];
    if (first === undefined || speed === 0) return;
    const delay = Math.ceil((first.due - read()) / speed);
    timeout = setTimeout(
      () => {
        const now = read();
        while (wakeDue(now));
        arm();
      },
      Math.min(Math.max(delay, 0), LONGEST_TIMEOUT),
    );
  };

  const watchTurn = (seen: number, turns: number): void => {
    setImmediate(() => {
      const first = sleepers[0];
      if (first === undefined || speed !== 0) {
        watching = false;
        watch();
        return;
      }
      if (holds > 0 || questions !== seen) return watchTurn(questions, 0);
      if (turns + 1 < IDLE_TURNS) return watchTurn(seen, turns + 1);
      set(first.due);
      wakeDue(first.due);
      watchTurn(questions, 0);
    });
  };

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const clock: SteerableClock = {
    now() {
      questions += 1;
      return read();
    },
    sleep(milliseconds, signal) {
      questions += 1;
      if (!Number.isFinite(milliseconds))
        return Promise.reject(new RangeError(`Sleep for milliseconds, not for ${shown(milliseconds)}.`));
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      // No time has to pass, even if the clock is stopped.
      if (milliseconds <= 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          questions += 1;
          const index = sleepers.indexOf(sleeper);
          if (index >= 0) sleepers.splice(index, 1);
          // A timer for a cancelled sleeper would keep the process alive.
          if (index === 0 && speed > 0) arm();
          reject(signal?.reason as Error);
        };
        const sleeper: Sleeper = {
          due: read() + milliseconds,
          wake: () => {
            signal?.removeEventListener('abort', leave);
            resolve();
          },
        };
        signal?.addEventListener('abort', leave, { once: true });
        sleepers.splice(placeFor(sleepers, sleeper.due), 0, sleeper);
        watch();
      });
    },
    async advance(duration) {
      const target = checkedTime('advance', read() + readDuration('advance', duration));
      const release = clock.hold();
      try {
        for (;;) {
          // Code that a woken sleeper starts may sleep again until a time before the target.
          for (let i = 0; i < IDLE_TURNS; i += 1) await turn();
          const first = sleepers[0];
          if (first === undefined || first.due > target) break;
          set(first.due);
          wakeDue(first.due);
        }
        set(target);
        watch();
      } finally {
        release();
      }
    },
    setTo(time) {
      checkedTime('time', time);
      const moved = time - read();
      for (const sleeper of sleepers) sleeper.due += moved;
      base = time;
      anchor = performance.now();
      questions += 1;
      watch();
    },
    get speed() {
      return speed;
    },
    set speed(value) {
      const next = readSpeed(value);
      set(read());
      speed = next;
      clearTimeout(timeout);
      watch();
    },
    nextWake: () => sleepers[0]?.due,
    hold() {
      holds += 1;
      let held = true;
      return () => {
        if (held) holds -= 1;
        held = false;
        questions += 1;
      };
    },
  };
  return clock;
}
