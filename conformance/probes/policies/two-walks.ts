import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import type { PagedList } from './paged-lists.ts';
import type { AskPage } from './pagination-whole.ts';
import { itemsOf, keyReader, nextPlace, takesLimit } from './pages.ts';
import type { PagedPolicy } from './pages.ts';

/** A walk leads on as it does alone while another one with larger pages has begun. */
export function twoWalks(
  facts: OperationFacts<PagedPolicy>,
  list: PagedList,
  ask: AskPage,
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  if (policy.kind !== 'pagination' || !SIZES.every((size) => takesLimit(facts, size))) return [];
  const [size, other] = SIZES.map((limit) => ({ [policy.limitParameter]: limit }));
  const keyOf = keyReader(api, operation);
  const keysIn = (page: Exchange): string => (itemsOf(page, policy) ?? []).map(keyOf).join('\n');
  return facts.scenario(['two-walks'], {
    id: `pagination.${operation.id}.two-walks${list.suffix}`,
    title: `GET ${operation.path}: a walk while another one has begun${list.title}`,
    ...list.parts,
    // Other walks of the suite would be further walks.
    isFirst: true,
    requests: { ...list.requests, page: api.plan(operation, { times: 5 * ROUNDS }) },
    async *run(session: Session) {
      if ((await list.values(session)) === undefined) return;
      const followed = async (first: Exchange): Promise<Exchange> => {
        const place = nextPlace(policy, first, { pages: 1, items: itemsOf(first, policy)?.length ?? 0 });
        if (!isSuccess(first) || place === undefined)
          throw new NotExercised('an opportunity', 'the list has only one page');
        return ask(session, { ...place, ...size });
      };
      let seen: readonly Exchange[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const alone = await ask(session, { ...size });
        const usual = await followed(alone);
        const first = await ask(session, { ...size });
        const beside = await ask(session, { ...other });
        const next = await followed(first);
        const isShown = isSuccess(usual) && keysIn(alone) === keysIn(first);
        if (!isShown) throw new NotExercised('an opportunity', 'the list changes while it is read');
        seen = [usual, first, beside, next];
        // A list that changes in between changes once, and not each time.
        if (isSuccess(next) && keysIn(usual) === keysIn(next)) break;
      }
      const [usual, , , next] = seen as readonly [Exchange, Exchange, Exchange, Exchange];
      yield* facts.judge(
        'two-walks',
        seen,
        isSuccess(next) && keysIn(usual) === keysIn(next),
        'the same second page while another walk has begun',
        isSuccess(next) ? 'other items' : `status ${next.status}`,
      );
    },
  });
}

// --- internal ---

/** The sizes of the pages of the two walks. */
const SIZES = [2, 7];
const ROUNDS = 3;
