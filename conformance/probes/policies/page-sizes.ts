import { wholeCaseOf } from '../../../contract/sheet/policy-cases.ts';
import type { Json } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import type { PagedList } from './paged-lists.ts';
import type { AskPage } from './pagination-whole.ts';
import { itemsOf, judgeEnd, keyReader, namesOf, nextPlace, takesLimit, told } from './pages.ts';
import type { PagedPolicy } from './pages.ts';

/** Pages of the default size, of sizes up to the maximum, and of sizes that the server replaces. */
export function pageSizes(
  facts: OperationFacts<PagedPolicy>,
  list: PagedList,
  ask: AskPage,
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const { limitParameter } = policy;
  const names = namesOf(policy);
  const sizes = sizesOf(policy);
  const isPageOf = (seen: Exchange, limit: number): boolean =>
    isSuccess(seen) &&
    (names.limit === undefined || at(seen.json, names.limit) === limit) &&
    (facts.isApart('page-size') || (itemsOf(seen, policy)?.length ?? limit + 1) <= limit);
  const key = keyOfOthers(facts);
  return facts.scenario(CASES, {
    id: `pagination.${operation.id}.limits${list.suffix}`,
    title: `GET ${operation.path}: sizes of pages${list.title}`,
    ...list.parts,
    isUndisturbed: false,
    severalCases: facts.ids(...CASES),
    requests: {
      ...list.requests,
      page: api.plan(operation, { times: sizes.length + MOST_AGAIN * FIRST_OF_EACH + 4 }),
    },
    async *run(session: Session) {
      if ((await list.values(session)) === undefined) return;
      const judge = function* ({ name, served, isMild }: Size, seen: Exchange, where = ''): Generator<Check> {
        const said = names.limit === undefined ? '' : `, with ${names.limit} ${served}`;
        for (const check of facts.judge(
          name,
          seen,
          isPageOf(seen, served),
          `a page of at most ${served} items${said}${where}`,
          told(seen, policy),
        ))
          yield isMild === true && !facts.isApart(name) ? { ...check, isMild } : check;
        yield* judgeShown(facts, seen);
      };
      const judged = new Set<string>();
      let refused: string | undefined;
      for (const size of sizes) {
        const { limit, served } = size;
        const name = facts.isApart(size.name)
          ? size.name
          : (wholeCaseOf(policy.kind, size.name) ?? size.name);
        // A value that the schema of the parameter forbids is rightly refused.
        if (limit !== undefined && !takesLimit(facts, limit)) {
          if (!judged.has(name))
            refused = `the document does not allow the limit ${String(limit)}, so that a server refuses it`;
          continue;
        }
        const query = limit === undefined ? {} : { [limitParameter]: limit };
        const seen = await ask(session, query);
        yield* judge(size, seen);
        yield* judgeEnd(facts, seen);
        const own = itemsOf(seen, policy)?.length ?? served;
        if (name !== 'limit' && !judged.has(name) && isSuccess(seen) && own < served)
          yield* judgeShort(facts, session, { ask, name, query, seen, limit: served });
        const isFirst = !judged.has(name);
        judged.add(name);
        // The size holds for any page.
        const place = nextPlace(policy, seen, { pages: 1, items: own });
        if (isFirst && place !== undefined && policy.kind === 'pagination') {
          const next = await ask(session, { ...query, ...place });
          if (isSuccess(next)) yield* judge(size, next, ', also behind a cursor');
        }
        // Keys are about other operations, so that a read with one is an ordinary read.
        if (name === 'limit-default' && key !== undefined)
          yield* judge(
            size,
            await ask(session, query, { headers: [[key, session.freshKey()]] }),
            `, also with ${key}`,
          );
      }
      yield* judgeOtherSize(facts, judge, (query) => ask(session, query));
      if (refused !== undefined) throw new NotExercised('an opportunity', refused);
    },
  });
}

// --- internal ---

const CASES = [
  ...['limit-default', 'limit', 'page-size', 'shown-limit', 'limit-clamped', 'huge-limit'],
  ...['limit-low', 'zero-limit', 'negative-limit', 'more'],
];

interface Size {
  readonly name: string;
  /** What is requested; `undefined` for a request without a limit. */
  readonly limit?: number;
  /** What the sheet says that the server uses. */
  readonly served: number;
  readonly isMild?: true;
}

/** The sizes at the edges, and others beyond them. A number that many servers cannot read is only a warning. */
function sizesOf({ defaultLimit, maximumLimit, zeroIsDefault }: PagedPolicy): readonly Size[] {
  const within = [1, 2, defaultLimit - 1, defaultLimit + 1, maximumLimit - 1, maximumLimit];
  const beyond = [maximumLimit + 1, 10 * maximumLimit];
  const below = zeroIsDefault === true ? [0, -1, -maximumLimit] : [];
  return [
    { name: 'limit-default', served: defaultLimit },
    ...[...new Set(within)]
      .filter((limit) => limit > 0 && limit <= maximumLimit)
      .map((limit) => ({ name: 'limit', limit, served: limit })),
    ...beyond.map((limit) => ({ name: 'limit-clamped', limit, served: maximumLimit })),
    ...HUGE.map((limit) => ({ name: 'huge-limit', limit, served: maximumLimit, isMild: true as const })),
    ...below.map((limit) => ({ name: lowName(limit), limit, served: defaultLimit })),
    ...(zeroIsDefault === true ? HUGE : []).map((limit) => ({
      ...{ name: lowName(-limit), limit: -limit, served: defaultLimit, isMild: true as const },
    })),
  ];
}

function lowName(limit: number): string {
  return limit === 0 ? 'zero-limit' : 'negative-limit';
}

/** The page behind a cursor has the size that is asked for, and not that of the page before. */
async function* judgeOtherSize(
  facts: OperationFacts<PagedPolicy>,
  judge: (size: Size, seen: Exchange, where: string) => Generator<Check>,
  ask: (query: Readonly<Record<string, Json>>) => Promise<Exchange>,
): AsyncGenerator<Check> {
  const { policy } = facts;
  const { limitParameter, maximumLimit } = policy;
  if (policy.kind !== 'pagination' || maximumLimit < 2 || ![1, 2].every((size) => takesLimit(facts, size)))
    return;
  const first = await ask({ [limitParameter]: 2 });
  const place = nextPlace(policy, first, { pages: 1, items: itemsOf(first, policy)?.length ?? 0 });
  if (!isSuccess(first) || place === undefined) return;
  const next = await ask({ ...place, [limitParameter]: 1 });
  // Whether a cursor can be used with another size is open.
  if (isSuccess(next))
    yield* judge({ name: 'limit', limit: 1, served: 1 }, next, ', behind the cursor of a page of 2');
}

/** What a page says of its own size, where the sheet has rules for that alone. */
function* judgeShown(facts: OperationFacts<PagedPolicy>, seen: Exchange): Generator<Check> {
  const { policy } = facts;
  const name = namesOf(policy).limit;
  const limit = name === undefined ? undefined : at(seen.json, name);
  const items = itemsOf(seen, policy)?.length;
  if (!isSuccess(seen) || typeof limit !== 'number' || items === undefined) return;
  if (facts.isApart('page-size'))
    yield* facts.judge('page-size', seen, items <= limit, `at most ${limit} items`, told(seen, policy));
  if (facts.isApart('shown-limit')) {
    const isInRange = Number.isInteger(limit) && limit >= 1 && limit <= policy.maximumLimit;
    const expected = `an integer from 1 to ${policy.maximumLimit} as ${String(name)}`;
    yield* facts.judge('shown-limit', seen, isInRange, expected, told(seen, policy));
  }
}

/** They exceed 32 and 64 bits. */
const HUGE = [4_294_967_301, 1e20];

/** The cases after whose first size more requests may follow, and how many. */
const FIRST_OF_EACH = 6;
const MOST_AGAIN = 4;

/** The header of a key that other operations take. */
function keyOfOthers({ api, operation }: OperationFacts<PagedPolicy>): string | undefined {
  const isHeader = (name: string): boolean =>
    operation.parameters.some((one) => one.name.toLowerCase() === name.toLowerCase());
  return (api.contract.sheet?.policies ?? [])
    .filter((policy) => policy.kind === 'idempotency')
    .filter(({ operations, requestHeader }) => !operations.includes(operation.id) && !isHeader(requestHeader))
    .map(({ requestHeader }) => requestHeader)[0];
}

/** A page with a number or an offset is full if there are more items: its size is not a matter of chance. */
async function* judgeShort(
  facts: OperationFacts<PagedPolicy>,
  session: Session,
  {
    ask,
    name,
    query,
    seen,
    limit,
  }: {
    readonly ask: AskPage;
    readonly name: string;
    readonly query: Readonly<Record<string, Json>>;
    readonly seen: Exchange;
    readonly limit: number;
  },
): AsyncGenerator<Check> {
  const { api, operation, policy } = facts;
  if (policy.kind === 'pagination') return;
  const keyOf = keyReader(api, operation);
  const count = itemsOf(seen, policy)?.length ?? 0;
  const place = nextPlace(policy, seen, { pages: 1, items: count });
  if (place === undefined || count === 0) return;
  const keysIn = (page: Exchange): readonly string[] => (itemsOf(page, policy) ?? []).map(keyOf);
  const items = keysIn(seen);
  const hasMore = (page: Exchange): boolean => keysIn(page).some((item) => !items.includes(item));
  const next = await ask(session, { ...query, ...place });
  const isMore = hasMore(next);
  if (isMore) {
    // Others may have added an item after the first page: then it is on that page as well, or gone.
    const again = keysIn(await ask(session, query));
    if (again.length !== items.length || again.some((item) => !items.includes(item))) return;
    if (!hasMore(await ask(session, { ...query, ...place }))) return;
  }
  if (isSuccess(next))
    yield* facts.judge(
      name,
      [seen, next],
      !isMore,
      `${String(limit)} items, because there are more`,
      `${String(count)} items`,
    );
}
