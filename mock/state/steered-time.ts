import { Sleepers } from './sleepers.ts';
import { checkedTime, readDuration, readSpeed, shown } from './clock-values.ts';
import type { SteerableClock } from './clock.ts';

/** The start and the nature of a clock that can be moved. */
export interface SteeredTimeOptions {
  /** Epoch milliseconds. */
  readonly startAt: number;
  readonly speed: number;
  /** Whether a stopped clock advances to the next sleeper as soon as everything in this process is idle. */
  readonly auto: boolean;
}

/** A time that runs at a speed of its own, and the sleepers that it wakes. */
export class SteeredTime implements SteerableClock {
  readonly #sleepers = new Sleepers();
  readonly #auto: boolean;
  #speed: number;
  /** The time of this clock at the moment `#anchor` of the machine. */
  #base: number;
  #anchor = performance.now();
  /** How often code used the clock: while this grows, the process is not idle. */
  #questions = 0;
  #holds = 0;
  #isWatching = false;
  #timeout: NodeJS.Timeout | undefined;

  constructor({ startAt, speed, auto }: SteeredTimeOptions) {
    this.#base = startAt;
    this.#speed = speed;
    this.#auto = auto;
  }

  // Arrow functions, so that callers can pass them on without the clock.
  readonly now = (): number => {
    this.#questions += 1;
    return this.#read();
  };

  readonly sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    this.#questions += 1;
    if (!Number.isFinite(milliseconds))
      return Promise.reject(new RangeError(`Sleep for milliseconds, not for ${shown(milliseconds)}.`));
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    // No time has to pass, even if the clock is stopped.
    if (milliseconds <= 0) return Promise.resolve();
    const slept = this.#sleepers.sleep(this.#read() + milliseconds, signal, (wasFirst) => {
      this.#questions += 1;
      // A timer for a cancelled sleeper would keep the process alive.
      if (wasFirst && this.#speed > 0) this.#arm();
    });
    this.#watch();
    return slept;
  };

  readonly advance = async (duration: number | string): Promise<void> => {
    const target = checkedTime('advance', this.#read() + readDuration('advance', duration));
    const release = this.hold();
    try {
      for (;;) {
        // Code that a woken sleeper starts may sleep again until a time before the target.
        for (let i = 0; i < IDLE_TURNS; i += 1) await new Promise((resolve) => setImmediate(resolve));
        const { next } = this.#sleepers;
        if (next === undefined || next > target) break;
        this.#set(next);
        this.#sleepers.wakeFirst(next);
      }
      this.#set(target);
      this.#watch();
    } finally {
      release();
    }
  };

  readonly setTo = (time: number): void => {
    checkedTime('time', time);
    this.#sleepers.move(time - this.#read());
    this.#base = time;
    this.#anchor = performance.now();
    this.#questions += 1;
    this.#watch();
  };

  get speed(): number {
    return this.#speed;
  }

  set speed(value: number) {
    const next = readSpeed(value);
    this.#set(this.#read());
    this.#speed = next;
    clearTimeout(this.#timeout);
    this.#watch();
  }

  readonly nextWake = (): number | undefined => {
    return this.#sleepers.next;
  };

  readonly hold = (): (() => void) => {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.#holds -= 1;
      isHeld = false;
      this.#questions += 1;
    };
  };

  #read(): number {
    if (this.#speed === 0) return this.#base;
    return Math.floor(this.#base + (performance.now() - this.#anchor) * this.#speed);
  }

  #set(time: number): void {
    this.#base = Math.max(time, this.#read());
    this.#anchor = performance.now();
  }

  /** Makes sure that the next sleeper wakes: by a timer, or once the process is idle. */
  #watch(): void {
    if (this.#speed > 0) this.#arm();
    else if (this.#auto && !this.#isWatching && this.#sleepers.next !== undefined) {
      this.#isWatching = true;
      this.#watchTurn(this.#questions, 0);
    }
  }

  #arm(): void {
    clearTimeout(this.#timeout);
    const { next } = this.#sleepers;
    if (next === undefined || this.#speed === 0) return;
    const delay = Math.ceil((next - this.#read()) / this.#speed);
    this.#timeout = setTimeout(
      () => {
        const now = this.#read();
        while (this.#sleepers.wakeFirst(now));
        this.#arm();
      },
      Math.min(Math.max(delay, 0), LONGEST_TIMEOUT),
    );
  }

  #watchTurn(seen: number, turns: number): void {
    setImmediate(() => {
      const { next } = this.#sleepers;
      if (next === undefined || this.#speed !== 0) {
        this.#isWatching = false;
        this.#watch();
        return;
      }
      if (this.#holds > 0 || this.#questions !== seen) return this.#watchTurn(this.#questions, 0);
      if (turns + 1 < IDLE_TURNS) return this.#watchTurn(seen, turns + 1);
      this.#set(next);
      this.#sleepers.wakeFirst(next);
      this.#watchTurn(this.#questions, 0);
    });
  }
}

// --- internal ---

/** After this many turns of the event loop in which no code used the clock, the process counts as idle. */
const IDLE_TURNS = 3;

/** The longest delay of setTimeout. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;
