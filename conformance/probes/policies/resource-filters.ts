import type { PolicyOf } from '../../../contract/index.ts';
import { lifecyclesOf, pagesPolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import { isScalar } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { MOST_OTHER_VALUES, judgeOtherValues } from './filter-values.ts';
import { linkedQuery } from './pages.ts';
import { listThings } from './listed-things.ts';
import { filteredMove } from './moved-thing.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

type Resource = PolicyOf<'resource'>;

/** A list with a filter contains what matches it, and nothing else. */
export function filtered(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy } = facts;
  const filters = Object.entries(policy.filters ?? {}).slice(0, MOST_FILTERS);
  if (filters.length === 0 || things.operation('create') === undefined) return [];
  const pages = WHOLE_PAGES + SMALL_PAGES;
  const move = filteredMove(facts, things);
  return facts.scenario(['filtered'], {
    id: `resource.${policy.collection}.filtered`,
    title: `GET ${operation.path}: only what a filter selects`,
    permissions: ['writes'],
    // Totals of several pages are compared.
    isUndisturbed: true,
    severalCases: facts.ids('filtered'),
    requests: {
      ...things.requests({
        create: 14,
        read: 4 + 3 * filters.length,
        list: (3 * (pages + 1) + MOST_OTHER_VALUES) * filters.length,
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
      const all: unknown[] = [];
      for (const [index, thing] of made.entries()) {
        const isMoved = index > 1;
        const shown = await shownOf(session, things, thing, isMoved);
        all.push(shown);
        for (const [parameter, name] of filters) {
          if (isMoved && name !== move?.member) continue;
          const value = at(shown, name);
          const declared = operation.parameters.find((one) => one.in === 'query' && one.name === parameter);
          const isTaken =
            isScalar(value) && declared !== undefined && facts.api.misfits(declared, value).length === 0;
          if (!isTaken) continue;
          isTried = true;
          yield* judgeFilter(facts, { session, things, thing, within, parameter, name, value });
        }
      }
      for (const [query, name] of filters) {
        const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === query);
        const known = all.map((shown) => at(shown, name));
        if (parameter !== undefined)
          yield* judgeOtherValues(facts, { session, things, within, parameter, name, known });
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

const MOST_FILTERS = 4;
const WHOLE_PAGES = 12;

/** A filter can be forgotten on a later page. */
const SMALL_PAGES = 3;
const SMALL = 1;

interface Filtered {
  readonly session: Session;
  readonly things: Things;
  readonly thing: Thing;
  readonly within: Thing['values'];
  readonly parameter: string;
  readonly name: string;
  readonly value: string | number | boolean;
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
  { session, things, thing, within, parameter, name, value }: Filtered,
): AsyncGenerator<Check> {
  const query = { [parameter]: value };
  const said = `${parameter}=${sketch(value, 40)}`;
  const whole = await listThings(things, session, within, { query, mostPages: WHOLE_PAGES });
  const limit = pagesPolicyOf(facts.operation)?.limitParameter;
  const small =
    limit === undefined
      ? undefined
      : await listThings(things, session, within, { query, limit: SMALL, mostPages: SMALL_PAGES });
  for (const { items, pages } of small === undefined ? [whole] : [whole, small]) {
    const refused = pages.find((page) => !isSuccess(page));
    const other = items.find((item) => isOther(at(item, name), value));
    yield* facts.judge(
      'filtered',
      refused ?? pages,
      refused === undefined && other === undefined,
      `things whose ${name} is ${sketch(value, 40)}, with ${said}`,
      refused === undefined ? `one whose ${name} is ${sketch(at(other, name), 40)}` : sketchAnswer(refused),
    );
  }
  yield* judgeTotal(facts, whole, said);
  yield* judgeLink(facts, { session, things, within, name, value, said }, small?.pages[0]);
  // A state may have changed by itself in the meantime.
  const isStill = !isState(facts, name) || at(await nowOf(session, things, thing), name) === value;
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

/** The stated total counts what the filter selects. */
function* judgeTotal(
  facts: OperationFacts<Resource>,
  { items, pages, isAll }: Awaited<ReturnType<typeof listThings>>,
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

/** The page to which `Link` leads contains nothing else either: its address keeps the filter in some form. */
async function* judgeLink(
  facts: OperationFacts<Resource>,
  {
    session,
    things,
    within,
    name,
    value,
    said,
  }: Pick<Filtered, 'session' | 'things' | 'within' | 'name' | 'value'> & { readonly said: string },
  page: Exchange | undefined,
): AsyncGenerator<Check> {
  const policy = pagesPolicyOf(facts.operation);
  const query = page === undefined || policy?.link !== true ? undefined : linkedQuery(page);
  if (query === undefined || page === undefined) return;
  const parameters = facts.operation.parameters.filter(({ in: place }) => place === 'query');
  // The suite sends declared parameters only.
  if (![...query.keys()].every((key) => parameters.some((one) => one.name === key))) return;
  const { items, pages } = await listThings(things, session, within, {
    query: Object.fromEntries(query),
    limit: null,
    mostPages: 1,
  });
  const other = items.find((item) => isOther(at(item, name), value));
  yield* facts.judge(
    'filtered',
    [page, ...pages],
    other === undefined,
    `things whose ${name} is ${sketch(value, 40)} where rel="next" leads, with ${said}`,
    `one whose ${name} is ${sketch(at(other, name), 40)}, at ${page.header('link') ?? ''}`,
  );
}

/** Whether an item shows another value than a filter asks for; one of several values is enough. */
function isOther(shown: unknown, wanted: Filtered['value']): boolean {
  if (shown === undefined) return false;
  return ![shown].flat().some((each) => String(each) === String(wanted));
}
