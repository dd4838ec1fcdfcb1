import { linkedQuery } from '../../contract/policies/link-header.ts';
import { nextNumber } from '../../contract/policies/numbered-pages.ts';
import { nextPage, readPageEnd } from '../../contract/policies/pagination.ts';
import type { NumberedPagesPolicy, PaginationPolicy } from '../../contract/policies/pagination.ts';

/** How a list is walked: the names that steer it. Generated. */
export type PageRules =
  | Pick<PaginationPolicy, 'cursorParameter' | 'limitParameter' | 'page' | 'link'>
  | (Pick<NumberedPagesPolicy, 'pageParameter' | 'offsetParameter' | 'firstPage' | 'link' | 'page'> &
      Pick<NumberedPagesPolicy, 'limitParameter' | 'defaultLimit'>);

/**
 * Walks a list page by page, the first one included, until a page says that it is the last. Where it says that, a short or
 * empty page does not end the walk. A cursor goes on as it came, with the page size that was served. One page is read at a
 * time.
 *
 * @param input of the first page; a cursor or number in it is where the walk begins
 * @throws {TypeError} when a page says that there is more without saying where
 */
export async function* pages<Input extends object, Result extends PageResult>(
  rules: PageRules,
  input: Input,
  read: (input: Input) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  for (let query: Input = input; ;) {
    const result = await read(query);
    yield result;
    const next = nextQuery(rules, query, result);
    if (next === undefined) return;
    query = { ...query, ...next };
  }
}

/** The same walk, entry by entry. */
export async function* items<Item, Input extends object, Result extends PageResult>(
  rules: PageRules,
  input: Input,
  read: (input: Input) => Promise<Result>,
): AsyncGenerator<Item, void, undefined> {
  const member = rules.page?.items;
  for await (const { data } of pages(rules, input, read)) {
    const list = member === undefined ? data : (data as Readonly<Record<string, unknown>>)[member];
    yield* (list ?? []) as readonly Item[];
  }
}

/** What a page is read of. */
interface PageResult {
  readonly data: unknown;
  readonly headers?: { get(name: string): string | null };
}

// --- internal ---

function nextQuery(
  rules: PageRules,
  query: object,
  { data, headers }: PageResult,
): Readonly<Record<string, unknown>> | undefined {
  const { limitParameter } = rules;
  const isCursor = 'cursorParameter' in rules;
  const parameter = isCursor ? rules.cursorParameter : (rules.pageParameter ?? rules.offsetParameter ?? '');
  if (rules.link === true) {
    const linked = linkedQuery(headers?.get('link'), 'next')?.get(parameter) ?? undefined;
    return linked === undefined ? undefined : { [parameter]: isCursor ? linked : Number(linked) };
  }
  if (isCursor) {
    const next = nextPage(readPageEnd(rules, data));
    if (next === undefined) return undefined;
    return {
      ...(next.limit === undefined ? {} : { [limitParameter]: next.limit }),
      [parameter]: next.cursor,
    };
  }
  const asked = query as Readonly<Record<string, number | undefined>>;
  const next = nextNumber(rules, data, asked[parameter], asked[limitParameter]);
  return next === undefined ? undefined : { [parameter]: next };
}
