import { findPolicy, type PolicyOf } from '../../contract/index.ts';
import type { Contract } from '../../contract/model.ts';
import type { PolicyKind } from '../../contract/policies/policy.ts';

/** The policy of a kind that a behaviour requires. */
export function requirePolicy<Kind extends PolicyKind>(contract: Contract, kind: Kind): PolicyOf<Kind> {
  const found = findPolicy(contract, kind);
  if (found === undefined) {
    throw new Error(
      `the behaviour sheet of ${contract.name} states no policy "${kind}", which its mock needs`,
    );
  }
  return found;
}

/** Policies of these kinds, by the names that behaviours have for them. */
export type PoliciesOf<Kinds extends Readonly<Record<string, PolicyKind>>> = {
  readonly [Name in keyof Kinds]: PolicyOf<Kinds[Name]>;
};

/** The policies that behaviours require. */
export function requirePolicies<Kinds extends Readonly<Record<string, PolicyKind>>>(
  contract: Contract,
  kinds: Kinds,
): PoliciesOf<Kinds> {
  const found = Object.entries(kinds).map(([name, kind]) => [name, requirePolicy(contract, kind)] as const);
  return Object.fromEntries(found) as PoliciesOf<Kinds>;
}
