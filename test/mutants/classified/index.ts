import { nameOf } from '../mutations.ts';
import type { Mutation } from '../mutations.ts';
import { jobReasons } from './jobs.ts';
import type { Reason } from './reason.ts';
import { registryReasons } from './registry.ts';
import { routerReasons } from './router.ts';
import { sharedReasons } from './shared.ts';

/** Why a mutation that survived does not count; undefined for a hole of the suite. */
export function whyNotCounted(mutation: Mutation): Reason | undefined {
  const name = nameOf(mutation);
  return [...routerReasons, ...registryReasons, ...jobReasons, ...sharedReasons].find((one) =>
    name.startsWith(one.mutation),
  );
}
