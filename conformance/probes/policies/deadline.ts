import type { PolicyOf } from '../../../contract/index.ts';
import { policyFor } from '../../../contract/index.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Session } from '../../scenarios/scenario.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { callWith } from './keyed.ts';
import { requiredValues } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { formOfGiven } from '../document/values.ts';
import { written } from '../document/wire-body.ts';
import { refusal } from './refusal.ts';

/**
 * How long the server holds a call. Only a slow call shows it, so the fixtures file has to name a body for
 * one.
 */
export function deadlineProbes(facts: OperationFacts<PolicyOf<'deadline'>>): Probes {
  const { api, operation, policy } = facts;
  const made = new MadeResources(api, operation);
  const fixture = `${operation.id}.slow`;
  return {
    scenarios: facts.scenario(['expired'], {
      id: `deadline.${operation.id}`,
      title: `${operation.method.toUpperCase()} ${operation.path}: a call beyond the deadline`,
      permissions: ['writes', 'slow'],
      requests: { ...made.requests(), call: api.plan(operation, { judgesRefusal: true }) },
      async *run(session: Session) {
        const body = session.fixtures.bodies?.[fixture];
        if (body === undefined)
          throw new NotExercised(
            `bodies.${fixture}`,
            'needs a body of a call that takes longer than the deadline',
          );
        const known = await made.values(session);
        const values = requiredValues(api, operation, session, known);
        const header = policyFor(operation, 'idempotency')?.requestHeader;
        const form = formOfGiven(api, operation, body);
        const text = form === undefined ? JSON.stringify(body) : written(body, form);
        const sent = callWith(operation, values, text, form?.mediaType ?? 'application/json');
        const key = header === undefined ? [] : [[header, session.freshKey()] as const];
        const seen = await session.send('call', { ...sent, headers: [...(sent.headers ?? []), ...key] });
        yield* refusal(facts, 'expired', seen, policy, 'at the deadline');
      },
    }),
  };
}
