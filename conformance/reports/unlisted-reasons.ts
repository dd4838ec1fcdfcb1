import type { Conclusion, Reason } from '../verdicts/conclusion.ts';
import type { Report, Verdict } from '../verdicts/report.ts';

/**
 * Reasons for the exit code that a format does not show elsewhere: neither in the findings, nor in the list
 * of rules with these verdicts.
 */
export function unlistedReasons(
  { findings, rules }: Pick<Report, 'findings' | 'rules'>,
  { reasons }: Conclusion,
  listed: readonly Verdict[] = ['fail', 'warn', 'inconclusive', 'error'],
): readonly Reason[] {
  const told = new Set(findings.map(({ says }) => says));
  const shown = new Set(rules.filter(({ verdict }) => listed.includes(verdict)).map(({ id }) => id));
  return reasons.filter(({ rule, says }) => (rule === undefined ? !told.has(says) : !shown.has(rule)));
}
