import type { PolicyOf } from '../../../contract/index.ts';
import type { Session } from '../../scenarios/scenario.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { MadeResources } from '../document/made.ts';
import { callOn, occasionInput, onOccasion } from '../document/occasions.ts';
import { refusal } from './refusal.ts';

/**
 * How long the server holds a call. Only a slow call shows it, so the fixtures file has to name
 * one.
 */
export function deadlineProbes(facts: OperationFacts<PolicyOf<'deadline'>>): Probes {
  const { api, operation, policy } = facts;
  const made = new MadeResources(api, operation);
  return {
    scenarios: facts.scenario(['expired'], {
      id: `deadline.${operation.id}`,
      title: `${operation.method.toUpperCase()} ${operation.path}: a call beyond the deadline`,
      permissions: ['writes', 'slow'],
      requests: { ...made.requests(), call: api.plan(operation, { judgesRefusal: true }) },
      async *run(session: Session) {
        const slow = callOn('slow', operation, session);
        const own = onOccasion(session, operation, 'slow', slow);
        const sent = occasionInput(api, operation, own, slow, await made.values(session));
        const seen = await own.send('call', sent);
        yield* refusal(facts, 'expired', seen, policy, 'at the deadline');
      },
    }),
  };
}
