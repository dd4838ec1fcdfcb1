import type { Conclusion, Reason } from '../verdicts/conclusion.ts';
import type { Report, Verdict } from '../verdicts/report.ts';
import { plural } from './style.ts';

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

/** What an exit code for the sheet, the fixtures or the suite would hide: the findings about the server. Empty if there are none. */
export function hiddenFails({ exitCode, reasons }: Conclusion): string {
  const broken = reasons.filter(({ code }) => code === 1).length;
  return exitCode !== 2 || broken === 0
    ? ''
    : `  Exit 2 is about the sheet, the fixtures or the suite; the ${plural(broken, 'finding')} about the server alone would be exit 1.`;
}
