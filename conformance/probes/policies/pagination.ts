import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { canonical } from '../../canonical-json.ts';
import { isObject, isSuccess, member } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Session } from '../../scenario.ts';
import { sketch, sketchAnswer } from '../../sketch.ts';
import { idOf } from '../document/ids.ts';
import { inputFor, requiredValues } from '../document/input.ts';
import { spelled } from '../document/spelling.ts';
import type { OperationFacts, Probes } from './facts.ts';

/** A list with pages and cursors. */
export function paginationProbes(facts: OperationFacts<PolicyOf<'pagination'>>): Probes {
  const { api, operation, policy, reads } = facts;
  const { page: names, limitParameter, cursorParameter, defaultLimit, maximumLimit } = policy;
  const found = reads.of(operation);
  const parameter = operation.parameters.find(({ name }) => name === limitParameter);
  const ask = async (session: Session<'page'>, query: Readonly<Record<string, Json>>): Promise<Exchange> => {
    const { answer, values, missing, why } = await session.obtain(found);
    if (answer === undefined) throw new NotExercised(missing, why);
    const required = requiredValues(api, operation, session, values);
    return session.send('page', {
      ...inputFor(api, operation, session, values),
      ...spelled(operation, { ...required, ...query }),
    });
  };
  const sizeOf = (seen: Exchange): number | undefined => {
    const items = member(seen.json, names.items);
    return Array.isArray(items) ? items.length : undefined;
  };
  const isPageOf = (seen: Exchange, limit: number): boolean =>
    isSuccess(seen) && member(seen.json, names.limit) === limit && (sizeOf(seen) ?? limit + 1) <= limit;
  const isEndTold = (seen: Exchange): boolean => {
    const [more, next] = [member(seen.json, names.more), member(seen.json, names.next)];
    return more === true
      ? typeof next === 'string' && next !== ''
      : more === false && (next === undefined || next === null);
  };
  return {
    scenarios: [
      ...facts.scenario(['limit-default', 'limit', 'limit-clamped', 'more'], {
        id: `pagination.${operation.id}.limits`,
        title: `GET ${operation.path}: sizes of pages`,
        uses: [found],
        severalCases: facts.ids('more'),
        requests: { page: api.plan(operation, { times: 3 }) },
        async *run(session) {
          const cases: readonly (readonly [string, Readonly<Record<string, Json>>, number])[] = [
            ['limit-default', {}, defaultLimit],
            ['limit', { [limitParameter]: 1 }, 1],
            ['limit-clamped', { [limitParameter]: maximumLimit + 1 }, maximumLimit],
          ];
          for (const [name, query, limit] of cases) {
            const value = query[limitParameter];
            // What the schema of the parameter forbids is refused rightly.
            if (value !== undefined && parameter !== undefined && api.misfits(parameter, value).length > 0)
              continue;
            const seen = await ask(session, query);
            yield* facts.judge(
              name,
              seen,
              isPageOf(seen, limit),
              `a page with ${names.limit} ${limit} and at most as many items`,
              told(seen, policy),
            );
            yield* facts.judge(
              'more',
              seen,
              isEndTold(seen),
              `${names.next} exactly where ${names.more} is true`,
              told(seen, policy),
            );
          }
        },
      }),
      ...facts.scenario(['walk', 'more'], {
        id: `pagination.${operation.id}.walk`,
        title: `GET ${operation.path}: from page to page`,
        uses: [found],
        severalCases: facts.ids('walk', 'more'),
        requests: { page: api.plan(operation, { times: MOST_PAGES }) },
        async *run(session) {
          const seen: Exchange[] = [];
          const items: string[] = [];
          let query: Readonly<Record<string, Json>> = { [limitParameter]: 1 };
          for (let page = 0; page < MOST_PAGES; page += 1) {
            const exchange = await ask(session, query);
            seen.push(exchange);
            yield* facts.judge(
              'more',
              exchange,
              isEndTold(exchange),
              `${names.next} exactly where ${names.more} is true`,
              told(exchange, policy),
            );
            const list = member(exchange.json, names.items);
            const isPage = isSuccess(exchange) && Array.isArray(list);
            const own = (isPage ? (list as unknown[]) : []).map(keyOf);
            const isNew = own.every((item) => !items.includes(item));
            if (page > 0)
              yield* facts.judge(
                'walk',
                seen.slice(-2),
                isPage && isNew,
                'a page of items that no page before had',
                `${sketchAnswer(exchange)}${isNew ? '' : ', with an item of an earlier page'}`,
              );
            items.push(...own);
            const [more, next] = [member(exchange.json, names.more), member(exchange.json, names.next)];
            if (more !== true || typeof next !== 'string') break;
            query = { [limitParameter]: 1, [cursorParameter]: next };
          }
          if (seen.length < 2)
            throw new NotExercised('an occasion', 'the list has one page, even with one item on each');
        },
      }),
    ],
  };
}

// --- internal ---

const MOST_PAGES = 6;

/** What tells items apart: their id, or all of them. */
function keyOf(item: unknown): string {
  const id = isObject(item) ? idOf(item, 'id') : undefined;
  return canonical(id ?? item) ?? '';
}

function told({ json, status }: Exchange, { page }: PolicyOf<'pagination'>): string {
  const items = member(json, page.items);
  const count = Array.isArray(items) ? `${items.length} items` : `no list ${page.items}`;
  return `${status} with ${count}, ${[page.limit, page.more, page.next].map((name) => `${name} ${sketch(member(json, name), 40)}`).join(', ')}`;
}
