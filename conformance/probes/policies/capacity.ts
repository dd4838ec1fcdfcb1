import type { PolicyOf } from '../../../contract/index.ts';
import { policyFor } from '../../../contract/index.ts';
import { isSuccess } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
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
      severalCases: facts.ids('calls'),
      requests: calls.requests(TRIES * (most + 2) + MOST_LOOKS),
      async *run(session) {
        const call = await calls.start(session);
        let refused: readonly Exchange[] = [];
        for (let time = 0; time < TRIES && refused.length === 0; time += 1) {
          const seen = await call.race(session.freshKey, most + 2);
          refused = seen.filter((one) => one.answer !== undefined && !isSuccess(one));
        }
        for (const one of refused) yield* refusal(facts, 'calls', one, policy, 'to a call too many');
        if (refused.length === 0)
          throw new NotExercised(
            'an occasion',
            `of ${most + 2} calls sent at once, no more than ${most} ran at the same time`,
          );
        // Refused calls hold nothing, and ended ones no longer do.
        let last = await call.send(session.freshKey());
        for (let look = 1; look < MOST_LOOKS && last.status === policy.status; look += 1) {
          await session.clock.sleep(PAUSE_MS);
          last = await call.send(session.freshKey());
        }
        yield* facts.judge(
          'calls',
          [...refused, last],
          last.status !== policy.status,
          `a call that is not refused with ${policy.status}, after all others have ended`,
        );
      },
    }),
  };
}

// --- internal ---

const TRIES = 3;
const MOST_LOOKS = 5;
const PAUSE_MS = 250;

/** More calls at once are no test, but a load. */
const MOST_CALLS = 50;
