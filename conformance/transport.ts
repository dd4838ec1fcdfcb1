/**
 * The suite's only way to a server. The socket transport of the CLI and an in-process server in tests both have this
 * shape. Nothing is normalised, nothing is followed.
 */
export interface WireRequest {
  readonly method: string;
  /** Origin-form request target, sent as it stands. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  /** Aborting drops the connection. */
  readonly signal?: AbortSignal;
}

export interface WireResponse {
  readonly status: number;
  /** Names as on the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Arrives as the server sends it; ends, or throws when the connection is cut. */
  readonly body: AsyncIterable<Uint8Array>;
}

export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** Time as the suite sees it; the kill matrix injects the mock's. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
