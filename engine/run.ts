import { passOnAborts } from './aborts.ts';
import type { Course, CallClaim } from './course.ts';
import { Refused } from './decision.ts';
import { type StoreObserver, storeUnavailable } from './store-unavailable.ts';
import type { KeyPorts } from './key-context.ts';

/** The surroundings that a running call needs. */
export interface RunPorts extends StoreObserver, Pick<KeyPorts, 'after'> {
  /** The timer starts when the work requests its signal, so that other work needs no timer. */
  readonly heedsSignal?: boolean;
}

/** A call that may run, with its deadline and its single charge. */
export class Run {
  readonly #ports: RunPorts;
  readonly #course: Course;
  readonly #hold: CallClaim;
  #stop: AbortController | undefined;
  /** Starts the deadline of the run, if it waits for the first use of the signal. */
  #start: (() => void) | undefined;
  #over: string | undefined;
  #isCharged: boolean | undefined;

  constructor(ports: RunPorts, course: Course, hold: CallClaim) {
    this.#ports = ports;
    this.#course = course;
    this.#hold = hold;
  }

  /** Aborts when the result of the call is no longer needed. Created on first use. */
  get signal(): AbortSignal {
    if (this.#stop === undefined) {
      this.#stop = new AbortController();
      if (this.#over !== undefined) this.#stop.abort(new Error(this.#over));
      passOnAborts([this.#course.signal(), this.#hold.lost], this.#stop);
      this.#start?.();
    }
    return this.#stop.signal;
  }

  /** Whether the call is charged; `undefined` until the work asks for it. */
  get isCharged(): boolean | undefined {
    return this.#isCharged;
  }

  /**
   * Whether to charge: once for each key and each call, and never for a call that has ended.
   *
   * @throws {Refused} if the store does not answer, or the key of the call turns out to be lost or used up
   */
  charge(): Promise<boolean> | boolean {
    if (this.#isCharged !== undefined) return false;
    this.#isCharged = false;
    if (this.#hasEnded()) return false;
    const away = (error: unknown): never => {
      if (error instanceof Refused) throw error;
      return storeUnavailable(this.#ports, this.#course.operation, error, CHARGE_UNKNOWN);
    };
    let taking: Promise<boolean> | boolean;
    try {
      taking = this.#hold.charge(() => this.#hasEnded());
    } catch (error) {
      return away(error);
    }
    return taking instanceof Promise
      ? taking.catch(away).then((isTaken) => this.#charged(isTaken))
      : this.#charged(taking);
  }

  /** Aborts the remaining work for this reason. */
  end(reason: string): void {
    this.#over ??= reason;
    this.#stop?.abort(new Error(this.#over));
  }

  /**
   * The answer, if it is made in time. Work that answers synchronously is always in time, and needs no
   * promise.
   *
   * @param ms the time limit from now; if left out, there is none
   * @throws {Refused} when the time limit passes first, unless the call was charged
   */
  inTime<Answer>(ms: number | undefined, work: () => Promise<Answer> | Answer): Promise<Answer> | Answer {
    const { deadline } = this.#course.operation;
    if (deadline === undefined || ms === undefined) return work();
    let isOver = false;
    let expire = (): void => {
      isOver = true;
    };
    let cancel = (): void => undefined;
    const start = (): void => {
      cancel = this.#ports.after(ms, () => {
        expire();
      });
    };
    const stop = (): void => {
      this.#start = undefined;
      cancel();
    };
    if (this.#ports.heedsSignal === true) this.#start = start;
    else start();
    let handled: Promise<Answer> | Answer;
    try {
      handled = work();
    } catch (error) {
      stop();
      throw error;
    }
    if (!(handled instanceof Promise)) {
      stop();
      return handled;
    }
    const expired = new Promise<typeof EXPIRED>((resolve) => {
      expire = () => {
        resolve(EXPIRED);
      };
      if (isOver) expire();
    });
    return this.#whicheverFirst(handled, expired, deadline).finally(stop);
  }

  async #whicheverFirst<Answer>(
    handled: Promise<Answer>,
    expired: Promise<typeof EXPIRED>,
    deadline: Deadline,
  ): Promise<Answer> {
    const answer = await Promise.race([handled, expired]);
    if (answer !== EXPIRED) return answer;
    // A charged call gets its answer even after the deadline. A call that the deadline ends is not charged.
    if (this.#isCharged === true) return handled;
    this.end('the deadline has expired');
    throw new Refused({
      cause: 'deadline',
      message: 'The call took longer than this server waits. It is not charged.',
      decision: { policy: 'deadline', case: 'expired' },
      status: deadline.status,
      ...(deadline.bucket === undefined ? {} : { code: deadline.bucket }),
    });
  }

  #charged(isTaken: boolean): boolean {
    this.#isCharged = isTaken && !this.#hasEnded();
    if (!this.#hasEnded())
      this.#course.note({ policy: 'idempotency', case: isTaken ? 'charged' : 'charged-before' });
    return this.#isCharged;
  }

  #hasEnded(): boolean {
    return this.#over !== undefined || this.#course.hasGone() || this.#hold.lost?.aborted === true;
  }
}

// --- internal ---

type Deadline = NonNullable<Course['operation']['deadline']>;

const EXPIRED = Symbol('expired');

const CHARGE_UNKNOWN =
  'The server cannot look up whether this key was charged. Send it again with the same key.';
