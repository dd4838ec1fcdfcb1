import type { Connection } from './connection.ts';

export type { Connection } from './connection.ts';
export { pageAfter } from './pages.ts';

/**
 * Options for the functions of TanStack Query, for every framework that it supports. This file does not depend on it.
 */
export type QueryKey = readonly unknown[];

/**
 * The client already retries safe calls with the same idempotency key. Retries by the cache would multiply
 * that.
 */
interface SentOnce {
  readonly retry: false;
}

export interface QueryOptions<Data> extends SentOnce {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

/**
 * A list page by page. A `Page` contains parameters in addition to the input: the cursor, and the page size
 * that the server used.
 */
export interface PagesOptions<Data, Page> extends SentOnce {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly pageParam: Page; readonly signal: AbortSignal }) => Promise<Data>;
  readonly initialPageParam: Page;
  readonly getNextPageParam: (last: Data, all: readonly Data[], asked: Page) => Page | undefined;
}

export interface MutationOptions<Data, Input> extends SentOnce {
  readonly mutationKey: QueryKey;
  readonly mutationFn: (input: Input) => Promise<Data>;
}

/** The cached value of an answer. A cache does not accept `undefined`, so an empty answer is `null`. */
export type DataOf<Answer extends { readonly data: unknown }> =
  Exclude<Answer['data'], undefined> | (undefined extends Answer['data'] ? null : never);

export function dataOf<Answer extends { readonly data: unknown }>(answer: Answer): DataOf<Answer> {
  return (answer.data ?? null) as DataOf<Answer>;
}

/**
 * The parts of a key, from general to specific: a prefix selects all keys that begin with it. A key contains no
 * credential.
 */
export function keyOf(api: string, operation: string, connection?: Connection, input?: object): QueryKey {
  if (connection === undefined) return [api, operation];
  const address = connection.at ?? connection.baseUrl;
  return input === undefined ? [api, operation, address] : [api, operation, address, input];
}
