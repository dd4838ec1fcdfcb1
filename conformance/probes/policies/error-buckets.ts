import type { PolicyOf } from '../../../contract/index.ts';
import { at } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { unlessUnreadable } from '../../scenarios/check.ts';
import { bucketRoleOracles } from './bucket-roles.ts';
import type { Facts, Probes } from './facts.ts';

/** Errors with a bucket in a header. */
export function errorBucketProbes(facts: Facts<PolicyOf<'error-buckets'>>): Probes {
  const { api, policy } = facts;
  return {
    oracles: [
      ...bucketRoleOracles(facts),
      ...facts.oracle(['header', 'body', 'status'], {
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
          yield* unlessUnreadable(exchange, facts.ids('body'), repeated(exchange, name));
          if (bucket?.status !== undefined)
            yield* facts.status('status', exchange, bucket.status, `with ${policy.header}: ${bucket.name}`);
        },
      }),
    ],
  };

  /** Where the body repeats the bucket, it says the same. */
  function* repeated(exchange: Exchange, name: string | undefined): ReturnType<Facts['judge']> {
    const said = at(exchange.json, policy.bodyMember);
    if (typeof said !== 'string') return;
    yield* facts.judge(
      'body',
      exchange,
      said === name,
      `${policy.bodyMember} as in ${policy.header}: ${name ?? 'none'}`,
      `${exchange.status} with ${said}`,
    );
  }
}
