import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isGone } from '../../exchanges/exchange.ts';
import type { Oracle } from '../../oracle.ts';
import type { Occasion } from '../../target/occasions.ts';
import type { Facts } from './facts.ts';
import { refusesKeys } from './refusal.ts';

type Buckets = PolicyOf<'error-buckets'>;

/** Refusals that fixtures bring about: each has the bucket of what brought it about. */
export function bucketRoleOracles(facts: Facts<Buckets>): readonly Oracle[] {
  const { api, policy } = facts;
  return facts.oracle(['roles'], {
    *look(exchange) {
      const { occasion, status } = exchange;
      const operation = api.operation(exchange.operation ?? '');
      if (operation === undefined || occasion === undefined || status < 400) return;
      if (refusesKeys(operation, status)) return;
      const wanted = (ROLES[occasion] ?? []).map((role) => policy.roles[role]);
      if (wanted.length === 0) return;
      const seen = exchange.header(policy.header);
      // A limit to the caller can be met on any occasion.
      if (status === 429 && [policy.roles.rateLimit, policy.roles.capacity].some((name) => name === seen))
        return;
      yield* facts.judge(
        'roles',
        exchange,
        wanted.some((name) => name === seen),
        `${policy.header}: ${wanted.join(' or ')}, because the fixtures call this ${occasion}`,
        `${status} with ${seen ?? 'none'}`,
      );
      if (occasion === 'missing' && seen === policy.roles.unknownModel && declares(operation, 404))
        yield* facts.judge(
          'roles',
          exchange,
          isGone(exchange),
          `404 with ${policy.header}: ${seen}, because the document declares it for what does not exist`,
          String(status),
        );
    },
  });
}

// --- internal ---

function declares({ responses }: Operation, status: number): boolean {
  return responses.some((response) => response.status === String(status));
}

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
