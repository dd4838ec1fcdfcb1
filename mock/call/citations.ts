import type { Contract } from '../../contract/model.ts';

/** The basis of a decision: the id of a rule, and of a point that the contract leaves open. */
export interface Citation {
  readonly rule?: string;
  readonly openPoint?: string;
}

/** A decision: the kind of policy, and its case. */
export interface Decided {
  readonly policy: string;
  readonly case: string;
}

/** Finds the basis of decisions, by the policies and cases that rules and open points of a sheet name. */
export function citationsOf({ sheet }: Contract): (decision: Decided) => Citation {
  const byPolicy = new Map<string, Map<string, { rule?: string; openPoint?: string }>>();
  const put = (entry: Cited, as: keyof Citation): void => {
    const { policy } = entry;
    if (policy === undefined || entry.case === undefined) return;
    const byCase = byPolicy.get(policy) ?? new Map<string, Citation>();
    byPolicy.set(policy, byCase);
    for (const each of [entry.case].flat()) byCase.set(each, { [as]: entry.id, ...byCase.get(each) });
  };
  for (const rule of sheet?.rules ?? []) put(rule, 'rule');
  for (const point of sheet?.unspecified ?? []) put(point, 'openPoint');
  return (decision) => byPolicy.get(decision.policy)?.get(decision.case) ?? NOTHING;
}

// --- internal ---

interface Cited {
  readonly id: string;
  readonly policy?: string;
  readonly case?: string | readonly string[];
}

const NOTHING: Citation = {};
