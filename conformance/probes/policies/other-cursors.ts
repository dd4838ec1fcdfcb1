import type { PolicyOf } from '../../../contract/index.ts';
import { pagesPolicyOf } from '../../../contract/index.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { listThings } from './listed-things.ts';
import { nextPlace } from './pages.ts';
import { isItem } from './resource-parents.ts';
import type { Thing } from './thing.ts';
import type { Things } from './things.ts';

/**
 * A cursor of one caller leads no other caller to what that one has: a page of the first caller ends before a thing of the run,
 * and the other caller asks for what follows it.
 *
 * @param by the planned request of the other caller, and what names that one in it
 */
export async function* judgeCursor(
  facts: OperationFacts<PolicyOf<'resource'>>,
  session: Session,
  things: Things,
  own: readonly Thing[],
  by: { readonly as: string; readonly values: Values },
): AsyncGenerator<Check> {
  const list = things.operation('list');
  const policy = list && pagesPolicyOf(list);
  if (policy?.kind !== 'pagination' || policy.limitParameter === undefined) return;
  const whole = await listThings(things, session, {}, { mostPages: MOST_PAGES });
  const ids = [...whole.ids];
  const [limit] = own
    .map(({ id }) => ids.indexOf(String(id)))
    .filter((index) => index > 0 && index <= policy.maximumLimit);
  if (limit === undefined) return;
  const { pages } = await listThings(things, session, {}, { limit, mostPages: 1 });
  const place = pages[0] && nextPlace(policy, pages[0], { pages: 1, items: limit });
  if (place === undefined) return;
  const seen = await listThings(things, session, by.values, {
    ...{ as: by.as, query: place, limit, mostPages: 1 },
  });
  const shown = own.find((thing) => seen.items.some((item) => isItem(things, thing, item)));
  yield* facts.judge(
    'owned',
    [...pages, ...seen.pages],
    shown === undefined,
    'no thing of the first caller for another one that has its cursor',
    `a page with ${String(shown?.id)}`,
  );
}

/** How many requests of the first caller `judgeCursor` sends. */
export const LISTS_OF_A_CURSOR = 4;

// --- internal ---

const MOST_PAGES = 3;
