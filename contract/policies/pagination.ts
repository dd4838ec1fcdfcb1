import { memberAt } from './member-at.ts';

/** A list that is paginated by cursors (document 1, "GET /v1/models"). */
export interface PaginationPolicy {
  readonly kind: 'pagination';
  readonly operations: readonly string[];
  readonly cursorParameter: string;
  readonly limitParameter: string;
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  /** Whether a limit of zero or below is read as the default. Open when left out. */
  readonly zeroIsDefault?: boolean;
  /** The refusal of a cursor that no page has given. Open when left out. */
  readonly noSuchPage?: { readonly status: number; readonly bucket?: string };
  /** Whether `Link` with `rel="next"` leads to the next page (RFC 8288). */
  readonly link?: boolean;
  /** Members of a page: paths with dots. */
  readonly page: {
    /** The list; if left out, the whole body. */
    readonly items?: string;
    /** Whether there is another page; if left out, a page with a cursor has a successor. */
    readonly more?: string;
    /** The page size that the server used. */
    readonly limit?: string;
    /** The cursor of the next page. */
    readonly next?: string;
  };
}

/** A list that is paginated by page numbers or by offsets. */
export interface NumberedPagesPolicy {
  readonly kind: 'numbered-pages';
  readonly operations: readonly string[];
  /** The parameter for the page number; either this or `offsetParameter` is set. */
  readonly pageParameter?: string;
  /** The parameter for the number of items before the page. */
  readonly offsetParameter?: string;
  /** The number of the first page; default: 1. */
  readonly firstPage?: number;
  readonly limitParameter: string;
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  /** Whether a limit of zero or below is read as the default. Open when left out. */
  readonly zeroIsDefault?: boolean;
  /** The refusal of a number or an offset before the first page. Open when left out. */
  readonly noSuchPage?: { readonly status: number; readonly bucket?: string };
  /** The response header with the total number of items. */
  readonly totalHeader?: string;
  /** Whether `Link` with `rel="next"` leads to the next page (RFC 8288). */
  readonly link?: boolean;
  /** Members of a page: paths with dots. */
  readonly page?: {
    /** The list; if left out, the whole body. */
    readonly items?: string;
    /** Whether there is another page. */
    readonly more?: string;
    /** The page size that the server used. */
    readonly limit?: string;
    /** The total number of items. */
    readonly total?: string;
    /** The number or the offset of the page, as the server used it. */
    readonly place?: string;
  };
}

export type PagesPolicy = PaginationPolicy | NumberedPagesPolicy;

/**
 * The page size that the server uses for a raw `limit` value: above the maximum it is clamped, zero and
 * negative values select the default (document 1, "GET /v1/models", query parameters). Values past 2^53 are
 * clamped like any other. `undefined` for text that is not an integer, on which the contract is silent.
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
  /** The page size that the server used; unknown if the page does not contain it. */
  readonly limit: number | undefined;
  readonly next: string | undefined;
}

/**
 * Reads the members of a page that control pagination.
 *
 * @throws {TypeError} when the page does not say whether there is more: a guess could end the list too early
 * or never
 */
export function readPageEnd({ page: names }: Pick<PaginationPolicy, 'page'>, page: unknown): PageEnd {
  const [more, limit, next] = [names.more, names.limit, names.next].map((path) => memberAt(page, path));
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
 * The query of the next page, or `undefined` after the last page. Only `more` ends a list: a short or empty
 * page does not (document 1, "GET /v1/models", rule 1). The cursor is sent unchanged, together with the limit
 * that the server echoed, not the one that the caller requested (rule 4).
 *
 * @throws {TypeError} when the page says that there is more but has no cursor: the next request would start
 * from the beginning
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
