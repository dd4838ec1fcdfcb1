import type { Delivery } from '../../engine/keys.ts';

/** The core of the mock uses these types; sockets and web Requests are wrappers around it. */

/** A request as it came in: nothing decoded, nothing normalised. */
export interface RawRequest {
  readonly method: string;
  /** The request target, such as `/v1/models/acme/%2e%2e?limit=1`. */
  readonly target: string;
  /** Name, value, name, value, … as on the wire. */
  readonly rawHeaders: readonly string[];
  /**
   * A wrapper may stop reading one byte after the mock's limit: the core only needs to know that the body is longer.
   */
  readonly body: Uint8Array;
  /** The address that the request was sent below, such as `https://api.example.com/base`; known in process only. */
  readonly baseUrl?: string;
  /** Aborts when the caller goes away before an answer was begun. */
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
  /** Must be called exactly once; the contract decides a key's fate by it. */
  readonly settle: (delivery: Delivery) => void;
}

/**
 * Whether a body is bytes and not a stream of them. `instanceof Uint8Array` would not do: test environments such as
 * jsdom have a `Uint8Array` of their own, which the bytes that Node makes are no instances of.
 */
export function isBytes(body: SentReply['body']): body is Uint8Array {
  return ArrayBuffer.isView(body);
}

/** Answers a request without a socket. */
export type Handle = (request: RawRequest) => Promise<Handled>;
