import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { msOf } from './durations.ts';
import type { OperationFacts } from './facts.ts';
import { keyedCalls } from './keyed.ts';

/**
 * A used key shortly before the end of its time, and shortly after it: then it is a new one, with a time of its own.
 *
 * @param isKept whether an answer can be one to the known key of an earlier call
 * @param options.tells whether the answer to a new key is never such a one
 */
export function keyWindow(
  facts: OperationFacts<PolicyOf<'idempotency'>>,
  isKept: (first: Exchange, seen: Exchange) => boolean,
  { tells }: { readonly tells: boolean },
): readonly Scenario[] {
  const { api, operation, policy } = facts;
  const windowMs = msOf(policy.window);
  if (windowMs === undefined) return [];
  const calls = keyedCalls(api, operation);
  const margin = windowMs / 24;
  return facts.scenario(['window'], {
    id: `idempotency.${operation.id}.window`,
    title: `${operation.method.toUpperCase()} ${operation.path}: a key before and after ${policy.window}`,
    permissions: ['writes', 'long'],
    budgetMs: windowMs + 3 * margin,
    severalCases: facts.ids('window'),
    requests: calls.requests(6),
    async *run(session) {
      const call = await calls.start(session);
      const key = session.freshKey();
      const first = await call.first(key);
      await session.clock.sleep(windowMs - margin);
      for (let time = 0; time < 2; time += 1) {
        const before = await call.send(key);
        yield* facts.judge(
          'window',
          [first, before],
          isKept(first, before),
          `an answer to a known key shortly before ${policy.window}`,
          sketchAnswer(before),
        );
      }
      await session.clock.sleep(2 * margin);
      const after = await call.send(key);
      const isFresh = isSuccess(after) && !(tells && isKept(first, after));
      if (!isSuccess(after) && !(await call.isOfKey(after)))
        throw new NotExercised('an opportunity', `with any key the call got ${sketchAnswer(after)}`);
      const fresh = `a success, and not a replay, after ${policy.window}`;
      yield* facts.judge('window', [first, after], isFresh, fresh, sketchAnswer(after));
      if (!isFresh) return;
      const again = await call.send(key);
      const known = 'an answer to a known key, after its second first use';
      yield* facts.judge('window', [after, again], isKept(after, again), known, sketchAnswer(again));
    },
  });
}
