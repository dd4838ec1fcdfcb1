import { pagesPolicyOf } from '../../contract/index.ts';
import { sorted, sortKeyOf } from '../../contract/policies/sorting.ts';
import type { LooseReply } from '../../engine/handler.ts';
import { paged } from '../samples/example-pages.ts';
import type { Lifecycles } from './lifecycles.ts';
import { type At, isVisible } from './resource-access.ts';
import { totalHeaders, totals } from './thing.ts';

/** The page of a list that a request selects, in the order that it names. */
export function listed(
  { collection, operation, table, call }: At,
  lifecycles: Lifecycles,
): LooseReply | undefined {
  const { input } = call;
  const { filters: stated = {}, sort } = collection.policy;
  const order =
    sort === undefined || input[sort.parameter] === undefined
      ? undefined
      : sortKeyOf(sort, String(input[sort.parameter]), collection.members);
  const filters = operation.parameters.flatMap(({ in: place, name }) => {
    const member = Object.hasOwn(stated, name) ? (stated[name] ?? name) : name;
    const isFilter = place === 'query' && input[name] !== undefined && collection.members.includes(member);
    return isFilter ? [{ member, wanted: input[name] }] : [];
  });
  const found = table
    .rows(collection.parents.within(input))
    .filter((row) => isVisible(collection, row, call))
    .map((row) => lifecycles.settled(collection, table, row, call.now).item)
    .filter((item) => filters.every(({ member, wanted }) => isAmong(item[member], wanted)));
  const items = order === undefined ? found : sorted(found, order);
  const { page, members, headers } = paged(pagesPolicyOf(operation), items, input, call.target);
  const body = collection.lists.body(operation, page, {
    ...totals(collection, operation, items.length),
    ...members,
  });
  call.note(`${String(page.length)} of ${String(items.length)} things`);
  const counted = totalHeaders(operation, items.length);
  return body === undefined ? undefined : { status: 200, headers: { ...counted, ...headers }, body };
}

// --- internal ---

/** Whether a member has the value of a filter, or one of its values. */
function isAmong(value: unknown, wanted: unknown): boolean {
  const texts = (Array.isArray(wanted) ? wanted : [wanted]).map(String);
  return (Array.isArray(value) ? value : [value]).some((each) => texts.includes(String(each)));
}
