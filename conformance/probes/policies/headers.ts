import type { PolicyOf } from '../../../contract/index.ts';
import type { Facts, Probes } from './facts.ts';

/** Headers of every answer. */
export function headerProbes(facts: Facts<PolicyOf<'headers'>>): Probes {
  const { api, policy } = facts;
  const { requestId } = policy;
  if (requestId === undefined) return {};
  return {
    oracles: facts.oracle(['request-id'], {
      *look(exchange) {
        if (api.operation(exchange.operation ?? '') === undefined) return;
        const value = exchange.header(requestId) ?? '';
        yield* facts.judge(
          'request-id',
          exchange,
          value !== '',
          `a value in ${requestId}`,
          `${exchange.status} without one`,
        );
      },
    }),
  };
}
