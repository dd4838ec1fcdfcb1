import type { Report, RuleResult } from '../verdicts/report.ts';

/** Rules with the same missing fixture or permission. */
export interface Opening {
  readonly reason: string;
  /** The line to add to the fixtures file. */
  readonly fixtureLine: string | undefined;
  readonly rules: readonly RuleResult[];
}

/**
 * The rules that were not exercised, by what is missing: first the fixtures that would enable most rules,
 * last the conditions that users cannot change.
 */
export function openings({ rules }: Pick<Report, 'rules'>): readonly Opening[] {
  const groups = new Map<string, RuleResult[]>();
  for (const rule of rules) {
    if (rule.verdict !== 'not-exercised') continue;
    const reason = rule.reason ?? '';
    groups.set(reason, [...(groups.get(reason) ?? []), rule]);
  }
  return [...groups]
    .map(([reason, group]) => ({ reason, fixtureLine: group[0]?.fixtureLine, rules: group }))
    .sort((a, b) => Number(canBeAdded(b)) - Number(canBeAdded(a)) || b.rules.length - a.rules.length);
}

// --- internal ---

function canBeAdded({ rules: [first] }: Opening): boolean {
  return first?.missing !== undefined;
}
