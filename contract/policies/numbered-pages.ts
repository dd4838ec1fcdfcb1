import { memberAt } from './member-at.ts';
import type { NumberedPagesPolicy } from './pagination.ts';

/**
 * The number or offset of the next page; `undefined` after the last page. The page decides: by its statement
 * whether there is more, else by the total number of items. If the page has neither, a page that is not full
 * is the last one.
 *
 * @param start the number or offset of this page; `undefined` for the first one
 * @param limit the requested page size
 */
export function nextNumber(
  policy: Pick<NumberedPagesPolicy, 'pageParameter' | 'firstPage' | 'defaultLimit' | 'page'>,
  body: unknown,
  start: number | undefined,
  limit: number | undefined,
): number | undefined {
  const { page: names = {}, pageParameter, firstPage = 1, defaultLimit } = policy;
  const items = names.items === undefined ? body : memberAt(body, names.items);
  const count = Array.isArray(items) ? items.length : 0;
  const [more, total, echoed] = [names.more, names.total, names.limit].map((path) => memberAt(body, path));
  const size = typeof echoed === 'number' && echoed > 0 ? echoed : (limit ?? defaultLimit);
  const before = pageParameter === undefined ? (start ?? 0) : ((start ?? firstPage) - firstPage) * size;
  const isLast =
    typeof more === 'boolean'
      ? !more
      : typeof total === 'number'
        ? before + size >= total || count === 0
        : count < size;
  if (isLast) return undefined;
  return pageParameter === undefined ? before + count : (start ?? firstPage) + 1;
}
