import { linkedQuery } from '../../contract/policies/link-header.ts';
import { memberAt } from '../../contract/policies/member-at.ts';
import { nextNumber } from '../../contract/policies/numbered-pages.ts';
import { nextPage, readPageEnd } from '../../contract/policies/pagination.ts';
import type { NumberedPagesPolicy, PaginationPolicy } from '../../contract/policies/pagination.ts';

/** The names of the members and parameters of a list's pages. Generated. */
export type PageRules =
  | Pick<PaginationPolicy, 'cursorParameter' | 'limitParameter' | 'page' | 'link'>
  | (Pick<NumberedPagesPolicy, 'pageParameter' | 'offsetParameter' | 'firstPage' | 'link' | 'page'> &
      Pick<NumberedPagesPolicy, 'limitParameter' | 'defaultLimit'>);

/**
 * Iterates over the pages of a list, from the first one until a page says that it is the last. If pages say
 * so, a short or empty page does not end the iteration. A cursor is sent unchanged, with the page size that
 * the server used. One page is read at a time.
 *
 * @param input of the first page; a cursor or number in it is the start
 * @throws {TypeError} when a page says that there is more without a cursor or number
 */
export async function* pages<Input extends object, Result extends PageResult>(
  rules: PageRules,
  input: Input,
  read: (input: Input) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  for (let query: Input = input; ;) {
    const result = await read(query);
    yield result;
    const next = pageAfter<Partial<Input>>(rules, query, result);
    if (next === undefined) return;
    query = { ...query, ...next };
  }
}

/** The same, item by item. */
export async function* items<Item, Input extends object, Result extends PageResult>(
  rules: PageRules,
  input: Input,
  read: (input: Input) => Promise<Result>,
): AsyncGenerator<Item, void, undefined> {
  const member = rules.page?.items;
  for await (const { data } of pages(rules, input, read)) {
    const list = member === undefined ? data : memberAt(data, member);
    yield* (list ?? []) as readonly Item[];
  }
}

/**
 * The parameters of the next page: its cursor or number, and the page size that the server used; `undefined`
 * after the last one.
 *
 * @param query the query of this page
 * @throws {TypeError} when the page says that there is more without a cursor or number
 */
export function pageAfter<Page extends object>(
  rules: PageRules,
  query: object,
  { data, headers }: PageResult,
): Page | undefined {
  const { limitParameter } = rules;
  const isCursor = 'cursorParameter' in rules;
  const parameter = isCursor ? rules.cursorParameter : (rules.pageParameter ?? rules.offsetParameter ?? '');
  if (rules.link === true) {
    const linked = linkedQuery(headers?.get('link'), 'next')?.get(parameter) ?? undefined;
    return linked === undefined ? undefined : ({ [parameter]: isCursor ? linked : Number(linked) } as Page);
  }
  if (isCursor) {
    const next = nextPage(readPageEnd(rules, data));
    if (next === undefined) return undefined;
    return {
      ...(next.limit === undefined ? {} : { [limitParameter]: next.limit }),
      [parameter]: next.cursor,
    } as Page;
  }
  const asked = query as Readonly<Record<string, number | undefined>>;
  const next = nextNumber(rules, data, asked[parameter], asked[limitParameter]);
  return next === undefined ? undefined : ({ [parameter]: next } as Page);
}

/** The answer from which a page is read. */
interface PageResult {
  readonly data: unknown;
  readonly headers?: { get(name: string): string | null };
}
