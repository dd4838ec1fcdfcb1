/**
 * The suite's only access to a server. The socket transport of the CLI and an in-process server in tests both
 * implement it. Nothing is normalised, nothing is followed.
 */
export interface WireRequest {
  readonly method: string;
  /** Origin-form request target, sent unchanged. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  /** Aborting drops the connection. */
  readonly signal?: AbortSignal;
}

/** An answer as it arrives. */
export interface WireResponse {
  readonly status: number;
  /** Names as on the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as it arrives; iteration ends, or throws when the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Preceding 1xx statuses. */
  readonly informational?: readonly number[];
}

/** Sends a request and returns the answer as it arrives. Nothing is normalised, followed or retried. */
export interface Transport {
  (request: WireRequest): Promise<WireResponse>;
  /**
   * Connects and sends everything except the last byte; the returned function sends that byte. Calls that are
   * prepared in this way and released together arrive at the same time. Without this function, a race starts
   * with ordinary calls.
   */
  readonly prepare?: (request: WireRequest) => Promise<() => Promise<WireResponse>>;
  /** Closes connections that are kept for reuse. */
  readonly close?: () => void;
}

/** The suite's clock; the kill matrix passes the mock's. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const wait = (left: number): NodeJS.Timeout =>
        setTimeout(
          () => {
            if (left > LONGEST_TIMER_MS) {
              timer = wait(left - LONGEST_TIMER_MS);
              return;
            }
            signal?.removeEventListener('abort', stop);
            resolve();
          },
          Math.min(left, LONGEST_TIMER_MS),
        );
      let timer = wait(milliseconds);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

// --- internal ---

/** Longer timers of Node fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
