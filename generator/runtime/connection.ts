import type { Clock } from './clock.ts';
import type { CallFacts } from './errors.ts';
import type { Operation } from './operation.ts';

/**
 * A secret, or a function that returns the current one. It is called once per attempt and may be
 * asynchronous.
 */
export type Credential = string | (() => string | Promise<string>);

/**
 * Sends one attempt of a call. Most functions need only the first two arguments.
 *
 * @param facts of the call and its operation
 */
export type Fetch = (
  url: string,
  init: RequestInit,
  facts?: CallFacts,
  operation?: Operation,
) => Promise<Response>;

export interface ConnectionOptions<Scheme extends string = string> {
  /** Address of the server, with or without a path prefix. In a browser it may be relative to the page. */
  readonly baseUrl: string;
  /**
   * Replaces server addresses of single operations. Keys are the addresses as the document writes them. Calls of such
   * an operation go to its address, including credentials.
   */
  readonly servers?: Readonly<Record<string, string>> | undefined;
  /** Values of the variables in the document's addresses. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** By the names of the document's security schemes. Sent to the origin of `baseUrl` and to `trustedOrigins` only. */
  readonly credentials?: { readonly [Name in Scheme]?: Credential | undefined } | undefined;
  /** Sent with every request to the origin of `baseUrl` and to `trustedOrigins`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further origins, such as `https://jobs.example.com`, whose links get the credentials too. None by default. */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * The time limit of one attempt, including the body of its answer; a minute by default. An operation with a longer
   * limit of its own keeps it; only the option of a call shortens it.
   */
  readonly timeoutMs?: number | undefined;
  /** The time limit of a whole call, including all attempts and pauses. By default twice the limit of one attempt. */
  readonly totalTimeoutMs?: number | undefined;
  /**
   * The longest body that is read as a whole, in bytes; a longer one is a `ResponseError`. By default 64 MiB, and 1
   * GiB for a `Blob`. Streams are not limited.
   */
  readonly maxResponseBytes?: number | undefined;
  /** How many times a call is retried at most, if that is safe. 2 by default, 0 for never. */
  readonly retries?: number | undefined;
  /**
   * Replaces the global `fetch`, for proxies, tests and `withMiddleware`. By default, the global one is looked up at
   * each call. Node's own `fetch` given here stops waiting after five minutes; `withMiddleware([])` and the default
   * wait as long as the client does.
   */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 inclusive to 1 exclusive; spreads the pauses between attempts. */
  readonly random?: (() => number) | undefined;
  /** Makes the idempotency key of a call; a random UUID by default. */
  readonly createKey?: (() => string) | undefined;
}

/** The connection of generated functions to a server. It has no open sockets and need not be closed. */
export interface Connection extends ConnectionOptions {
  /** The address of every call, regardless of its path: see `at`. */
  readonly at?: string;
}

/** @throws {TypeError} when paths cannot be appended to `baseUrl` */
export function connect(options: ConnectionOptions): Connection {
  return { ...options, baseUrl: checkedBase(options.baseUrl) };
}

/** The message never shows the address, because it may contain a password. */
export function checkedBase(address: string, what = 'baseUrl'): string {
  if (/^(?:https?:\/\/[^/?#@\\]+)?(?:\/(?![/\\])[^?#]*)?$/i.test(address))
    return address.replace(/(?<!\/)\/+$/, '');
  throw new TypeError(`${what} must be an http(s) address or path without password, query or fragment`);
}
