import type { BehaviourSheet, Contract, Operation } from '../model.ts';
import type { PagesPolicy } from '../policies/pagination.ts';
import type { Policy, PolicyKind } from '../policies/policy.ts';

/** The policy of one kind, with the members of that kind. */
export type PolicyOf<Kind extends PolicyKind> = Extract<Policy, { kind: Kind }>;

/** The first policy of a kind in a sheet, regardless of its operations. */
export function findPolicy<Kind extends PolicyKind>(
  from: Contract | BehaviourSheet,
  kind: Kind,
): PolicyOf<Kind> | undefined {
  const policies = 'policies' in from ? from.policies : from.sheet?.policies;
  return pick(policies ?? [], kind);
}

/** The policy of a kind that applies to an operation. */
export function policyFor<Kind extends PolicyKind>(
  operation: Operation,
  kind: Kind,
): PolicyOf<Kind> | undefined {
  return pick(operation.policies, kind);
}

/** How the list of an operation is paginated: by cursors or by numbers. */
export function pagesPolicyOf(operation: Operation): PagesPolicy | undefined {
  return policyFor(operation, 'pagination') ?? policyFor(operation, 'numbered-pages');
}

// --- internal ---

function pick<Kind extends PolicyKind>(policies: readonly Policy[], kind: Kind): PolicyOf<Kind> | undefined {
  return policies.find((policy): policy is PolicyOf<Kind> => policy.kind === kind);
}
