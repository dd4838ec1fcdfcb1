import { findPolicy } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import { member } from '../exchanges/exchange.ts';
import { answerOf, queryOf } from './exchange.ts';
import type { ClientCheck, ClientExchange } from './exchange.ts';

/** How a client paginates a list. */
export function* judgePages(
  contract: Contract,
  exchanges: readonly ClientExchange[],
  isWhole: boolean,
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
  // Iterations with different page sizes may share a cursor.
  const handedOut = new Map<unknown, ClientExchange[]>();
  for (const one of pages) {
    const cursor = member(answerOf(one), page.next);
    handedOut.set(cursor, [...(handedOut.get(cursor) ?? []), one]);
  }
  const followed = new Set<ClientExchange>();
  for (const request of lists) {
    const cursor = queryOf(request, cursorParameter);
    if (cursor === undefined) continue;
    const from = handedOut.get(cursor) ?? [];
    const isKnown = from.length > 0;
    // A page that was not recorded may have contained it.
    if (!isKnown && !isWhole && !handedOut.has(decoded(cursor))) continue;
    yield {
      rule: 'router.cursor.opaque',
      holds: isKnown,
      exchanges: [request],
      expected: 'a cursor from an earlier page, encoded for the query',
      got: isKnown ? 'the cursor of a page' : `${cursorParameter}=${cursor}, which is not from any page`,
    };
    const asked = queryOf(request, limitParameter) ?? String(defaultLimit);
    const echoOf = (one: ClientExchange): string => String(member(answerOf(one), page.limit));
    const source = from.find((one) => echoOf(one) === asked) ?? from.at(-1);
    if (source === undefined) continue;
    for (const one of from) followed.add(one);
    yield {
      rule: 'router.list.limit-echo-drives-walk',
      holds: asked === echoOf(source),
      exchanges: [request, source],
      expected: `${limitParameter}=${echoOf(source)}, as the page before said`,
      got: `${limitParameter}=${asked}`,
    };
  }
  for (const caller of new Set(pages.map((one) => one.caller)))
    yield* judgeShortPages(
      pages.filter(
        // A client that needs only one page may share a credential with one that paginates.
        (one) =>
          one.caller === caller &&
          (isWhole || queryOf(one, cursorParameter) !== undefined || followed.has(one)),
      ),
      followed,
      page,
      isWhole ? 1 : SHORT_ENDS,
    );
}

// --- internal ---

/**
 * The number of iterations that end at a short page by coincidence: the client has enough, or continues
 * later.
 */
const SHORT_ENDS = 3;

/** A cursor that was encoded once too often. */
function decoded(cursor: string): string | undefined {
  try {
    const plain = decodeURIComponent(cursor);
    return plain === cursor ? undefined : plain;
  } catch {
    return undefined;
  }
}

/** A client that continues after full pages but never after short ones treats a short page as the last. */
function* judgeShortPages(
  pages: readonly ClientExchange[],
  followed: ReadonlySet<ClientExchange>,
  names: { readonly items: string; readonly more: string; readonly limit: string },
  least: number,
): Generator<ClientCheck> {
  const more = pages.filter((one) => member(answerOf(one), names.more) === true);
  const isShort = (one: ClientExchange): boolean => {
    const [items, limit] = [names.items, names.limit].map((name) => member(answerOf(one), name));
    return Array.isArray(items) && typeof limit === 'number' && items.length < limit;
  };
  const short = more.filter(isShort);
  const walks = more.some((one) => !isShort(one) && followed.has(one));
  const hasContinued = short.some((one) => followed.has(one));
  if (short.length === 0 || (!walks && !hasContinued)) return;
  if (!hasContinued && short.length < least) return;
  yield {
    rule: 'router.list.short-page-legal',
    holds: hasContinued,
    exchanges: short,
    expected: 'the next page, although this one was not full',
    got: hasContinued ? 'it was asked for' : 'the iteration ended at a page that was not full',
  };
}
