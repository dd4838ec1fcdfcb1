import type { PolicyOf } from '../../../contract/index.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { at } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketch } from '../../exchanges/sketch.ts';
import { bucketRoleOracles } from './bucket-roles.ts';
import type { Facts, Probes } from './facts.ts';
import { roleOf } from './error-codes.ts';
import { unknownIdScenarios } from './unknown-id-buckets.ts';

/** Errors with a bucket in a header. */
export function errorBucketProbes(facts: Facts<PolicyOf<'error-buckets'>>): Probes {
  const { api, policy } = facts;
  return {
    scenarios: unknownIdScenarios(facts),
    oracles: [
      ...bucketRoleOracles(facts),
      ...facts.oracle(['header', 'status', 'body', 'roles'], {
        *look(exchange) {
          if (api.operation(exchange.operation ?? '') === undefined || exchange.status < 400) return;
          const name = exchange.header(policy.header);
          const bucket = policy.buckets.find((one) => one.name === name);
          yield* facts.judge(
            'header',
            exchange,
            bucket !== undefined,
            `a known bucket in ${policy.header}`,
            `${exchange.status} with ${name ?? 'none'}`,
          );
          if (bucket?.status !== undefined)
            yield* facts.status('status', exchange, bucket.status, `with ${policy.header}: ${bucket.name}`);
          yield* unlessUnreadable(exchange, facts.ids('body'), judgeBody(exchange, name));
          yield* judgeRole(exchange, name);
        },
      }),
    ],
  };

  function* judgeBody(exchange: Exchange, name: string | undefined): ReturnType<Facts['judge']> {
    const said = at(exchange.json, policy.bodyMember);
    if (said === undefined || name === undefined) return;
    yield* facts.judge(
      'body',
      exchange,
      said === name,
      `${name} at ${policy.bodyMember}, as in ${policy.header}`,
      sketch(said, 60),
    );
  }

  /** The bucket of another role; others than those of roles may say more. */
  function* judgeRole(exchange: Exchange, name: string | undefined): ReturnType<Facts['judge']> {
    const [role, what] = roleOfBucket(exchange) ?? [];
    const others: readonly unknown[] = Object.values(policy.roles);
    if (role === undefined || !others.includes(name)) return;
    const wanted = policy.roles[role];
    yield* facts.judge('roles', exchange, name === wanted, `the bucket ${wanted} for ${what ?? ''}`);
  }
}

/** The role of a refusal, as far as the request shows its cause. */
function roleOfBucket(
  exchange: Exchange,
): readonly [role: 'noCredential' | 'noAccess' | 'badInput', what: string] | undefined {
  if (exchange.request.as === 'forbidden' && exchange.status === 403)
    return ['noAccess', 'a caller without access'];
  const [role, what = ''] = roleOf(exchange) ?? [];
  if (role === 'noCredential') return ['noCredential', what];
  return role === 'malformed' ? ['badInput', what] : undefined;
}
