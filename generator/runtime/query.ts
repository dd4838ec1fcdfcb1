import type { Connection } from './connection.ts';

export type { Connection } from './connection.ts';
export { pageAfter } from './pages.ts';

/**
 * What the functions of TanStack Query take, for every framework that it has an adapter for. Nothing here depends on it.
 */
export type QueryKey = readonly unknown[];

/** The client sends again what is safe to send again, with the same idempotency key; a cache that did so too would multiply that. */
interface SentOnce {
  readonly retry: false;
}

export interface QueryOptions<Data> extends SentOnce {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

/** A list page by page. A `Page` is what is asked for beside the input: the cursor, and the page size that was served. */
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

/** What a cache holds of an answer. A cache does not take `undefined`, so that an empty answer is `null`. */
export type DataOf<Answer extends { readonly data: unknown }> =
  Exclude<Answer['data'], undefined> | (undefined extends Answer['data'] ? null : never);

export function dataOf<Answer extends { readonly data: unknown }>(answer: Answer): DataOf<Answer> {
  return (answer.data ?? null) as DataOf<Answer>;
}

/** From the general to the particular: each beginning of a key names all that begins with it. Holds no credential. */
export function keyOf(api: string, operation: string, connection?: Connection, input?: object): QueryKey {
  if (connection === undefined) return [api, operation];
  const address = connection.at ?? connection.baseUrl;
  return input === undefined ? [api, operation, address] : [api, operation, address, input];
}
