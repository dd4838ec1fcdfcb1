import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { BrokenFixture } from '../../scenarios/scenario.ts';
import type { Scenario, Session } from '../../scenarios/scenario.ts';
import { isRead, pathParameters } from '../own-api.ts';
import { kindsOf } from './accepted-credentials.ts';
import { withNewKey } from '../document/input.ts';
import type { Facts } from './facts.ts';
import type { HarmlessCall } from './harmless-calls.ts';

/** A caller that is known and has no access, at the operations that declare that they refuse such a one. */
export function forbiddenScenarios(
  facts: Facts<PolicyOf<'credentials'>>,
  calls: readonly HarmlessCall[],
): readonly Scenario[] {
  // The fixture is a key, which is no credential at all for an operation that takes none.
  const declared = calls.filter(
    ({ operation }) =>
      kindsOf(facts, operation).includes('apiKey') &&
      operation.responses.some(({ status }) => status === '403'),
  );
  const reads = declared.filter(({ operation }) => isRead(operation));
  const writes = declared.filter(({ operation }) => !isRead(operation));
  return [
    ...scenarioOf(facts, reads, 'reads'),
    // One that is withheld must not hold up the others.
    ...writes.flatMap((one) => scenarioOf(facts, [one, ...reads.slice(0, 1)], one.operation.id)),
  ];
}

// --- internal ---

function scenarioOf(
  facts: Facts<PolicyOf<'credentials'>>,
  calls: readonly HarmlessCall[],
  of: string,
): readonly Scenario[] {
  if (calls.length === 0) return [];
  return facts.scenario(['forbidden'], {
    id: `credentials.forbidden.${of}`,
    title: `a caller without access, for ${of}`,
    permissions: calls.every(({ operation }) => isRead(operation)) ? [] : ['negatives', 'writes'],
    needs: ['cred.forbidden'],
    severalCases: facts.ids('forbidden'),
    uses: calls.flatMap(({ found }) => found ?? []),
    requests: Object.fromEntries(
      calls.map(({ operation }) => [
        operation.id,
        facts.api.plan(operation, { as: 'forbidden', times: 2, isInvalid: true, judgesCredential: true }),
      ]),
    ),
    async *run(session: Session) {
      const seen: (readonly [HarmlessCall, Exchange])[] = [];
      for (const call of calls) {
        const options = await call.forms[0]?.(session);
        if (options === undefined) continue;
        for (const sent of [options, withNewKey(call.operation, options, session)])
          if (sent !== undefined) seen.push([call, await session.send(call.operation.id, sent)]);
      }
      const open = seen.filter(([, exchange]) => isSuccess(exchange));
      if (open.length === seen.length)
        throw new BrokenFixture(
          'cred.forbidden',
          'it has access to all operations that were tried',
          seen.map(([, { id }]) => id),
        );
      for (const [{ operation }, exchange] of seen) {
        const { status } = exchange;
        // Some servers hide what a caller must not see, and some read a body first.
        const isHidden = status === 404 && pathParameters(operation).length > 0;
        const isOther = !isSuccess(exchange) && ![401, 403, 404].includes(status);
        if (isHidden || isOther) continue;
        yield* facts.judge('forbidden', exchange, status === 403, '403 for a caller without access');
      }
    },
  });
}
