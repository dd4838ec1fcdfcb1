import { passOnAborts, untilAborted } from './aborts.ts';
import { type CourseRefusal, Refused } from './decision.ts';
import type { Delivery } from './delivery.ts';

/** Options of a shutdown. */
export interface ShutdownOptions {
  /** How long open calls and streams may continue, in milliseconds; default 10 s. */
  readonly graceMs?: number;
}

/** The calls that were open when a server was shut down. */
export interface Shutdown {
  /**
   * The number of calls that were ended after the grace period: their callers received an error, or a cut
   * stream.
   */
  readonly cut: number;
  /**
   * The number of calls that still have not ended: their handlers ignore the signal, or their callers do not
   * read.
   */
  readonly left: number;
}

/** The reason of the signals that a shutdown aborts. */
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}

/** The open calls of a server. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>();
  #shutdown: Promise<Shutdown> | undefined;
  #emptied: (() => void) | undefined;

  /** Whether new calls are refused. */
  get isClosing(): boolean {
    return this.#shutdown !== undefined;
  }

  /** @throws {Refused} if the server refuses new calls */
  begin(gone: AbortSignal): OpenCall {
    if (this.isClosing) throw new Refused(SHUT_DOWN);
    const call = new OpenCall(gone);
    this.#open.add(call);
    return call;
  }

  /** @param delivery the delivery of its answer */
  end(call: OpenCall, delivery: Delivery): void {
    this.#open.delete(call);
    call.end(delivery);
    if (this.#open.size === 0) this.#emptied?.();
  }

  /** Refuses new calls, and waits for the open ones. Calling it again returns the same promise. */
  shutdown({ graceMs = 10_000 }: ShutdownOptions = {}): Promise<Shutdown> {
    return (this.#shutdown ??= this.#close(graceMs));
  }

  async #close(graceMs: number): Promise<Shutdown> {
    for (const call of this.#open) call.announce(new ShutdownError('the server shuts down'));
    await this.#emptyWithin(graceMs);
    const cut = this.#open.size;
    for (const call of this.#open) call.cut(new ShutdownError('the server shuts down and waits no longer'));
    await this.#emptyWithin(LAST_ANSWERS_MS);
    return { cut, left: this.#open.size };
  }

  #emptyWithin(ms: number): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
      this.#emptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** One open call. */
export class OpenCall {
  readonly #gone: AbortSignal;
  readonly #cut = new AbortController();
  #closing: AbortController | undefined;
  #announced: Error | undefined;
  #signal: AbortController | undefined;
  #forget: (() => void) | undefined;
  #hasEnded = false;

  constructor(gone: AbortSignal) {
    this.#gone = gone;
  }

  /** Aborts when the server begins to shut down. Created on first use. */
  get closing(): AbortSignal {
    if (this.#closing === undefined) {
      this.#closing = new AbortController();
      if (this.#announced !== undefined) this.#closing.abort(this.#announced);
    }
    return this.#closing.signal;
  }

  /** Aborts when the server stops waiting for this call. */
  get ended(): AbortSignal {
    return this.#cut.signal;
  }

  get isCut(): boolean {
    return this.ended.aborted;
  }

  /** Aborts when the caller disconnects or the server stops waiting. Created on first use. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#signal = new AbortController();
      const forget = passOnAborts([this.#gone, this.ended], this.#signal);
      if (this.#hasEnded) forget();
      else this.#forget = forget;
    }
    return this.#signal.signal;
  }

  announce(reason: Error): void {
    this.#announced = reason;
    this.#closing?.abort(reason);
  }

  cut(reason: Error): void {
    this.#cut.abort(reason);
  }

  /**
   * Aborts the work for a caller that disconnected, and removes the listeners from the signals of the
   * request.
   */
  end(delivery: Delivery): void {
    this.#hasEnded = true;
    if (delivery !== 'delivered') this.#signal?.abort(new Error('the caller went away'));
    this.#forget?.();
  }

  /** @throws {Refused} if the server no longer waits for it */
  async unlessCut<Value>(work: Promise<Value> | Value): Promise<Value> {
    const cut = untilAborted(this.ended);
    try {
      const made = await Promise.race([Promise.resolve(work).then((value) => ({ value })), cut.aborted]);
      if (made === undefined) throw new Refused(SHUT_DOWN);
      return made.value;
    } finally {
      cut.forget();
    }
  }
}

/** The refusal of new calls, and of calls that the server no longer waits for. */
export const SHUT_DOWN: CourseRefusal = {
  cause: 'unavailable',
  message: 'This server is shutting down. Send the request again.',
  headers: { 'Retry-After': '1' },
};

// --- internal ---

/** How long the answers to ended calls may take to be sent. */
const LAST_ANSWERS_MS = 1_000;

const LONGEST_TIMER_MS = 2 ** 31 - 1;
