import { nameOf } from './mutations.ts';
import type { Mutation } from './mutations.ts';

/** Why a mutation that survives is no hole of the suite. */
export interface Reason {
  /** `equal`: no request can tell; `open`: the contract leaves what changed open. */
  readonly is: 'equal' | 'open';
  readonly because: string;
}

/** What the beginning of a mutation's name, up to the arrow or beyond it, says about it. */
export const classified: readonly (Reason & { readonly mutation: string })[] = [];

export function whyNotCounted(mutation: Mutation): Reason | undefined {
  const name = nameOf(mutation);
  return classified.find((one) => name.startsWith(one.mutation));
}
