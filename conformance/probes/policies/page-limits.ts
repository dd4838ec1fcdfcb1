import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import type { AskPage } from './pagination-whole.ts';
import type { PagedList } from './paged-lists.ts';
import { itemsOf, namesOf, takesLimit, told } from './pages.ts';
import type { PagedPolicy } from './pages.ts';

/** Limits that the document forbids: a server may refuse them, or serve a page whose size is valid. */
export function forbiddenLimits(
  facts: OperationFacts<PagedPolicy>,
  list: PagedList,
  ask: AskPage,
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const { limitParameter, maximumLimit } = policy;
  const limits = [maximumLimit + 1, 0].filter((limit) => !takesLimit(facts, limit));
  if (limits.length === 0) return [];
  return facts.scenario(['limit'], {
    id: `pagination.${operation.id}.forbidden${list.suffix}`,
    title: `GET ${operation.path}: limits that the document forbids${list.title}`,
    ...list.parts,
    permissions: [...(list.parts.permissions ?? []), 'negatives'],
    severalCases: facts.ids('limit'),
    requests: { ...list.requests, page: api.plan(operation, { times: limits.length, isInvalid: true }) },
    async *run(session: Session) {
      if ((await list.values(session)) === undefined) return;
      for (const limit of limits) {
        const seen = await ask(session, { [limitParameter]: limit });
        const { limit: name } = namesOf(policy);
        const size = isSuccess(seen) && name !== undefined ? at(seen.json, name) : undefined;
        const count = isSuccess(seen) ? (itemsOf(seen, policy)?.length ?? 0) : 0;
        yield* facts.judge(
          'limit',
          seen,
          count <= maximumLimit && !(typeof size === 'number' && (size < 1 || size > maximumLimit)),
          `a refusal of the limit ${limit}, or a page of 1 to ${maximumLimit} items`,
          told(seen, policy),
        );
      }
    },
  });
}
