/** How a list is walked (document 1, "GET /v1/models"). */
export interface PaginationPolicy {
  readonly kind: 'pagination';
  readonly operations: readonly string[];
  readonly cursorParameter: string;
  readonly limitParameter: string;
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  /** Members of a page. */
  readonly page: {
    readonly items: string;
    readonly more: string;
    readonly limit: string;
    readonly next: string;
  };
}

/**
 * The page size that the server serves for a raw `limit` value: above the maximum it is clamped, zero and negative
 * values select the default (document 1, "GET /v1/models", query parameters). Values past 2^53 are clamped like any
 * other. `undefined` for text that is no integer: the contract is silent there.
 */
export function servedLimit(policy: PaginationPolicy, raw: string | undefined): number | undefined {
  if (raw === undefined) return policy.defaultLimit;
  if (!/^[+-]?\d+$/.test(raw)) return undefined;
  const value = Number(raw);
  if (value <= 0) return policy.defaultLimit;
  return Math.min(value, policy.maximumLimit);
}

/** What a client needs of a page to go on; the items are its caller's business. */
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
export function readPageEnd(policy: Pick<PaginationPolicy, 'page'>, page: unknown): PageEnd {
  const members = (typeof page === 'object' && page !== null ? page : {}) as Readonly<
    Record<string, unknown>
  >;
  const { [policy.page.more]: more, [policy.page.limit]: limit, [policy.page.next]: next } = members;
  if (typeof more !== 'boolean') {
    throw new TypeError(
      `the page has no boolean member "${policy.page.more}" that says whether there is more`,
    );
  }
  return {
    more,
    limit: typeof limit === 'number' ? limit : undefined,
    next: typeof next === 'string' ? next : undefined,
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
