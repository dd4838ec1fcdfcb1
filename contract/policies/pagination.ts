/** How a list is walked by cursors (document 1, "GET /v1/models"). */
export interface PaginationPolicy {
  readonly kind: 'pagination';
  readonly operations: readonly string[];
  readonly cursorParameter: string;
  readonly limitParameter: string;
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  /** Whether `Link` with `rel="next"` leads to the next page (RFC 8288). */
  readonly link?: boolean;
  /** Members of a page. */
  readonly page: {
    /** The list; the whole body when left out. */
    readonly items?: string;
    /** Whether there is another page; when left out, a page with a cursor has one behind it. */
    readonly more?: string;
    /** The page size that was served. */
    readonly limit?: string;
    /** The cursor of the next page. */
    readonly next?: string;
  };
}

/** How a list is walked by numbers of pages, or by how many items come before a page. */
export interface NumberedPagesPolicy {
  readonly kind: 'numbered-pages';
  readonly operations: readonly string[];
  /** The parameter with the number of the page; it or `offsetParameter` is given. */
  readonly pageParameter?: string;
  /** The parameter with the number of items before the page. */
  readonly offsetParameter?: string;
  /** The number of the first page; 1 when left out. */
  readonly firstPage?: number;
  readonly limitParameter: string;
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  /** Whether `Link` with `rel="next"` leads to the next page (RFC 8288). */
  readonly link?: boolean;
  /** Members of a page. */
  readonly page?: {
    /** The list; the whole body when left out. */
    readonly items?: string;
    /** Whether there is another page. */
    readonly more?: string;
    /** The page size that was served. */
    readonly limit?: string;
    /** How many items there are in all. */
    readonly total?: string;
  };
}

export type PagesPolicy = PaginationPolicy | NumberedPagesPolicy;

/**
 * The page size that the server serves for a raw `limit` value: above the maximum it is clamped, zero and negative
 * values select the default (document 1, "GET /v1/models", query parameters). Values past 2^53 are clamped like any
 * other. `undefined` for text that is no integer: the contract is silent there.
 */
export function servedLimit(
  policy: Pick<PagesPolicy, 'defaultLimit' | 'maximumLimit'>,
  raw: string | undefined,
): number | undefined {
  if (raw === undefined) return policy.defaultLimit;
  if (!/^[+-]?\d+$/.test(raw)) return undefined;
  const value = Number(raw);
  if (value <= 0) return policy.defaultLimit;
  return Math.min(value, policy.maximumLimit);
}

/** The part of a page that a client needs to continue, without the items. */
export interface PageEnd {
  readonly more: boolean;
  /** The page size that was served; unknown where the page does not say. */
  readonly limit: number | undefined;
  readonly next: string | undefined;
}

/**
 * Reads the members of a page that steer a walk.
 *
 * @throws {TypeError} when the page does not say whether there is more: no guess could end the walk rightly
 */
export function readPageEnd({ page: names }: Pick<PaginationPolicy, 'page'>, page: unknown): PageEnd {
  const members = (typeof page === 'object' && page !== null ? page : {}) as Readonly<
    Record<string, unknown>
  >;
  const member = (name: string | undefined): unknown => (name === undefined ? undefined : members[name]);
  const [more, limit, next] = [member(names.more), member(names.limit), member(names.next)];
  const cursor = typeof next === 'string' ? next : undefined;
  if (names.more !== undefined && typeof more !== 'boolean') {
    throw new TypeError(`the page has no boolean member "${names.more}" that says whether there is more`);
  }
  return {
    more: typeof more === 'boolean' ? more : cursor !== undefined && cursor !== '',
    limit: typeof limit === 'number' ? limit : undefined,
    next: cursor,
  };
}

/**
 * The query of the next page, or `undefined` at the end of the walk. Only `more` ends a walk: a short or empty page
 * does not (document 1, "GET /v1/models", rule 1). The cursor goes on as it came, and with it the echoed limit, not
 * the one that the caller asked for (rule 4).
 *
 * @throws {TypeError} when the page says that there is more but carries no cursor: walking on would start over
 */
export function nextPage(
  page: PageEnd,
): { readonly cursor: string; readonly limit: number | undefined } | undefined {
  if (!page.more) return undefined;
  if (page.next === undefined || page.next === '') {
    throw new TypeError('the page announces another one but carries no cursor to it');
  }
  return { cursor: page.next, limit: page.limit };
}
