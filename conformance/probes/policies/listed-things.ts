import { pagesPolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { itemsIn } from '../document/ids.ts';
import type { Values } from '../own-api.ts';
import { listsIds } from './listed-ids.ts';
import { nextPlace } from './pages.ts';
import type { ListOptions } from './thing.ts';
import type { Things } from './things.ts';

/** A walk through a list. */
export interface Listed {
  readonly ids: ReadonlySet<string>;
  readonly items: readonly unknown[];
  readonly pages: readonly Exchange[];
  /** Whether this is the whole list as far as can be known. */
  readonly isAll: boolean;
}

/** Searches the list for things, page by page. */
export async function listThings(
  things: Things,
  session: Session,
  within: Values,
  { as = 'list', query = {}, limit: own, mostPages = MOST_PAGES }: ListOptions = {},
): Promise<Listed> {
  const list = things.operation('list') as Operation;
  const policy = pagesPolicyOf(list);
  const limit = list.parameters.find(({ name }) => name === policy?.limitParameter);
  const most = own ?? policy?.maximumLimit ?? 1;
  const isTaken = own !== null && limit !== undefined && things.api.misfits(limit, most).length === 0;
  const size: Values = isTaken ? { [limit.name]: most } : {};
  const [ids, all, pages] = [new Set<string>(), [] as unknown[], [] as Exchange[]];
  let place: Values | undefined = {};
  let count = 0;
  while (place !== undefined && pages.length < mostPages) {
    const seen: Exchange = await things.send(
      session,
      as,
      list,
      { ...within, ...query, ...size, ...place },
      {},
    );
    pages.push(seen);
    const items = itemsShown(things, list, seen);
    if (!isSuccess(seen) || items === undefined) return { ids, items: all, pages, isAll: false };
    const found = items.map((item) => things.idIn(item));
    if (
      found.length > 0 &&
      found.every((id) => id === undefined) &&
      !listsIds(things.api, list, seen.status, things.roles.member)
    )
      throw new NotExercised('an opportunity', `the items of ${list.id} have no ${things.roles.member}`);
    all.push(...items);
    for (const id of found) ids.add(String(id));
    count += items.length;
    if (policy === undefined) return { ids, items: all, pages, isAll: !mayBePaged(list, seen) };
    place = items.length === 0 ? undefined : nextPlace(policy, seen, { pages: pages.length, items: count });
  }
  return { ids, items: all, pages, isAll: place === undefined };
}

/** The size of pages of which so many have the whole list; the least one if its length is not known. */
export function sizeFor({ isAll, items }: Listed, pages: number, least: number): number {
  return isAll ? Math.max(least, Math.ceil(items.length / pages)) : least;
}

/** Whether a walk shows the things of a whole list, each as often; some of them, each once, if it has not come to the end. */
export function isSameWalk(one: Listed, whole: Listed): boolean {
  const isAsLong = one.items.length === whole.items.length && one.ids.size === whole.ids.size;
  const isOnce = one.items.length === one.ids.size || whole.items.length > whole.ids.size;
  return (one.isAll ? isAsLong : isOnce) && [...one.ids].every((id) => whole.ids.has(id));
}

// --- internal ---

const MOST_PAGES = 20;

function itemsShown({ roles }: Things, list: Operation, seen: Exchange): readonly unknown[] | undefined {
  const { items } = roles;
  if (items === undefined) return itemsIn(list, seen.json);
  const named = at(seen.json, items);
  return Array.isArray(named) ? (named as unknown[]) : undefined;
}

/** Whether a list without a pagination policy looks paginated. */
function mayBePaged({ parameters }: Operation, seen: Exchange): boolean {
  const isPlace = /page|cursor|offset|limit|size|after|before|start|skip|token|count|top/i;
  return (
    parameters.some(({ in: place, name }) => place === 'query' && isPlace.test(name)) ||
    seen.header('link') !== undefined
  );
}
