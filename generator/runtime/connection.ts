import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { patiently } from './patience.ts';

/** A secret, or a function that gives the current one. It is asked once per attempt and may be asynchronous. */
export type Credential = string | (() => string | Promise<string>);

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ConnectionOptions<Scheme extends string = string> {
  /** Address of the server, with or without a path prefix. In a browser it may be relative to the page. */
  readonly baseUrl: string;
  /** By the names of the document's security schemes. Sent to the origin of `baseUrl` only. */
  readonly credentials?: { readonly [Name in Scheme]?: Credential | undefined } | undefined;
  /** Sent with every request to the origin of `baseUrl`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Patience with one attempt, its answer's body included; a minute by default. An operation that a server may hold for
   * longer keeps its own, longer limit: only a call's own option cuts it short.
   */
  readonly timeoutMs?: number | undefined;
  /** Patience with a whole call, its further attempts and pauses included. Twice that of one attempt by default. */
  readonly totalTimeoutMs?: number | undefined;
  /** How many times a call is sent again at most, where that is safe. 2 by default, 0 for never. */
  readonly retries?: number | undefined;
  /** In place of the global `fetch`: for proxies, logs, tests. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 inclusive to 1 exclusive; spreads the pauses between attempts. */
  readonly random?: (() => number) | undefined;
  /** Makes the idempotency key of a call; a random UUID by default. */
  readonly createKey?: (() => string) | undefined;
}

/** A server as generated functions see it. Holds no open sockets: it need not be closed. */
export interface Connection {
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, Credential | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number | undefined;
  readonly totalTimeoutMs: number | undefined;
  readonly retries: number;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
  readonly createKey: () => string;
}

/** @throws {TypeError} when `baseUrl` is no address that paths can be put after */
export function connect(options: ConnectionOptions): Connection {
  return {
    baseUrl: checkedBase(options.baseUrl),
    credentials: options.credentials ?? {},
    headers: options.headers ?? {},
    timeoutMs: options.timeoutMs,
    totalTimeoutMs: options.totalTimeoutMs,
    retries: options.retries ?? 2,
    // Looked up at each call, so that a later replacement of the global one holds.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, patiently(init))),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    createKey: options.createKey ?? randomUuid,
  };
}

/** The scheme and authority of an address; `undefined` for a relative one outside a page. */
export function originOf(url: string): string | undefined {
  try {
    return new URL(url, (globalThis as { readonly location?: { readonly href: string } }).location?.href)
      .origin;
  } catch {
    return undefined;
  }
}

// --- internal ---

/** The message never shows the address: it may hold a password. */
function checkedBase(baseUrl: string): string {
  if (/^(?:https?:\/\/[^/?#@\\]+)?(?:\/(?![/\\])[^?#]*)?$/i.test(baseUrl)) return baseUrl.replace(/\/+$/, '');
  throw new TypeError(
    'baseUrl must be an http or https address, or a path such as /api in a browser, without password, query and fragment',
  );
}

/** A UUID of version 4. Not by `crypto.randomUUID`: pages that came over plain HTTP from another machine lack it. */
function randomUuid(): string {
  const random = crypto.getRandomValues(new Uint8Array(31));
  let at = 0;
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (digit) => {
    const value = (random[at++] ?? 0) & 15;
    return (digit === 'x' ? value : (value & 3) | 8).toString(16);
  });
}
