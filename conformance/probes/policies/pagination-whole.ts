import type { Json } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, SendOptions, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import type { PagedList } from './paged-lists.ts';
import type { PagedPolicy } from './pages.ts';
import { itemsOf, keyReader, linkedQuery, namesOf, nextPlace, takesLimit } from './pages.ts';

type Query = Readonly<Record<string, Json>>;

/**
 * Requests a page; `as` names another planned request, such as one of another caller, and `raw` is sent behind the query as
 * it is.
 */
export type AskPage = (
  session: Session,
  query: Query,
  parts?: Pick<SendOptions, 'headers'> & { readonly as?: string; readonly raw?: string },
) => Promise<Exchange>;

/**
 * A list in large pages, in small ones, and in large ones again: if the large ones are the same both times,
 * the small ones contain the same items, and the list ends where the pages say.
 */
export function wholeListScenarios(
  facts: OperationFacts<PagedPolicy>,
  list: PagedList,
  ask: AskPage,
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const { limitParameter, defaultLimit, maximumLimit } = policy;
  const { more } = namesOf(policy);
  const keyOf = keyReader(api, operation);

  /** @param limit `undefined` for pages of the default size */
  const walk = async (session: Session, limit: number | undefined, most: number): Promise<Walk> => {
    const size = limit === undefined ? {} : { [limitParameter]: limit };
    const pages: Exchange[] = [];
    const items: string[] = [];
    let place: Query | undefined = {};
    let empty = 0;
    while (place !== undefined && pages.length < most) {
      const seen: Exchange = await ask(session, { ...place, ...size });
      const list = itemsOf(seen, policy);
      if (isRefusedCursor(policy, seen, pages.length))
        return { pages: [...pages, seen], items, isAll: false, isRefused: true };
      if (!isSuccess(seen) || list === undefined)
        throw new NotExercised('an opportunity', 'one of the answers is not a page');
      pages.push(seen);
      items.push(...list.map(keyOf));
      empty = list.length === 0 ? empty + 1 : 0;
      // With page numbers, only an empty or short page marks the end.
      const isEnd =
        policy.kind === 'numbered-pages' ? list.length < (limit ?? defaultLimit) : empty >= MOST_EMPTY;
      place = isEnd ? undefined : nextPlace(policy, seen, { pages: pages.length, items: items.length });
    }
    return { pages, items, isAll: place === undefined, isRefused: false };
  };

  return facts.scenario(['walk', 'more', 'limit', 'page-size'], {
    id: `${policy.kind}.${operation.id}.whole${list.suffix}`,
    title: `GET ${operation.path}: the same list in large and in small pages${list.title}`,
    ...list.parts,
    requests: {
      ...list.requests,
      page: api.plan(operation, { times: TRIES * (2 * MOST_LARGE + 2 * MOST_SMALL) + 3 }),
    },
    async *run(session: Session) {
      if ((await list.values(session)) === undefined) return;
      const large = Math.min(maximumLimit, LARGEST);
      let lost: readonly Exchange[] | undefined;
      for (let time = 0; time < TRIES; time += 1) {
        const first = await walk(session, large, MOST_LARGE);
        const size = sizeFor(first.items.length, Math.floor(large / 2));
        if (first.items.length < 2 || size >= large || !takesLimit(facts, size) || !takesLimit(facts, large))
          throw new NotExercised('an opportunity', 'the list is too short for pages of two sizes');
        const small = await walk(session, size, MOST_SMALL);
        const usual =
          first.items.length > defaultLimit && size !== defaultLimit
            ? await walk(session, undefined, MOST_SMALL)
            : undefined;
        const again = await walk(session, large, MOST_LARGE);
        lost = [first, small, usual, again].find((one) => one?.isRefused === true)?.pages.slice(-2);
        // A list that is built anew may refuse its cursors once.
        if (lost !== undefined || again.items.join('\n') !== first.items.join('\n')) continue;
        const long = small.pages.find((page) => (itemsOf(page, policy) ?? []).length > size);
        yield* facts.judge(
          'page-size',
          long ?? small.pages,
          long === undefined,
          `pages of at most ${size} items, where ${limitParameter} is ${size}`,
          `${(long && itemsOf(long, policy))?.length ?? 0} items`,
        );
        yield* facts.judge(
          'walk',
          first.pages.slice(-MOST_EMPTY),
          more !== undefined || !endsNever(first.pages, policy),
          'an end of the list',
          `${MOST_EMPTY} pages without an item, one after the other, and a cursor with each`,
        );
        // The walk in small pages may stop before the end of a long list.
        for (const [other, sized] of [
          [small, `${size}`],
          ...(usual === undefined ? [] : [[usual, 'the default size'] as const]),
        ] as const) {
          const wanted = first.isAll && other.isAll ? first.items : first.items.slice(0, other.items.length);
          yield* facts.judge(
            'walk',
            [...first.pages, ...other.pages],
            isSameList(other.items, wanted, first.items),
            `in pages of ${sized} the ${wanted.length} items that are in pages of ${large}`,
            `${other.items.length} items, ${new Set(other.items).size} of them different, in ${other.pages.length} pages`,
          );
        }
        yield* judgeSize(facts, first.pages, large);
        if (first.isAll) yield* judgeTotal(facts, [...first.pages, ...small.pages], first.items.length);
        yield* judgeOffset(facts, { session, ask, size, items: first.items });
        const emptyAt = first.pages.findIndex((page) => itemsOf(page, policy)?.length === 0);
        const [before, end] = emptyAt < 1 ? [] : first.pages.slice(emptyAt - 1, emptyAt + 1);
        // With page numbers, a short page is the last one; with cursors in bodies, one without a cursor.
        const showsEnd = policy.kind === 'numbered-pages' || policy.page.next !== undefined;
        const short = policy.link === true && showsEnd ? first.pages.at(-1) : undefined;
        if (short !== undefined && first.isAll)
          yield* facts.judge(
            'walk',
            short,
            linkedQuery(short) === undefined,
            'no rel="next" on the last page',
            `Link: ${short.header('link') ?? 'none'}`,
          );
        if (more !== undefined && before !== undefined && end !== undefined && first.isAll)
          yield* facts.judge(
            namesOf(policy).next === undefined ? 'walk' : 'more',
            [before, end],
            itemsOf(end, policy)?.length !== 0 || at(before.json, more) !== true,
            `${more} false on the last page that has items`,
            `${more} true, and no further item`,
          );
        return;
      }
      if (lost === undefined) throw new NotExercised('an opportunity', 'the list changes while it is read');
      yield* facts.judge('walk', lost, false, 'a page for the cursor that the page before has just given');
    },
  });
}

// --- internal ---

/** About a third of the list. If possible, the last page has one item, which shows pages that are one too long. */
function sizeFor(count: number, most: number): number {
  const third = Math.max(1, Math.min(most, Math.ceil(count / 3)));
  const sizes = [third, third + 1, third - 1].filter((size) => size > 1 && size <= most);
  return sizes.find((size) => count % size === 1) ?? third;
}

/** Whether a cursor that a page has just given is refused. */
function isRefusedCursor(policy: PagedPolicy, { status }: Exchange, pages: number): boolean {
  return policy.kind === 'pagination' && pages > 0 && status >= 400 && status < 500 && status !== 429;
}

/** Pages may be short, but not all of the default size where more is requested. */
function* judgeSize(
  facts: OperationFacts<PagedPolicy>,
  pages: readonly Exchange[],
  limit: number,
): Generator<Check> {
  const { policy } = facts;
  const sizes = pages.slice(0, -1).map((page) => itemsOf(page, policy)?.length ?? 0);
  if (sizes.length < 2 || limit === policy.defaultLimit) return;
  yield* facts.judge(
    'limit',
    pages,
    sizes.some((size) => size !== policy.defaultLimit),
    `pages of ${limit} where ${policy.limitParameter} is ${limit}`,
    `pages of ${sizes.join(', ')}`,
  );
}

const TRIES = 3;
const LARGEST = 100;
const MOST_LARGE = 12;
const MOST_SMALL = 24;
/**
 * A page may be empty if its items were removed; but a list that always announces another page never ends.
 */
const MOST_EMPTY = 3;

/** Every page has the right total, if the sheet names a member for it. */
function* judgeTotal(
  facts: OperationFacts<PagedPolicy>,
  pages: readonly Exchange[],
  count: number,
): Generator<Check> {
  const { policy } = facts;
  if (policy.kind !== 'numbered-pages') return;
  const { page: { total } = {}, totalHeader } = policy;
  const counts: readonly (readonly [string, (page: Exchange) => unknown])[] = [
    ...(total === undefined ? [] : [[total, (page: Exchange) => at(page.json, total)] as const]),
    ...(totalHeader === undefined
      ? []
      : [[totalHeader, (page: Exchange) => numberIn(page.header(totalHeader))] as const]),
  ];
  for (const [name, countOf] of counts) {
    const wrong = pages.find((page) => countOf(page) !== count);
    yield* facts.judge(
      'walk',
      wrong ?? pages,
      wrong === undefined,
      `${name} ${count}, which is how many items the pages have`,
      `${name} ${String(wrong && countOf(wrong))}`,
    );
  }
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
}

/** An offset counts items, not pages: pages at the offsets 0 and 1 begin with different items. */
async function* judgeOffset(
  facts: OperationFacts<PagedPolicy>,
  {
    session,
    ask,
    size,
    items,
  }: {
    readonly session: Session;
    readonly ask: AskPage;
    readonly size: number;
    readonly items: readonly string[];
  },
): AsyncGenerator<Check> {
  const { api, operation, policy } = facts;
  const keyOf = keyReader(api, operation);
  const offset = policy.kind === 'numbered-pages' ? policy.offsetParameter : undefined;
  if (offset === undefined || size < 2 || new Set(items).size < items.length) return;
  const at = async (value: number): Promise<Exchange> =>
    ask(session, { [offset]: value, [policy.limitParameter]: size });
  const pages = [await at(0), await at(1), await at(0)];
  const [before, second, again] = pages.map((page) => (itemsOf(page, policy) ?? []).map(keyOf));
  if (!pages.every(isSuccess) || before?.join() !== again?.join() || before?.[0] !== items[0]) return;
  yield* facts.judge(
    'walk',
    pages,
    second?.[0] !== before?.[0],
    `a page that begins with another item where ${offset} is 1`,
    `the same first item with ${offset} 0 and 1`,
  );
}

function endsNever(pages: readonly Exchange[], policy: PagedPolicy): boolean {
  const last = pages.slice(-MOST_EMPTY);
  return (
    last.length === MOST_EMPTY &&
    last.every(
      (page) =>
        itemsOf(page, policy)?.length === 0 &&
        policy.kind === 'pagination' &&
        nextPlace(policy, page, { pages: 0, items: 0 }) !== undefined,
    )
  );
}

/**
 * Whether no item is missing, and none occurs more often than in the large pages: without ids, two can be
 * equal.
 */
function isSameList(small: readonly string[], wanted: readonly string[], all: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const item of all) left.set(item, (left.get(item) ?? 0) + 1);
  for (const item of small) left.set(item, (left.get(item) ?? 0) - 1);
  const shown = new Set(small);
  return wanted.every((item) => shown.has(item)) && [...left.values()].every((count) => count >= 0);
}

/** Pages of one size, from the first one on. */
interface Walk {
  readonly pages: readonly Exchange[];
  /** What distinguishes the items. */
  readonly items: readonly string[];
  /** Whether the last page is the end of the list. */
  readonly isAll: boolean;
  /** Whether its last answer is the refusal of a cursor. */
  readonly isRefused: boolean;
}
