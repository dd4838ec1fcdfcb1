import type { Json } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import { inputFor, requiredValues } from '../document/input.ts';
import { requestPath } from '../../../contract/sheet/request-path.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { FULL_PAGES, judgeFullPage } from './full-page.ts';
import { wholeListScenarios } from './pagination-whole.ts';
import type { AskPage } from './pagination-whole.ts';
import { pagedLists } from './paged-lists.ts';
import type { PagedList } from './paged-lists.ts';
import { noSuchPage } from './no-such-page.ts';
import { refusedCursors } from './refused-cursors.ts';
import { twoWalks } from './two-walks.ts';
import { forbiddenLimits } from './page-limits.ts';
import { pageSizes } from './page-sizes.ts';
import { itemsOf, judgeEnd, keyReader, linkedQuery, namesOf, nextPlace, told } from './pages.ts';
import type { PagedPolicy } from './pages.ts';

/** A list in pages: by cursors, by page numbers, or by offsets. */
export function paginationProbes(facts: OperationFacts<PagedPolicy>): Probes {
  return { scenarios: pagedLists(facts).flatMap((list) => scenariosOf(facts, list)) };
}

// --- internal ---

function scenariosOf(facts: OperationFacts<PagedPolicy>, list: PagedList): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const { limitParameter } = policy;
  const keyOf = keyReader(api, operation);
  const ask: AskPage = async (session, query, { as = 'page', headers = [], raw } = {}) => {
    const values = (await list.values(session)) ?? {};
    const required = requiredValues(api, operation, session, values);
    const input = {
      ...inputFor(api, operation, session, values),
      ...serialisedParameters(operation, { ...required, ...query }),
    };
    const { '?query': before = '' } = input.fill;
    const isFirst = before === '' && !requestPath(operation).includes('?');
    const fill = raw === undefined ? {} : { '?query': `${before}${isFirst ? '?' : '&'}${raw}` };
    return session.send(as, {
      ...input,
      fill: { ...input.fill, ...fill },
      headers: [...input.headers, ...headers],
    });
  };
  /** Whether another scenario judges the list. */
  const isJudged = async (session: Session): Promise<boolean> => (await list.values(session)) === undefined;
  const parts = { ...list.parts };
  const hasMoved = async (session: Session, { query, items }: Place): Promise<boolean> => {
    const now = itemsOf(await ask(session, query), policy) ?? [];
    return now.length !== items.length || now.some((item, index) => keyOf(item) !== items[index]);
  };
  return [
    ...pageSizes(facts, list, ask),
    ...facts.scenario(['walk', 'more'], {
      id: `pagination.${operation.id}.walk${list.suffix}`,
      title: `GET ${operation.path}: from page to page${list.title}`,
      ...parts,
      severalCases: facts.ids('walk', 'more'),
      requests: { ...list.requests, page: api.plan(operation, { times: 4 * MOST_PAGES + 1 + FULL_PAGES }) },
      async *run(session: Session) {
        if (await isJudged(session)) return;
        const seen: Exchange[] = [];
        const items: string[] = [];
        let last: Place = { query: {}, items: [] };
        let hasLinks = policy.kind === 'numbered-pages' && policy.link === true;
        let place: Readonly<Record<string, Json>> | undefined = {};
        for (let page = 0; page < MOST_PAGES && place !== undefined; page += 1) {
          const exchange = await ask(session, { ...place, [limitParameter]: 1 });
          seen.push(exchange);
          yield* judgeEnd(facts, exchange);
          const list = itemsOf(exchange, policy);
          const isPage = isSuccess(exchange) && list !== undefined;
          if (isPage) yield* judgeBoth(facts, exchange, place);
          if (isPage) yield* judgePlace(facts, exchange, place);
          const own = (isPage ? list : []).map(keyOf);
          const isNew = own.every((item) => !items.includes(item));
          // Pages shift when another caller adds an item before them.
          if (!isNew && (await hasMoved(session, last))) break;
          const query = { ...place, [limitParameter]: 1 };
          // Things may come and go between two pages, so a missing page is requested again.
          if (isPage && own.length > 0 && hasLinks && page > 0) {
            const before = seen.at(-2) as Exchange;
            const wanted = nextNumber(policy, { page, items: items.length });
            hasLinks = linkedQuery(before) !== undefined;
            if (hasLinks) yield* judgeLink(facts, before, wanted, [limitParameter, '1']);
            else {
              const again = await ask(session, last.query);
              if ((itemsOf(await ask(session, query), policy) ?? []).length > 0)
                yield* judgeLink(facts, again, wanted, [limitParameter, '1']);
            }
          }
          last = { query, items: own };
          if (page > 0)
            yield* facts.judge(
              'walk',
              seen.slice(-2),
              isPage && isNew,
              'a page of items that no page before had',
              `${sketchAnswer(exchange)}${isNew ? '' : ', with an item of an earlier page'}`,
            );
          items.push(...own);
          place =
            own.length === 0
              ? undefined
              : nextPlace(policy, exchange, { pages: page + 1, items: items.length });
        }
        const beyond = placeBeyond(policy);
        if (beyond !== undefined) {
          const end = await ask(session, { ...beyond, [limitParameter]: 1 });
          const again = (itemsOf(end, policy) ?? []).map(keyOf).filter((item) => items.includes(item));
          if (isSuccess(end) && hasLinks && itemsOf(end, policy)?.length === 0)
            yield* facts.judge(
              'walk',
              end,
              linkedQuery(end) === undefined,
              'no rel="next" beyond the end',
              toldLink(end),
            );
          if (isSuccess(end))
            yield* facts.judge(
              'walk',
              end,
              again.length === 0,
              'no item far beyond the end',
              told(end, policy),
            );
        }
        yield* judgeFullPage(facts, session, ask);
        if (seen.length < 2)
          throw new NotExercised('an opportunity', 'the list has only one page, even with one item per page');
      },
    }),
    ...wholeListScenarios(facts, list, ask),
    ...twoWalks(facts, list, ask),
    ...noSuchPage(facts, list, ask),
    ...refusedCursors(facts, list, ask),
    ...forbiddenLimits(facts, list, ask),
  ];
}

const MOST_PAGES = 6;

/** A received page, with the keys of its items. */
interface Place {
  readonly query: Readonly<Record<string, Json>>;
  readonly items: readonly string[];
}

/** A page number that no list has; `undefined` if pages are not numbered. */
function placeBeyond(policy: PagedPolicy): Readonly<Record<string, Json>> | undefined {
  if (policy.kind === 'pagination') return undefined;
  const name = policy.pageParameter ?? policy.offsetParameter;
  return name === undefined ? undefined : { [name]: FAR_BEYOND };
}

const FAR_BEYOND = 1_000_000;

/** The number or the offset of a page, if pages are addressed by one. */
function nextNumber(
  policy: PagedPolicy,
  so: { readonly page: number; readonly items: number },
): readonly [parameter: string, value: number] {
  if (policy.kind === 'pagination') return ['', 0];
  const { pageParameter, offsetParameter = '', firstPage = 1 } = policy;
  return pageParameter === undefined ? [offsetParameter, so.items] : [pageParameter, firstPage + so.page];
}

/** A page with a cursor and a `Link` has both or neither, and its `Link` does not lead to the page itself. */
function* judgeBoth(
  facts: OperationFacts<PagedPolicy>,
  seen: Exchange,
  place: Readonly<Record<string, Json>>,
): Generator<Check> {
  const { policy } = facts;
  if (policy.kind !== 'pagination' || policy.link !== true || policy.page.next === undefined) return;
  const { more, next } = policy.page;
  const own = at(seen.json, next);
  const hasNext =
    own !== undefined && own !== null && own !== '' && (more === undefined || at(seen.json, more) === true);
  const query = linkedQuery(seen);
  const isSame = query?.get(policy.cursorParameter) === (place[policy.cursorParameter] ?? '');
  yield* facts.judge(
    'walk',
    seen,
    (query !== undefined) === hasNext && !isSame,
    hasNext ? 'Link with rel="next" to the next page' : 'no rel="next" on the last page',
    toldLink(seen),
  );
}

/** A page shows its number or its offset, if the sheet names a member for it. */
function* judgePlace(
  facts: OperationFacts<PagedPolicy>,
  seen: Exchange,
  place: Readonly<Record<string, Json>>,
): Generator<Check> {
  const { policy } = facts;
  const { place: name } = namesOf(policy);
  if (policy.kind === 'pagination' || name === undefined) return;
  const [parameter] = nextNumber(policy, { page: 0, items: 0 });
  const first = policy.pageParameter === undefined ? 0 : (policy.firstPage ?? 1);
  const wanted = place[parameter] ?? first;
  const shown = at(seen.json, name);
  yield* facts.judge(
    'walk',
    seen,
    shown === wanted,
    `${name} ${String(wanted)}, as requested`,
    `${name} ${sketch(shown, 40)}`,
  );
}

/** `Link` leads to the next page with the same size; the address may use another way than the parameters. */
function* judgeLink(
  facts: OperationFacts<PagedPolicy>,
  seen: Exchange,
  [parameter, value]: readonly [string, number],
  [limit, size]: readonly [string, string],
): Generator<Check> {
  const query = linkedQuery(seen);
  const said = query?.get(parameter);
  if (said === null) return;
  yield* facts.judge(
    'walk',
    seen,
    said === String(value) && query?.get(limit) === size,
    `rel="next" to ${parameter}=${value}&${limit}=${size}, where there are more items`,
    toldLink(seen),
  );
}

function toldLink(seen: Exchange): string {
  return `Link: ${seen.header('link') ?? 'none'}`;
}
