import type { Delivery } from '../../engine/delivery.ts';

/** The core of the mock uses these types; sockets and web Requests are wrappers around it. */

/** A request as received: nothing is decoded or normalised. */
export interface RawRequest {
  readonly method: string;
  /** The request target, such as `/v1/models/acme/%2e%2e?limit=1`. */
  readonly target: string;
  /** Name, value, name, value, … as on the wire. */
  readonly rawHeaders: readonly string[];
  /**
   * A wrapper may stop reading one byte after the mock's limit, because the core only needs to know that the
   * body is longer.
   */
  readonly body: Uint8Array;
  /** The base address of the request, such as `https://api.example.com/base`; only known in process. */
  readonly baseUrl?: string;
  /** Aborts if the caller disconnects before an answer has begun. */
  readonly signal?: AbortSignal;
}

/** An answer as it is sent. */
export interface SentReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes, or a stream of them for event streams. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Cut the connection instead of answering. */
  readonly cut?: boolean;
}

/** An answer, and the function that reports how much of it reached the caller. */
export interface Handled {
  readonly reply: SentReply;
  /** Must be called exactly once: the contract makes the fate of a key depend on it. */
  readonly settle: (delivery: Delivery) => void;
}

/**
 * Whether a body is bytes, not a stream of them. `instanceof Uint8Array` is not sufficient: test environments
 * such as jsdom have their own `Uint8Array`, and the bytes from Node are not instances of that.
 */
export function isBytes(body: SentReply['body']): body is Uint8Array {
  return ArrayBuffer.isView(body);
}

/** Answers a request without a socket. */
export type Handle = (request: RawRequest) => Promise<Handled>;
