import type { Clock } from './clock.ts';
import type { CallFacts } from './errors.ts';
import type { Operation } from './operation.ts';

/** A secret, or a function that gives the current one. It is asked once per attempt and may be asynchronous. */
export type Credential = string | (() => string | Promise<string>);

/**
 * Sends one attempt of a call. Most need no more than the first two arguments.
 *
 * @param facts of the call, and its operation, for a `fetch` that wants to know
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
   * In place of addresses that the document gives to single operations, by these addresses as it writes them. Calls of such
   * an operation go to its address, credentials included.
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
   * Patience with one attempt, its answer's body included; a minute by default. An operation that a server may hold for
   * longer keeps its own, longer limit: only a call's own option cuts it short.
   */
  readonly timeoutMs?: number | undefined;
  /** Patience with a whole call, its further attempts and pauses included. Twice that of one attempt by default. */
  readonly totalTimeoutMs?: number | undefined;
  /**
   * The longest body that is read as a whole, in bytes; a longer one is a `ResponseError`. By default 64 MiB, and 1 GiB for
   * a `Blob`. Streams are not bound by it.
   */
  readonly maxResponseBytes?: number | undefined;
  /** How many times a call is sent again at most, where that is safe. 2 by default, 0 for never. */
  readonly retries?: number | undefined;
  /**
   * In place of the global `fetch`, which is looked up at each call: for proxies and tests, and for `withMiddleware`. Node's
   * own `fetch` called from here gives a server five minutes, however long the client would wait; `withMiddleware([])` and
   * the default wait longer.
   */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 inclusive to 1 exclusive; spreads the pauses between attempts. */
  readonly random?: (() => number) | undefined;
  /** Makes the idempotency key of a call; a random UUID by default. */
  readonly createKey?: (() => string) | undefined;
}

/** A server as generated functions see it. Holds no open sockets: it need not be closed. */
export interface Connection extends ConnectionOptions {
  /** The one address that every call goes to, whatever its path: see `at`. */
  readonly at?: string;
}

/** @throws {TypeError} when `baseUrl` is no address that paths can be put after */
export function connect(options: ConnectionOptions): Connection {
  return { ...options, baseUrl: checkedBase(options.baseUrl) };
}

/** The message never shows the address: it may hold a password. */
export function checkedBase(address: string, what = 'baseUrl'): string {
  if (/^(?:https?:\/\/[^/?#@\\]+)?(?:\/(?![/\\])[^?#]*)?$/i.test(address))
    return address.replace(/(?<!\/)\/+$/, '');
  throw new TypeError(`${what} must be an http(s) address or path without password, query or fragment`);
}
