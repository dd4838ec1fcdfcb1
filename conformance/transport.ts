/**
 * The suite's only way to a server. The socket transport of the CLI and an in-process server in tests both have this
 * shape. Nothing is normalised, nothing is followed.
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
  /** Arrives as the server sends it; ends, or throws when the connection is cut. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Statuses below 200 that came first. */
  readonly informational?: readonly number[];
}

/** Sends a request and gives the answer as it arrives. Nothing is normalised, followed or retried. */
export interface Transport {
  (request: WireRequest): Promise<WireResponse>;
  /**
   * Connects and sends everything but the last byte; the function that it gives sends that byte. Calls prepared so and
   * released together meet at the server. Where it is missing, a race starts with plain calls.
   */
  readonly prepare?: (request: WireRequest) => Promise<() => Promise<WireResponse>>;
  /** Closes connections that were kept for reuse. */
  readonly close?: () => void;
}

/** Time as the suite sees it; the kill matrix injects the mock's. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own time. */
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

/** Timers of Node that are longer than this fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
