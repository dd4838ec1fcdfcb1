import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import { keyedCalls } from './keyed.ts';

/** How answers tell that they are replays, if they tell it. */
interface Marking {
  readonly isMarked: (seen: Exchange) => boolean;
  /** Both as the end of a sentence. */
  readonly unmarked: string;
  readonly markOf: (seen: Exchange) => string;
}

const NO_MARKS: Marking = { isMarked: () => false, unmarked: '', markOf: () => '' };

/** Calls without a key, where the document does not require one: each of them is made. */
export function withoutKey(
  facts: OperationFacts<PolicyOf<'idempotency'>>,
  { isMarked, unmarked, markOf }: Marking = NO_MARKS,
): readonly Scenario[] {
  const { api, operation } = facts;
  const calls = keyedCalls(api, operation);
  return facts.scenario(['no-key'], {
    id: `idempotency.${operation.id}.no-key`,
    title: `${operation.method.toUpperCase()} ${operation.path}: without a key`,
    permissions: ['writes'],
    severalCases: facts.ids('no-key'),
    requests: calls.requests(5),
    async *run(session) {
      const call = await calls.start(session);
      await call.first(session.freshKey());
      for (const each of [call, await calls.start(session)]) {
        const seen = await each.sendWithoutKey();
        if (!isSuccess(seen) && !(await each.isOfKey(seen))) continue;
        yield* facts.judge(
          'no-key',
          seen,
          isSuccess(seen) && !isMarked(seen),
          `a success${unmarked}`,
          `${sketchAnswer(seen)}${markOf(seen)}`,
        );
      }
    },
  });
}
