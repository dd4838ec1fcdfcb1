import { nextPage, readPageEnd } from '../../contract/policies/pagination.ts';
import type { PaginationPolicy } from '../../contract/policies/pagination.ts';

/** How a list is walked: the names that steer it. Generated. */
export type PageRules = Pick<PaginationPolicy, 'cursorParameter' | 'limitParameter' | 'page'>;

/**
 * Walks a list page by page, the first one included, until a page says that it is the last; a short or empty page does
 * not end the walk. The cursor goes on as it came, with the page size that was served. One page is read at a time.
 *
 * @param input of the first page; a cursor in it is where the walk begins
 * @throws {TypeError} when a page says that there is more without saying where
 */
export async function* pages<Input extends object, Result extends { readonly data: unknown }>(
  rules: PageRules,
  input: Input,
  read: (input: Input) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  for (let query: Input = input; ;) {
    const result = await read(query);
    yield result;
    const next = pageAfter<Partial<Input>>(rules, result.data);
    if (next === undefined) return;
    query = { ...query, ...next };
  }
}

/**
 * The parameters of the page after this one: its cursor, and the page size that was served; `undefined` after the last one.
 *
 * @throws {TypeError} when the page says that there is more without saying where
 */
export function pageAfter<Page extends object>(rules: PageRules, page: unknown): Page | undefined {
  const next = nextPage(readPageEnd(rules, page));
  if (next === undefined) return undefined;
  const limit = next.limit === undefined ? {} : { [rules.limitParameter]: next.limit };
  return { ...limit, [rules.cursorParameter]: next.cursor } as Page;
}

/** The same walk, entry by entry. */
export async function* items<Item, Input extends object, Result extends { readonly data: unknown }>(
  rules: PageRules,
  input: Input,
  read: (input: Input) => Promise<Result>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages(rules, input, read)) {
    yield* (data as Readonly<Record<string, readonly Item[]>>)[rules.page.items] ?? [];
  }
}
