import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { ANOTHER_WAY, MOST_OTHERS, keyedCalls } from './keyed.ts';
import { keyWindow } from './key-window.ts';
import { refusal } from './refusal.ts';
import { withoutKey } from './without-key.ts';

/** A single-use key. */
export function singleUseProbes(
  facts: OperationFacts<Extract<PolicyOf<'idempotency'>, { mode: 'single-use' }>>,
): Probes {
  const { api, operation, policy } = facts;
  const { status, code } = policy.reuse;
  const calls = keyedCalls(api, operation, policy.requestHeader);
  const title = `${operation.method.toUpperCase()} ${operation.path}`;
  return {
    scenarios: [
      ...facts.scenario(['used'], {
        id: `idempotency.${operation.id}.reuse`,
        title: `${title}: one key, several times`,
        permissions: ['writes'],
        severalCases: facts.ids('used'),
        requests: calls.requests(3 + MOST_OTHERS),
        async *run(session) {
          const call = await calls.start(session);
          const key = session.freshKey();
          await call.first(key);
          const again = [await call.send(key), await call.send(key, ANOTHER_WAY)];
          for (const seen of [...again, ...(await call.sendOthers(key))])
            yield* refusal(facts, 'used', seen, { status, bucket: code }, 'to a key that was used');
        },
      }),
      ...facts.scenario(['used'], {
        id: `idempotency.${operation.id}.race`,
        title: `${title}: one key, several times at once`,
        permissions: ['writes'],
        requests: calls.requests(RACES * AT_ONCE),
        async *run(session) {
          const call = await calls.start(session);
          for (let time = 0; time < RACES; time += 1) {
            const seen = await call.race(session.freshKey(), AT_ONCE);
            const made = seen.filter(isSuccess).length;
            if (made === 0) throw new NotExercised(`bodies.${operation.id}`, 'no call was accepted');
            yield* facts.judge('used', seen, made === 1, 'one success', `${made} successes with one key`);
          }
        },
      }),
      ...keyWindow(facts, (_, seen) => seen.status === status, { tells: true }),
      ...withoutKey(facts),
    ],
  };
}

// --- internal ---

const RACES = 3;
const AT_ONCE = 3;
