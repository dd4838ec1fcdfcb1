import type { PolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import type { Check } from '../../scenarios/scenario.ts';
import { isScalar } from '../own-api.ts';
import { isSameValue } from './differing-members.ts';
import type { OperationFacts } from './facts.ts';
import { filterValuesOf, saidOf, sentFilters, unselected } from './filter-values.ts';
import { unselectedIn, wantedBy } from './filtered-pages.ts';
import type { ListedBy } from './filtered-pages.ts';
import { listThings } from './listed-things.ts';
import { ordersOf } from './resource-sorted.ts';
import type { Thing } from './thing.ts';

type Resource = PolicyOf<'resource'>;

/** In an order that the document names, in small pages: each of them has only what the filter selects. */
export async function* judgeInOrder(
  facts: OperationFacts<Resource>,
  { session, things, within }: Omit<ListedBy, 'conditions'>,
  shown: unknown,
): AsyncGenerator<Check> {
  const { operation, policy, api } = facts;
  const parameter = operation.parameters.find(
    (one) => one.in === 'query' && one.name === policy.sort?.parameter,
  );
  const [order] = parameter === undefined ? [] : ordersOf(api, parameter.schema);
  const [condition] = filterValuesOf(facts, things, shown);
  if (parameter === undefined || order === undefined || condition === undefined) return;
  const conditions = [condition];
  const { items, pages } = await listThings(things, session, within, {
    query: { ...sentFilters(conditions), [parameter.name]: order },
    limit: 1,
    mostPages: MOST_PAGES,
  });
  if (!pages.every(isSuccess)) return;
  yield* facts.judge(
    'filtered',
    pages,
    items.every((item) => unselected(item, conditions) === undefined),
    `things whose ${wantedBy(conditions)}, with ${saidOf(conditions)} and ${parameter.name}=${order}`,
    unselectedIn(items, conditions),
  );
}

/** A filter selects by what a thing has now, and not by what it had before a change. */
export async function* judgeChanged(
  facts: OperationFacts<Resource>,
  { session, things, within, thing }: Omit<ListedBy, 'conditions'> & { readonly thing: Thing },
  shown: unknown,
): AsyncGenerator<Check> {
  const role = (['patch', 'replace'] as const).find((one) => things.operation(one) !== undefined);
  if (role === undefined || things.operation('read') === undefined) return;
  const others = new Map(
    things.bodies.otherMembers(role, thing.sent).map(({ name, bodies }) => [name, bodies]),
  );
  for (const { parameter, name, value } of filterValuesOf(facts, things, shown)) {
    let seen: Exchange | undefined;
    for (const body of others.get(name) ?? []) {
      seen = await things.call(session, role, thing.values, { body });
      if (isSuccess(seen)) break;
    }
    if (seen === undefined || !isSuccess(seen) || seen.status === 202) continue;
    const now = at(things.shownIn(await things.call(session, 'read', thing.values)), name);
    if (!isScalar(now) || now === value) continue;
    for (const one of [value, now]) {
      const conditions = [{ parameter, name, value: one }];
      const list = await listThings(things, session, within, {
        query: sentFilters(conditions),
        mostPages: WHOLE_PAGES,
      });
      if (!list.isAll || !list.pages.every(isSuccess)) continue;
      const isRight = list.ids.has(String(thing.id)) === (one === now);
      // A list that shows the former value without a filter as well is another fault: it lists what was.
      if (!isRight && (await isListedAsBefore({ session, things, within }, thing, name, now))) return;
      yield* facts.judge(
        'filtered',
        [seen, ...list.pages.slice(-1)],
        isRight,
        `a list ${one === now ? 'with' : 'without'} ${String(thing.id)}, whose ${name} is ${sketch(now, 40)} now, with ${saidOf(conditions)}`,
        `${list.ids.size} things ${one === now ? 'without' : 'with'} it`,
      );
      if (!isRight) return;
    }
  }
}

/** How many pages of a list are read to know all of it. */
export const WHOLE_PAGES = 12;

// --- internal ---

const MOST_PAGES = 3;

async function isListedAsBefore(
  { session, things, within }: Omit<ListedBy, 'conditions'>,
  { id }: Thing,
  name: string,
  now: unknown,
): Promise<boolean> {
  const { items } = await listThings(things, session, within, { mostPages: WHOLE_PAGES });
  const listed = at(
    items.find((item) => String(things.idIn(item)) === String(id)),
    name,
  );
  return listed !== undefined && !isSameValue(listed, now);
}
