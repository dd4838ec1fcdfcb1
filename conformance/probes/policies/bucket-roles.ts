import type { PolicyOf } from '../../../contract/index.ts';
import type { Oracle } from '../../oracle.ts';
import type { Occasion } from '../../target/occasions.ts';
import type { Facts } from './facts.ts';

type Buckets = PolicyOf<'error-buckets'>;

/** Refusals that fixtures bring about: each has the bucket of what brought it about. */
export function bucketRoleOracles(facts: Facts<Buckets>): readonly Oracle[] {
  const { api, policy } = facts;
  return facts.oracle(['roles'], {
    *look(exchange) {
      const { operation = '', occasion, status } = exchange;
      if (api.operation(operation) === undefined || occasion === undefined || status < 400) return;
      const wanted = (ROLES[occasion] ?? []).map((role) => policy.roles[role]);
      if (wanted.length === 0) return;
      const seen = exchange.header(policy.header);
      yield* facts.judge(
        'roles',
        exchange,
        wanted.some((name) => name === seen),
        `${policy.header}: ${wanted.join(' or ')}, because the fixtures call this ${occasion}`,
        `${status} with ${seen ?? 'none'}`,
      );
    },
  });
}

// --- internal ---

/**
 * What a refusal on an occasion can be about. A rate and a capacity are often one limit to a caller; a slow call is refused
 * only at an end of its time.
 */
const ROLES: Readonly<Partial<Record<Occasion, readonly (keyof Buckets['roles'])[]>>> = {
  unpaid: ['noCredits'],
  refused: ['policyRefusal'],
  failing: ['providerFailure', 'providerTimeout', 'internal'],
  unavailable: ['unavailable'],
  missing: ['unknownModel'],
  invalid: ['badInput'],
  limited: ['rateLimit', 'capacity'],
  full: ['capacity'],
  slow: ['deadline', 'providerTimeout'],
};
