import type { PolicyOf } from '../../../contract/index.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { MOST_OTHERS, keyedCalls } from './keyed.ts';
import { refusal } from './refusal.ts';

/** A single-use key. */
export function singleUseProbes(
  facts: OperationFacts<Extract<PolicyOf<'idempotency'>, { mode: 'single-use' }>>,
): Probes {
  const { api, operation, policy } = facts;
  const { status, code } = policy.reuse;
  const calls = keyedCalls(api, operation, policy.requestHeader);
  return {
    scenarios: facts.scenario(['used'], {
      id: `idempotency.${operation.id}.reuse`,
      title: `${operation.method.toUpperCase()} ${operation.path}: one key, several times`,
      permissions: ['writes'],
      severalCases: facts.ids('used'),
      requests: calls.requests(2 + MOST_OTHERS),
      async *run(session) {
        const call = await calls.start(session);
        const key = session.freshKey();
        await call.first(key);
        for (const again of [await call.send(key), ...(await call.sendOthers(key))])
          yield* refusal(facts, 'used', again, { status, bucket: code }, 'to a key that was used');
      },
    }),
  };
}
