import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { OperationFacts } from './facts.ts';
import type { PagedList } from './paged-lists.ts';
import type { AskPage } from './pagination-whole.ts';
import { itemsOf, keyReader, told } from './pages.ts';
import type { PagedPolicy } from './pages.ts';

/** A place that no page has given: a made-up cursor, or a place before the first page. */
export function noSuchPage(
  facts: OperationFacts<PagedPolicy>,
  list: PagedList,
  ask: AskPage,
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const places = placesOfNoPage(policy);
  const [place] = places;
  if (place === undefined) return [];
  const keyOf = keyReader(api, operation);
  const name = policy.kind === 'pagination' ? 'made-up-cursor' : 'no-such-page';
  return facts.scenario([name], {
    id: `pagination.${operation.id}.no-such-page${list.suffix}`,
    title: `GET ${operation.path}: ${place.join('=')}${list.title}`,
    ...list.parts,
    permissions: [...(list.parts.permissions ?? []), 'negatives'],
    requests: {
      ...list.requests,
      page: api.plan(operation, { times: 1 + places.length, isInvalid: true }),
    },
    async *run(session: Session) {
      if ((await list.values(session)) === undefined) return;
      const first = await ask(session, {});
      const own = itemsOf(first, policy)?.map(keyOf);
      if (!isSuccess(first) || own === undefined || own.length === 0)
        throw new NotExercised('an opportunity', 'the list has no items');
      const isFirst = (seen: Exchange): boolean => {
        const items = itemsOf(seen, policy)?.map(keyOf) ?? [];
        return isSuccess(seen) && items.length > 0 && items.every((item) => own.includes(item));
      };
      const isRight = (seen: Exchange): boolean =>
        (seen.status >= 400 && seen.status < 500) ||
        (isSuccess(seen) &&
          // An offset or a number before the first page may be read as the first one.
          (policy.kind === 'pagination'
            ? !isFirst(seen)
            : isFirst(seen) || itemsOf(seen, policy)?.length === 0));
      const answers: Exchange[] = [];
      for (const [parameter, value] of places) answers.push(await ask(session, { [parameter]: value }));
      const wrong = answers.find((seen) => !isRight(seen) && !isFirst(seen)) ?? answers.at(-1) ?? first;
      yield* facts.judge(
        name,
        [first, ...answers.filter((seen) => seen !== wrong), wrong],
        answers.some(isRight) && answers.every((seen) => isRight(seen) || isFirst(seen)),
        policy.kind === 'pagination'
          ? 'a refusal (4xx), or no item of the first page'
          : 'a refusal (4xx), no item, or the first page',
        isSuccess(wrong) ? told(wrong, policy) : sketchAnswer(wrong),
      );
    },
  });
}

// --- internal ---

type PlaceOfPage = readonly [name: string, value: string | number];

/**
 * A server may read a cursor as the last item of the page before: then a cursor before all items rightly leads to the first
 * page, and one behind all of them does not.
 */
function placesOfNoPage(policy: PagedPolicy): readonly PlaceOfPage[] {
  if (policy.kind === 'pagination')
    return ['0-no-such-cursor', 'zz-no-such-cursor'].map((value) => [policy.cursorParameter, value]);
  const { pageParameter, offsetParameter, firstPage = 1 } = policy;
  if (pageParameter !== undefined) return [[pageParameter, firstPage - 1]];
  return offsetParameter === undefined ? [] : [[offsetParameter, -1]];
}
