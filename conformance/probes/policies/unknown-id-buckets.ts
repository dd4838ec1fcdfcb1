import { policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { idOfNobody } from '../document/ids.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import { valueKey } from '../document/value-key.ts';
import { isRead, pathParameters, wasAccepted } from '../own-api.ts';
import type { Facts } from './facts.ts';

/** At most so many operations. */
const MOST_READS = 6;

/** Reads of an id that belongs to nothing, where the document declares 404: they have the bucket of this role. */
export function unknownIdScenarios(facts: Facts<PolicyOf<'error-buckets'>>): readonly Scenario[] {
  return facts.api.operations
    .filter(
      (one) =>
        isRead(one) && pathParameters(one).length > 0 && one.responses.some(({ status }) => status === '404'),
    )
    .slice(0, MOST_READS)
    .flatMap((one) => scenarioOf(facts, one));
}

// --- internal ---

function scenarioOf(facts: Facts<PolicyOf<'error-buckets'>>, operation: Operation): readonly Scenario[] {
  const { api, policy, reads } = facts;
  const found = reads.of(operation);
  const last = pathParameters(operation)
    .toSorted(
      (one, other) => operation.path.indexOf(`{${one.name}}`) - operation.path.indexOf(`{${other.name}}`),
    )
    .at(-1);
  const isConditional = policyFor(operation, 'conditional-get') !== undefined;
  return facts.scenario(['roles'], {
    id: `error-buckets.${operation.id}.unknown`,
    title: `${operation.method.toUpperCase()} ${operation.path} with an id of nothing`,
    severalCases: facts.ids('roles'),
    uses: [found],
    requests: { unknown: api.plan(operation, { isInvalid: true, times: 2 }) },
    async *run(session: Session) {
      const { answer, values, missing, why } = await session.obtain(found);
      const id = last && idOfNobody(api, last, session.freshKey);
      if (answer === undefined) throw new NotExercised(missing, why);
      if (last === undefined || id === undefined)
        throw new NotExercised('an opportunity', 'every id that the document allows may exist');
      const sent = serialisedParameters(operation, { ...values, [valueKey(operation, last)]: id });
      const calls = [
        sent.headers,
        ...(isConditional ? [[...sent.headers, ['If-None-Match', '*'] as const]] : []),
      ];
      for (const headers of calls) {
        const seen = await session.send('unknown', { ...sent, headers });
        // Another refusal may have come first.
        if (!wasAccepted(operation, seen) && seen.status !== 404) continue;
        yield* facts.judge(
          'roles',
          seen,
          seen.status === 404 && seen.header(policy.header) === policy.roles.unknownModel,
          `404 with ${policy.roles.unknownModel} in ${policy.header} for an id of nothing`,
        );
      }
    },
  });
}
