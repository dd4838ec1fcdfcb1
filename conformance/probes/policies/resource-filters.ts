import type { PolicyOf } from '../../../contract/index.ts';
import { lifecyclesOf, pagesPolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { isScalar } from '../own-api.ts';
import { WHOLE_PAGES, judgeChanged, judgeInOrder } from './changed-filters.ts';
import type { OperationFacts } from './facts.ts';
import {
  MOST_FILTERS,
  MOST_OTHER_VALUES,
  filterValuesOf,
  judgeOtherValues,
  otherNamedValues,
  sentFilters,
  saidOf,
  unselected,
} from './filter-values.ts';
import type { FilterValue } from './filter-values.ts';
import { judgeLink, judgeMore, judgeTotal, pageFactsOf, unselectedIn, wantedBy } from './filtered-pages.ts';
import type { ListedBy } from './filtered-pages.ts';
import { isSameWalk, listThings, sizeFor } from './listed-things.ts';
import type { Listed } from './listed-things.ts';
import { filteredMove } from './moved-thing.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A list with a filter contains what matches it, and nothing else. */
export function filtered(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  const filters = Object.entries(policy.filters ?? {}).slice(0, MOST_FILTERS);
  if (filters.length === 0 || things.operation('create') === undefined) return [];
  const pages = 2 * (WHOLE_PAGES + SMALL_PAGES + 1);
  const move = filteredMove(facts, things);
  return facts.scenario(['filtered'], {
    id: `resource.${policy.collection}.filtered`,
    title: `GET ${operation.path}: only what a filter selects`,
    permissions: ['writes'],
    // Totals of several pages are compared.
    isUndisturbed: true,
    also: pageFactsOf(facts)?.ids('walk', 'more') ?? [],
    severalCases: facts.ids('filtered'),
    requests: {
      ...things.requests({
        create: 14,
        read: 4 + 6 * filters.length + MOST_PAIRS,
        list:
          (3 * (pages + 1) + MOST_OTHER_VALUES + 2 * WHOLE_PAGES) * filters.length +
          MOST_PAIRS * (pages + 3) +
          SMALL_PAGES +
          WHOLE_PAGES,
        patch: 2 * filters.length,
        replace: 2 * filters.length,
      }),
      ...(move === undefined ? {} : { move: facts.api.plan(move.action) }),
    },
    async *run(session: Session) {
      const within = await things.within(session);
      const made = [
        await things.make(session, within),
        await things.make(session, within, { isVaried: true }),
      ];
      if (move !== undefined) {
        const moved = await things.make(session, within);
        await session.send('move', inputFor(facts.api, move.action, session, moved.values));
        made.push(moved);
      }
      // The first one is then beyond the others, on a later page.
      await things.make(session, within);
      let isTried = false;
      const known: unknown[] = [];
      for (const [index, thing] of made.entries()) {
        const isMoved = index > 1;
        const shown = await shownOf(session, things, thing, isMoved);
        known.push(shown);
        const conditions = filterValuesOf(facts, things, shown);
        for (const one of conditions) {
          if (isMoved && one.name !== move?.member) continue;
          isTried = true;
          yield* judgeFilter(facts, { session, things, thing, within, conditions: [one] });
        }
        if (index > 0) continue;
        for (const pair of pairsOf(conditions))
          yield* judgeFilter(facts, { session, things, thing, within, conditions: pair });
      }
      yield* judgeMixed(facts, { session, things, within }, known);
      const [first] = made;
      if (first !== undefined) {
        yield* judgeInOrder(facts, { session, things, within }, known[0]);
        yield* judgeChanged(facts, { session, things, within, thing: first }, known[0]);
      }
      for (const [query, name] of filters) {
        const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === query);
        const values = known.map((shown) => at(shown, name));
        if (parameter !== undefined)
          yield* judgeOtherValues(facts, { session, things, within, parameter, name, known: values });
      }
      if (!isTried)
        throw new NotExercised(
          `bodies.${policy.operations.create ?? ''}`,
          'no created resource shows a value that a filter accepts',
        );
    },
  });
}

// --- internal ---

/** How many pairs of filters are tried together. */
const MOST_PAIRS = 2;

/** A filter can be forgotten on a later page, and so can the place where a page begins. */
const SMALL_PAGES = 3;

interface Filtered extends ListedBy {
  readonly thing: Thing;
}

/** The members of a thing, with those that only the server sets. */
async function shownOf(
  session: Session,
  things: Things,
  { made, values, sent }: Thing,
  isChanged: boolean,
): Promise<unknown> {
  const created = isChanged ? undefined : things.shownIn(made);
  if (created !== undefined) return created;
  if (things.operation('read') === undefined) return sent;
  return things.shownIn(await things.call(session, 'read', values));
}

async function* judgeFilter(
  facts: OperationFacts<Resource>,
  { session, things, thing, within, conditions }: Filtered,
): AsyncGenerator<Check> {
  const [query, said] = [sentFilters(conditions), saidOf(conditions)];
  const whole = await listThings(things, session, within, { query, mostPages: WHOLE_PAGES });
  const isSized = pagesPolicyOf(facts.operation)?.limitParameter !== undefined;
  const limit = sizeFor(whole, SMALL_PAGES, 1);
  const inSmall = (): Promise<Listed> =>
    listThings(things, session, within, { query, limit, mostPages: SMALL_PAGES + 1 });
  const small = isSized ? await inSmall() : undefined;
  if (small !== undefined) yield* judgeMore(facts, small, inSmall, said);
  for (const { items, pages } of small === undefined ? [whole] : [whole, small]) {
    const refused = pages.find((page) => !isSuccess(page));
    yield* facts.judge(
      'filtered',
      refused ?? pages,
      refused === undefined && items.every((item) => unselected(item, conditions) === undefined),
      `things whose ${wantedBy(conditions)}, with ${said}`,
      refused === undefined ? unselectedIn(items, conditions) : sketchAnswer(refused),
    );
  }
  if (small !== undefined && whole.isAll && !isSameWalk(small, whole)) {
    const again = await listThings(things, session, within, { query, mostPages: WHOLE_PAGES });
    // Other callers may add or remove things in the meantime.
    if (isSameWalk(again, whole))
      yield* facts.judge(
        'filtered',
        [...whole.pages, ...small.pages],
        false,
        `in pages of ${limit} the ${whole.items.length} things that are in larger pages, with ${said}`,
        `${small.items.length} things, ${small.ids.size} of them different`,
      );
  }
  yield* judgeTotal(facts, whole, said);
  yield* judgeLink(facts, { session, things, within, conditions, said }, small?.pages[0]);
  // A state may have changed by itself in the meantime.
  const states = conditions.filter(({ name }) => isState(facts, name));
  const now = states.length === 0 ? undefined : await nowOf(session, things, thing);
  const isStill = states.every(({ name, value }) => at(now, name) === value);
  if (whole.isAll && isStill)
    yield* facts.judge(
      'filtered',
      [thing.made, ...whole.pages.slice(-1)],
      whole.ids.has(String(thing.id)),
      `${String(thing.id)} in the list with ${said}`,
      `${whole.ids.size} things without it`,
    );
}

/** Whether a member has the states of a lifecycle. */
function isState({ api }: OperationFacts<Resource>, name: string): boolean {
  return lifecyclesOf(api.contract).some(({ property }) => property === name);
}

async function nowOf(session: Session, things: Things, { values, made }: Thing): Promise<unknown> {
  return things.operation('read') === undefined
    ? things.shownIn(made)
    : things.shownIn(await things.call(session, 'read', values));
}

/** Two filters at once, of which a thing of the suite matches only one: it is not listed. */
async function* judgeMixed(
  facts: OperationFacts<Resource>,
  { session, things, within }: Pick<Filtered, 'session' | 'things' | 'within'>,
  known: readonly unknown[],
): AsyncGenerator<Check> {
  const [first, ...others] = known.map((shown) => filterValuesOf(facts, things, shown));
  for (const pair of pairsOf(first ?? []))
    for (const changed of pair) {
      const other = others.flat().find((one) => one.name === changed.name && one.value !== changed.value);
      const value = other?.value ?? namedBeside(facts, things, changed, known);
      if (value === undefined) continue;
      const conditions: readonly FilterValue[] = pair.map((one) =>
        one === changed ? { ...changed, value } : one,
      );
      const { items, pages } = await listThings(things, session, within, {
        query: sentFilters(conditions),
        mostPages: 1,
      });
      // A server may know more of two values than the document does.
      if (!pages.every(isSuccess)) continue;
      yield* facts.judge(
        'filtered',
        pages,
        items.every((item) => unselected(item, conditions) === undefined),
        `things whose ${wantedBy(conditions)}, with ${saidOf(conditions)}`,
        unselectedIn(items, conditions),
      );
    }
}

/** A value of a filter that the document names, and that no thing of the suite has. */
function namedBeside(
  facts: OperationFacts<Resource>,
  things: Things,
  { parameter: query, name }: FilterValue,
  known: readonly unknown[],
): FilterValue['value'] | undefined {
  const parameter = facts.operation.parameters.find((one) => one.in === 'query' && one.name === query);
  if (parameter === undefined) return undefined;
  const values = known.map((shown) => at(shown, name));
  return otherNamedValues(facts, things, { parameter, name }, values).others.find(isScalar);
}

/** Pairs of filters that one call can have. */
function pairsOf(conditions: readonly FilterValue[]): readonly (readonly FilterValue[])[] {
  const pairs = conditions.flatMap((one, index) => conditions.slice(index + 1).map((other) => [one, other]));
  return pairs.slice(0, MOST_PAIRS);
}
