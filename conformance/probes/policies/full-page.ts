import type { Json } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import type { AskPage } from './pagination-whole.ts';
import { itemsOf, linkedQuery, namesOf, nextPlace, takesLimit } from './pages.ts';
import type { PagedPolicy } from './pages.ts';

/** How many pages `judgeFullPage` requests at most. */
export const FULL_PAGES = 8;

/** The last page, with a size that makes it full: no page follows it, and it does not say that one does. */
export async function* judgeFullPage(
  facts: OperationFacts<PagedPolicy>,
  session: Session,
  ask: AskPage,
): AsyncGenerator<Check> {
  const { policy } = facts;
  const { limitParameter } = policy;
  const { more, next } = namesOf(policy);
  if (more === undefined) yield* judgeLastLink(facts, session, ask);
  const last = more === undefined ? undefined : await lastPage(facts, session, ask, more);
  if (more === undefined || last === undefined || !takesLimit(facts, last.size)) return;
  const query = { ...last.place, [limitParameter]: last.size };
  const isFull = (seen: Exchange): boolean =>
    isSuccess(seen) && itemsOf(seen, policy)?.length === last.size && at(seen.json, more) === true;
  const full = await ask(session, query);
  if (!isFull(full)) return;
  const { pages, count: items } = last;
  const place = nextPlace(policy, full, { pages: Math.ceil(items / last.size), items });
  const after = place && (await ask(session, { ...place, [limitParameter]: last.size }));
  if (after === undefined || !isSuccess(after) || itemsOf(after, policy)?.length !== 0) return;
  // Something may have been removed meanwhile.
  const again = await ask(session, query);
  if (!isFull(again)) return;
  yield* facts.judge(
    next === undefined ? 'walk' : 'more',
    [...pages, after, again],
    false,
    `${more} false on the last page, which has ${last.size} of ${items} items`,
    `${more} true, and no further item`,
  );
}

// --- internal ---

/** Where a page does not say whether there is more: the last one has no link to another one, also if it is full. */
async function* judgeLastLink(
  facts: OperationFacts<PagedPolicy>,
  session: Session,
  ask: AskPage,
): AsyncGenerator<Check> {
  const { policy } = facts;
  const { limitParameter, maximumLimit: most } = policy;
  if (policy.link !== true || !takesLimit(facts, most)) return;
  const whole = await ask(session, { [limitParameter]: most });
  const count = isSuccess(whole) ? (itemsOf(whole, policy)?.length ?? 0) : 0;
  if (count === 0 || count === most || linkedQuery(whole) !== undefined || !takesLimit(facts, count)) return;
  const isLinked = (seen: Exchange): boolean =>
    isSuccess(seen) && itemsOf(seen, policy)?.length === count && linkedQuery(seen) !== undefined;
  const full = await ask(session, { [limitParameter]: count });
  // Something may have been added meanwhile.
  const still = isLinked(full) ? await ask(session, { [limitParameter]: most }) : undefined;
  if (still === undefined || itemsOf(still, policy)?.length !== count) return;
  yield* facts.judge(
    'walk',
    [whole, full, still],
    false,
    `no rel="next" on the only page, which has all ${count} items`,
    `Link: ${full.header('link') ?? ''}`,
  );
}

const MOST_PAGES = FULL_PAGES - 3;

interface LastPage {
  readonly place: Readonly<Record<string, Json>>;
  readonly size: number;
  /** Of the list. */
  readonly count: number;
  readonly pages: readonly Exchange[];
}

/** Where a last page is full: of one item, or of the whole list where cursors lead to no single one. */
async function lastPage(
  facts: OperationFacts<PagedPolicy>,
  session: Session,
  ask: AskPage,
  more: string,
): Promise<LastPage | undefined> {
  const { policy } = facts;
  const { limitParameter, maximumLimit: most } = policy;
  const pages: Exchange[] = [];
  let count = 0;
  let place: LastPage['place'] | undefined = {};
  while (place !== undefined && pages.length < MOST_PAGES && takesLimit(facts, most)) {
    const seen = await ask(session, { ...place, [limitParameter]: most });
    const own = isSuccess(seen) ? (itemsOf(seen, policy)?.length ?? 0) : 0;
    if (own === 0) return undefined;
    pages.push(seen);
    count += own;
    place = nextPlace(policy, seen, { pages: pages.length, items: count });
    if (at(seen.json, more) !== false) continue;
    if (policy.kind === 'pagination')
      return count < most && pages.length === 1 ? { place: {}, size: count, count, pages } : undefined;
    const { pageParameter, offsetParameter = '', firstPage = 1 } = policy;
    const number = pageParameter === undefined ? count - 1 : firstPage + count - 1;
    return { place: { [pageParameter ?? offsetParameter]: number }, size: 1, count, pages };
  }
  return undefined;
}
