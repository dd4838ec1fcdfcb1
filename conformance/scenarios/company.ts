import { isSuccess } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { check } from './check.ts';
import type { Check } from './scenario.ts';

/** Refusals that call the request itself wrong. Others may be about its caller, its key, or the capacity. */
export const OF_REQUEST: ReadonlySet<number> = new Set([400, 404, 415, 422]);

/**
 * A request is wrong by itself: one that is accepted alone must not be called wrong because of others beside it.
 *
 * @param answers to requests that were sent at the same time
 * @param alone sends the request with this index once more
 */
export async function* judgeCompany(
  rule: string,
  answers: readonly Exchange[],
  alone: (index: number) => Promise<Exchange>,
): AsyncGenerator<Check> {
  for (const [index, answer] of answers.entries()) {
    if (!OF_REQUEST.has(answer.status)) continue;
    const again = await alone(index);
    if (isSuccess(again))
      yield check(rule, [answer, again], false, 'a success beside others, as alone', String(answer.status));
  }
}
