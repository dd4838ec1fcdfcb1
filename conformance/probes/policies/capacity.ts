import type { PolicyOf } from '../../../contract/index.ts';
import { policyFor } from '../../../contract/index.ts';
import { isSuccess } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import { neverSent } from './facts.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { keyedCalls } from './keyed.ts';
import { refusal } from './refusal.ts';

/** How many calls of one caller may run at once. */
export function capacityProbes(facts: OperationFacts<PolicyOf<'capacity'>>): Probes {
  const { api, operation, policy } = facts;
  const { calls: most } = policy;
  if (most === undefined || most > MOST_CALLS)
    return { scenarios: neverSent(facts, ['calls'], `no more than ${MOST_CALLS} calls are sent at once`) };
  const calls = keyedCalls(api, operation, policyFor(operation, 'idempotency')?.requestHeader);
  return {
    scenarios: facts.scenario(['calls'], {
      id: `capacity.${operation.id}`,
      title: `${operation.method.toUpperCase()} ${operation.path}: more at once than may be`,
      permissions: ['writes'],
      fillsCapacity: true,
      requests: calls.requests(most + 2),
      async *run(session) {
        const call = await calls.start(session);
        const seen = await call.race(session.freshKey, most + 2);
        const refused = seen.filter((one) => one.answer !== undefined && !isSuccess(one));
        for (const one of refused) {
          yield* refusal(facts, 'calls', one, policy, 'to a call too many');
        }
        if (refused.length === 0)
          throw new NotExercised(
            'an occasion',
            `of ${most + 2} calls sent at once, no more than ${most} ran at the same time`,
          );
      },
    }),
  };
}

// --- internal ---

/** More calls at once are no test, but a load. */
const MOST_CALLS = 50;
