import { passOnAborts, untilAborted } from './aborts.ts';
import { type CourseRefusal, Refused } from './decision.ts';
import type { Delivery } from './keys.ts';

/** How a server is shut down. */
export interface ShutdownOptions {
  /** How long calls and streams may take to end by themselves, in milliseconds; default 10 s. */
  readonly graceMs?: number;
}

/** What became of the calls that were open when a server was shut down. */
export interface Shutdown {
  /** How many calls were ended when the grace was over: their callers got an error, or a stream that was cut. */
  readonly cut: number;
  /** How many calls have not ended even then: their handlers heed no signal, or their callers do not read. */
  readonly left: number;
}

/** The reason of the signals that a shutdown aborts. */
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}

/** The calls of a server that have begun and not ended. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>();
  #shutdown: Promise<Shutdown> | undefined;
  #emptied: (() => void) | undefined;

  /** Whether no more calls are taken. */
  get isClosing(): boolean {
    return this.#shutdown !== undefined;
  }

  /** @throws {Refused} where no more calls are taken */
  begin(gone: AbortSignal): OpenCall {
    if (this.isClosing) throw new Refused(SHUT_DOWN);
    const call = new OpenCall(gone);
    this.#open.add(call);
    return call;
  }

  /** @param delivery what became of its answer */
  end(call: OpenCall, delivery: Delivery): void {
    this.#open.delete(call);
    call.end(delivery);
    if (this.#open.size === 0) this.#emptied?.();
  }

  /** Takes no more calls, and waits for the open ones. Calling it again gives the same promise. */
  shutdown({ graceMs = 10_000 }: ShutdownOptions = {}): Promise<Shutdown> {
    return (this.#shutdown ??= this.#close(graceMs));
  }

  async #close(graceMs: number): Promise<Shutdown> {
    for (const call of this.#open) call.announce(new ShutdownError('the server shuts down'));
    await this.#emptyWithin(graceMs);
    const cut = this.#open.size;
    for (const call of this.#open) call.cut(new ShutdownError('the server shuts down and waits no longer'));
    await this.#emptyWithin(LAST_WORDS_MS);
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

/** One call that has begun. */
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

  /** Aborts when the server begins to shut down. Made when it is first asked for. */
  get closing(): AbortSignal {
    if (this.#closing === undefined) {
      this.#closing = new AbortController();
      if (this.#announced !== undefined) this.#closing.abort(this.#announced);
    }
    return this.#closing.signal;
  }

  /** Aborts when the server waits for this call no longer. */
  get ended(): AbortSignal {
    return this.#cut.signal;
  }

  get isCut(): boolean {
    return this.ended.aborted;
  }

  /** Aborts when the caller goes away, or the server waits no longer. Made when it is first asked for. */
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

  /** Work for a caller who went away is aborted, and the signals of the request have no listener any more. */
  end(delivery: Delivery): void {
    this.#hasEnded = true;
    if (delivery !== 'delivered') this.#signal?.abort(new Error('the caller went away'));
    this.#forget?.();
  }

  /** @throws {Refused} where the server waits for it no longer */
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

/** What calls hear that a server does not take any more, or waits for no longer. */
export const SHUT_DOWN: CourseRefusal = {
  cause: 'unavailable',
  message: 'This server is shutting down. Send the request again.',
  headers: { 'Retry-After': '1' },
};

// --- internal ---

/** How long answers to calls that were cut may take to leave. */
const LAST_WORDS_MS = 1_000;

const LONGEST_TIMER_MS = 2 ** 31 - 1;
