import type { Report, RuleResult } from '../report.ts';

/** Rules that lack the same. */
export interface Opening {
  readonly reason: string;
  /** What to add to the fixtures file. */
  readonly fixtureLine: string | undefined;
  readonly rules: readonly RuleResult[];
}

/** The rules that were not exercised, by what they lack: what would open most of them first, what nobody can add last. */
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
