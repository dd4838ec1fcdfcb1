import { findPolicy, type PolicyOf } from '../../contract/index.ts';
import type { Contract } from '../../contract/model.ts';
import type { PolicyKind } from '../../contract/policies/policy.ts';

/** The policy of a kind that a behaviour cannot do without. */
export function requirePolicy<Kind extends PolicyKind>(contract: Contract, kind: Kind): PolicyOf<Kind> {
  const found = findPolicy(contract, kind);
  if (found === undefined) {
    throw new Error(
      `the behaviour sheet of ${contract.name} states no policy "${kind}", which its mock needs`,
    );
  }
  return found;
}
