import type { PolicyOf } from '../../../contract/index.ts';
import type { Facts, Probes } from './facts.ts';

/** Errors with a bucket in a header. */
export function errorBucketProbes(facts: Facts<PolicyOf<'error-buckets'>>): Probes {
  const { api, policy } = facts;
  return {
    oracles: facts.oracle(['header', 'status'], {
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
      },
    }),
  };
}
