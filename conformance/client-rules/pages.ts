import { findPolicy } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import { member } from '../exchange.ts';
import { answerOf, queryOf } from './exchange.ts';
import type { ClientCheck, ClientExchange } from './exchange.ts';

/** How a client walks through a list. */
export function* judgePages(
  contract: Contract,
  exchanges: readonly ClientExchange[],
): Generator<ClientCheck> {
  const policy = findPolicy(contract, 'pagination');
  if (policy === undefined) return;
  const { cursorParameter, limitParameter, defaultLimit } = policy;
  const { items, more, limit, next } = policy.page;
  if (items === undefined || more === undefined || limit === undefined || next === undefined) return;
  const page = { items, more, limit, next };
  const lists = exchanges.filter(
    ({ operation }) => operation !== undefined && policy.operations.includes(operation),
  );
  const pages = lists.filter(({ status, delivery }) => status === 200 && delivery === 'delivered');
  const handedOut = new Map(pages.map((one) => [member(answerOf(one), page.next), one] as const));
  const followed = new Set<ClientExchange>();
  for (const request of lists) {
    const cursor = queryOf(request, cursorParameter);
    if (cursor === undefined) continue;
    const from = handedOut.get(cursor);
    yield {
      rule: 'router.cursor.opaque',
      holds: from !== undefined,
      exchanges: [request],
      expected: 'a cursor from an earlier page, encoded for the query',
      got:
        from === undefined
          ? `${cursorParameter}=${cursor}, which is not from any page`
          : 'the cursor of a page',
    };
    if (from === undefined) continue;
    followed.add(from);
    const echoed = member(answerOf(from), page.limit);
    const asked = queryOf(request, limitParameter) ?? String(defaultLimit);
    yield {
      rule: 'router.list.limit-echo-drives-walk',
      holds: asked === String(echoed),
      exchanges: [request, from],
      expected: `${limitParameter}=${String(echoed)}, as the page before said`,
      got: `${limitParameter}=${asked}`,
    };
  }
  yield* judgeShortPages(pages, followed, page);
}

// --- internal ---

/** A client that continues after full pages but never after short ones treats a short page as the last. */
function* judgeShortPages(
  pages: readonly ClientExchange[],
  followed: ReadonlySet<ClientExchange>,
  names: { readonly items: string; readonly more: string; readonly limit: string },
): Generator<ClientCheck> {
  const more = pages.filter((one) => member(answerOf(one), names.more) === true);
  const isShort = (one: ClientExchange): boolean => {
    const [items, limit] = [names.items, names.limit].map((name) => member(answerOf(one), name));
    return Array.isArray(items) && typeof limit === 'number' && items.length < limit;
  };
  const short = more.filter(isShort);
  const walks = more.some((one) => !isShort(one) && followed.has(one));
  const goesOn = short.some((one) => followed.has(one));
  if (short.length === 0 || (!walks && !goesOn)) return;
  yield {
    rule: 'router.list.short-page-legal',
    holds: goesOn,
    exchanges: short,
    expected: 'the next page, although this one was not full',
    got: goesOn ? 'it was asked for' : 'the walk ended at a page that was not full',
  };
}
