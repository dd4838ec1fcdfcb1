import type { PolicyOf } from '../../../contract/index.ts';
import { pagesPolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import { at, isObject, isSuccess } from '../../exchanges/exchange.ts';
import { sketch, sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Check, Scenario, Session } from '../../scenarios/scenario.ts';
import type { OwnApi } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { linkedPage } from './filtered-pages.ts';
import type { ListedBy } from './filtered-pages.ts';
import { isSameWalk, listThings, sizeFor } from './listed-things.ts';
import type { Listed } from './listed-things.ts';
import { itemsOf } from './pages.ts';
import { itemSchema } from './resource-lists.ts';
import type { Things } from './things.ts';
import type { Thing } from './thing.ts';

type Resource = PolicyOf<'resource'>;

/** A list is in the order that its parameter names, also over its pages. */
export function sorted(facts: OperationFacts<Resource>, things: Things): readonly Scenario[] {
  const { operation, policy, api } = facts;
  const { sort } = policy;
  const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === sort?.parameter);
  if (sort === undefined || parameter === undefined) return [];
  const members = propertiesOf(itemSchema(facts, things), api.root).map(([name]) => name);
  const orders = ordersOf(api, parameter.schema)
    .flatMap((value) => orderOf(sort, value, members) ?? [])
    .slice(0, MOST_ORDERS);
  if (orders.length === 0) return [];
  return facts.scenario(['sorted'], {
    id: `resource.${policy.collection}.sorted`,
    title: `GET ${operation.path}: in the order of ${parameter.name}`,
    permissions: ['writes'],
    // A thing that is created between two pages moves the others.
    isUndisturbed: true,
    severalCases: facts.ids('sorted'),
    requests: things.requests({ create: 5, list: orders.length * (2 * (WHOLE_PAGES + SMALL_PAGES + 1) + 1) }),
    async *run(session: Session) {
      const within = await things.within(session);
      // In none of the orders that creation has.
      const made: string[] = [];
      const beginsIn = orders.map(({ member }) => member);
      for (const begin of ['m', 'z', 'a'])
        made.push(String((await things.make(session, within, { begin, beginsIn })).id));
      // Those have equal numbers, and these have others.
      for (const begin of ['z', 'a'])
        made.push(String((await things.make(session, within, { begin, beginsIn, isLarge: true })).id));
      const limit = pagesPolicyOf(operation)?.limitParameter;
      let isTried = false;
      for (const order of orders) {
        for await (const check of judgeOrder(facts, things, session, {
          ...{ order, within, made, isSized: limit !== undefined },
          query: { [parameter.name]: order.value },
        })) {
          isTried = true;
          yield check;
        }
      }
      if (!isTried)
        throw new NotExercised(
          'an opportunity',
          'the list has no two things with values that have one order',
        );
    },
  });
}

// --- internal ---

const MOST_ORDERS = 6;
const WHOLE_PAGES = 3;
const SMALL_PAGES = 3;
const SMALL = 2;

interface Order {
  /** Of the parameter. */
  readonly value: string;
  readonly member: string;
  readonly isDescending: boolean;
}

interface Sorted {
  readonly order: Order;
  readonly within: Thing['within'];
  /** The ids of things that the list has. */
  readonly made: readonly string[];
  readonly query: Readonly<Record<string, Json>>;
  /** Whether pages of another size can be asked for. */
  readonly isSized: boolean;
}

/** In pages of the usual size, and in small ones: these have the same things, also where values are equal. */
async function* judgeOrder(
  facts: OperationFacts<Resource>,
  things: Things,
  session: Session,
  { within, made, isSized, query, ...known }: Sorted,
): AsyncGenerator<Check> {
  const sort = `${facts.policy.sort?.parameter ?? ''}=${known.order.value}`;
  const walk = (paging: { readonly mostPages: number; readonly limit?: number }): Promise<Listed> =>
    listThings(things, session, within, { query, ...paging });
  const whole = await walk({ mostPages: WHOLE_PAGES });
  yield* judgeWalk(facts, whole, { ...known, sort });
  const small = isSized
    ? { mostPages: SMALL_PAGES + 1, limit: sizeFor(whole, SMALL_PAGES, SMALL) }
    : { mostPages: WHOLE_PAGES };
  const parts = isSized ? await walk(small) : whole;
  if (isSized) yield* judgeWalk(facts, parts, { ...known, sort });
  // A server may refuse a page of this size.
  if ([...whole.pages, ...parts.pages].some((page) => !isSuccess(page))) return;
  yield* judgeLinked(facts, { session, things, within }, parts, sort);
  const lacksIn = ({ isAll, ids }: Listed): readonly string[] =>
    isAll ? made.filter((id) => !ids.has(id)) : [];
  const isWrong = (one: Listed): boolean =>
    lacksIn(one).length > 0 || (whole.isAll && !isSameWalk(one, whole));
  if (!isWrong(parts)) return;
  // Other callers may move what is listed, though hardly twice in the same way.
  const [again, still] = [await walk(small), await walk({ mostPages: WHOLE_PAGES })];
  const lost = lacksIn(again);
  if (!isWrong(again) || (lost.length === 0 && !isSameWalk(still, whole))) return;
  yield* facts.judge(
    'sorted',
    [...whole.pages, ...parts.pages, ...again.pages],
    false,
    `all things on the pages with ${sort}, each once`,
    lost.length > 0
      ? `none with the id ${lost.join(', ')}`
      : `${again.items.length} things, ${again.ids.size} of them different`,
  );
}

/** The address in `Link` leads to the page that follows in this order: it keeps the order in some form. */
async function* judgeLinked(
  facts: OperationFacts<Resource>,
  listed: Omit<ListedBy, 'conditions'>,
  { pages: [first, second] }: Listed,
  sort: string,
): AsyncGenerator<Check> {
  const linked = second === undefined ? undefined : await linkedPage(facts, listed, first);
  const [page] = linked?.pages ?? [];
  if (first === undefined || second === undefined || linked === undefined || page === undefined) return;
  const policy = pagesPolicyOf(facts.operation);
  const wanted = (policy && itemsOf(second, policy))?.map((item) => String(listed.things.idIn(item))) ?? [];
  // Other callers may add or remove some of them in the meantime.
  const holds = isSuccess(page) && (wanted.length === 0 || wanted.some((id) => linked.ids.has(id)));
  yield* facts.judge(
    'sorted',
    [first, second, page],
    holds,
    `the page that follows where rel="next" leads, with ${sort}`,
    isSuccess(page) ? `${linked.items.length} other things` : sketchAnswer(page),
  );
}

function* judgeWalk(
  facts: OperationFacts<Resource>,
  { items, pages }: Listed,
  { order, sort }: Pick<Sorted, 'order'> & { readonly sort: string },
): Generator<Check> {
  if (pages.some((page) => !isSuccess(page))) return;
  const values = items.map((item) => at(item, order.member));
  const pairs = values.slice(1).map((value, index) => [values[index], value] as const);
  const known = pairs.filter(([one, other]) => compared(one, other) !== undefined);
  const wrong = known.find(([one, other]) => (compared(one, other) ?? 0) * (order.isDescending ? -1 : 1) > 0);
  if (known.length === 0) return;
  yield* facts.judge(
    'sorted',
    pages,
    wrong === undefined,
    `${order.member} in ${order.isDescending ? 'descending' : 'ascending'} order, with ${sort}`,
    `${sketch(wrong?.[0], 40)} before ${sketch(wrong?.[1], 40)}`,
  );
}

/**
 * Which of two values comes first, if all servers agree: numbers, times, and texts that first differ in two small
 * letters. `undefined` for others: languages and databases sort capitals, digits and signs in several ways.
 */
function compared(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  const times = [one, other].map((text) => (TIME.test(text) ? Date.parse(text) : Number.NaN));
  const [a = Number.NaN, b = Number.NaN] = times;
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const [left = '', right = ''] = [one[place], other[place]];
  const before = one.slice(0, place);
  const isPlain = /^[a-z]$/.test(left) && /^[a-z]$/.test(right) && /^[a-z]*$/.test(before);
  return isPlain ? left.charCodeAt(0) - right.charCodeAt(0) : undefined;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The values of the parameter that the document lists: a server may not sort by each member. */
export function ordersOf(api: OwnApi, schema: unknown): readonly string[] {
  const described = followed(api.root, schema);
  const { enum: listed, items } = isObject(described) ? described : {};
  if (Array.isArray(listed)) return listed.map(String);
  return items === undefined ? [] : ordersOf(api, items);
}

function orderOf(
  { descending, ascending }: NonNullable<Resource['sort']>,
  value: string,
  members: readonly string[],
): Order | undefined {
  if (members.includes(value)) return { value, member: value, isDescending: false };
  for (const [mark, isDescending] of [
    [ascending, false],
    [descending, true],
  ] as const) {
    if (mark === undefined) continue;
    const names = [
      value.startsWith(mark) ? value.slice(mark.length) : '',
      value.endsWith(mark) ? value.slice(0, value.length - mark.length) : '',
    ];
    const member = names.find((name) => members.includes(name));
    if (member !== undefined) return { value, member, isDescending };
  }
  return undefined;
}
