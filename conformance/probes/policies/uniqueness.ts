import type { PolicyOf } from '../../../contract/index.ts';
import { policyFor } from '../../../contract/index.ts';
import { NotExercised } from '../../scenario.ts';
import type { Session } from '../../scenario.ts';
import { requiredValues } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { bodyFor } from '../document/values.ts';
import { freshAt } from '../document/variants.ts';
import { written } from '../document/wire-body.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { callWith, needed } from './keyed.ts';

/** A value that may be given once only. */
export function uniquenessProbes(facts: OperationFacts<PolicyOf<'uniqueness'>>): Probes {
  const { api, operation, policy } = facts;
  const made = new MadeResources(api, operation);
  return {
    scenarios: facts.scenario(['taken'], {
      id: `uniqueness.${operation.id}`,
      title: `${operation.method.toUpperCase()} ${operation.path}: the same ${policy.member} twice`,
      permissions: ['writes'],
      severalCases: facts.ids('taken'),
      requests: { ...made.requests(), call: api.plan(operation, { times: 3 }) },
      async *run(session: Session) {
        const known = await made.values(session);
        const body = bodyFor(api, operation, session.fixtures);
        if (body === undefined) throw new NotExercised(`bodies.${operation.id}`, 'needs a body');
        const text = written(freshAt(api, operation, body.value, policy.member, session.freshKey), body);
        const header = policyFor(operation, 'idempotency')?.requestHeader;
        const send = () => {
          const sent = callWith(
            operation,
            requiredValues(api, operation, session, known),
            text,
            body.mediaType,
          );
          const headers = sent.headers ?? [];
          const isKeyed = headers.some(([name]) => name.toLowerCase() === header?.toLowerCase());
          const key = header === undefined || isKeyed ? [] : [[header, session.freshKey()] as const];
          return session.send('call', { ...sent, headers: [...headers, ...key] });
        };
        const first = needed(operation, await send());
        for (let time = 0; time < 2; time += 1) {
          const again = await send();
          yield* facts.judge(
            'taken',
            [first, again],
            again.status >= 400 && again.status < 500,
            'a refusal (4xx) of every later one',
          );
        }
      },
    }),
  };
}
