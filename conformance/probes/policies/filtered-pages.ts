import { pagesPolicyOf } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import { at } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import { unselected } from './filter-values.ts';
import type { FilterValue } from './filter-values.ts';
import { listThings } from './listed-things.ts';
import type { Listed } from './listed-things.ts';
import { itemsOf, linkedQuery, namesOf } from './pages.ts';
import type { PagedPolicy } from './pages.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A list by conditions, all of which have to hold. */
export interface ListedBy {
  readonly session: Session;
  readonly things: Things;
  readonly within: Thing['values'];
  readonly conditions: readonly FilterValue[];
}

/** The pages of the list. */
export function pageFactsOf(facts: OperationFacts<Resource>): OperationFacts<PagedPolicy> | undefined {
  const policy = pagesPolicyOf(facts.operation);
  return policy && facts.about(policy).on(facts.operation);
}

/** The last page with items does not say that there are more; where one does, it says so again. */
export async function* judgeMore(
  facts: OperationFacts<Resource>,
  walk: Listed,
  again: () => Promise<Listed>,
  said: string,
): AsyncGenerator<Check> {
  const pageFacts = pageFactsOf(facts);
  const { more, next } = pageFacts === undefined ? {} : namesOf(pageFacts.policy);
  if (pageFacts === undefined || more === undefined) return;
  const emptyAfter = ({ pages }: Listed): readonly Exchange[] => {
    const [last, empty] = pages.slice(-2);
    const isEmpty = empty !== undefined && itemsOf(empty, pageFacts.policy)?.length === 0;
    return last !== undefined && isEmpty && at(last.json, more) === true ? [last, empty] : [];
  };
  const first = emptyAfter(walk);
  // What was listed may be gone by then.
  const second = first.length === 0 ? [] : emptyAfter(await again());
  if (second.length > 0)
    yield* pageFacts.judge(
      next === undefined ? 'walk' : 'more',
      [...first, ...second],
      false,
      `${more} false on the last page with ${said}`,
      `${more} true, and no further item`,
    );
}

/** The stated total counts what the filter selects. */
export function* judgeTotal(
  facts: OperationFacts<Resource>,
  { items, pages, isAll }: Listed,
  said: string,
): Generator<Check> {
  const policy = pagesPolicyOf(facts.operation);
  const { page, totalHeader }: Partial<PolicyOf<'numbered-pages'>> =
    policy?.kind === 'numbered-pages' ? policy : {};
  const places: readonly (readonly [string | undefined, (seen: Exchange) => unknown])[] = [
    [page?.total, ({ json }) => at(json, page?.total ?? '')],
    [totalHeader, (seen) => Number(seen.header(totalHeader ?? '') ?? Number.NaN)],
  ];
  for (const [name, totalOf] of places) {
    // Other callers may add or remove things while the suite reads several pages.
    const totals = name === undefined ? [] : pages.map(totalOf);
    const [total] = totals;
    if (!isAll || !Number.isInteger(total) || totals.some((one) => one !== total)) continue;
    yield* facts.judge(
      'filtered',
      pages,
      total === items.length,
      `${name ?? ''} ${items.length}, as many as ${said} selects`,
      String(total),
    );
  }
}

/** The page to which `Link` leads; `undefined` if the sheet says nothing of links, or if nothing follows. */
export async function linkedPage(
  { operation }: OperationFacts<Resource>,
  { session, things, within }: Omit<ListedBy, 'conditions'>,
  page: Exchange | undefined,
): Promise<Listed | undefined> {
  const policy = pagesPolicyOf(operation);
  const query = page === undefined || policy?.link !== true ? undefined : linkedQuery(page);
  if (query === undefined) return undefined;
  const parameters = operation.parameters.filter(({ in: place }) => place === 'query');
  // The suite sends declared parameters only.
  if (![...query.keys()].every((key) => parameters.some((one) => one.name === key))) return undefined;
  return listThings(things, session, within, {
    query: Object.fromEntries(query),
    limit: null,
    mostPages: 1,
  });
}

/** The page to which `Link` leads contains nothing else either: its address keeps the filter in some form. */
export async function* judgeLink(
  facts: OperationFacts<Resource>,
  { conditions, said, ...listed }: ListedBy & { readonly said: string },
  page: Exchange | undefined,
): AsyncGenerator<Check> {
  const linked = await linkedPage(facts, listed, page);
  if (linked === undefined || page === undefined) return;
  const { items, pages } = linked;
  yield* facts.judge(
    'filtered',
    [page, ...pages],
    items.every((item) => unselected(item, conditions) === undefined),
    `things whose ${wantedBy(conditions)} where rel="next" leads, with ${said}`,
    `${unselectedIn(items, conditions)}, at ${page.header('link') ?? ''}`,
  );
}

/** What is selected, in words. */
export function wantedBy(conditions: readonly FilterValue[]): string {
  return conditions.map(({ name, value }) => `${name} is ${sketch(value, 40)}`).join(' and ');
}

/** The first thing that is not selected, in words. */
export function unselectedIn(items: readonly unknown[], conditions: readonly FilterValue[]): string {
  const other = items.find((item) => unselected(item, conditions) !== undefined);
  const name = unselected(other, conditions) ?? '';
  return `one whose ${name} is ${sketch(at(other, name), 40)}`;
}
