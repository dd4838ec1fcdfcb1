import { workflowMessage, workflowProperty } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import type { Reason } from '../verdicts/conclusion.ts';
import type { Report, RuleResult } from '../verdicts/report.ts';
import { brokenRules } from './broken-rules.ts';
import { leftLines } from './left.ts';
import { citation } from './citation.ts';

/**
 * Workflow commands of GitHub Actions, one per line: an error for each reason for a non-zero exit code, a
 * warning for each violated recommendation and for each doubt, a notice for what the run left. Known failures
 * are not included.
 */
export function renderGithub(report: Report): string {
  const { reasons, known } = conclude(report);
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const helpOf = new Map(report.findings.map(({ says, help }) => [says, help]));
  const counted = new Set(reasons.map(({ rule }) => rule));
  const broken = brokenRules(report, known).rules;
  const places = new Map(broken.map(({ id }, index) => [id, index]));
  const placeOf = ({ rule }: Reason): number => (rule === undefined ? -1 : (places.get(rule) ?? places.size));
  const lines = [
    ...[...reasons]
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map(({ rule, says }) =>
        rule === undefined
          ? command('error', 'tallystick conform', [says, helpOf.get(says)])
          : command('error', rule, [says, ...about(rules.get(rule))]),
      ),
    ...broken
      .filter(({ id, verdict }) => verdict === 'warn' && !counted.has(id))
      .map((rule) =>
        command('warning', rule.id, [
          `expected ${rule.expected ?? ''}, got ${rule.observed ?? ''}`,
          ...about(rule),
        ]),
      ),
    ...report.findings
      .filter(({ kind }) => kind === 'doubt')
      .map(({ says, help }) => command('warning', 'tallystick conform', [says, help])),
    ...leftLines(report).map((line) => command('notice', 'tallystick conform', [line])),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

// --- internal ---

function about(rule: RuleResult | undefined): readonly (string | undefined)[] {
  return rule === undefined ? [] : [`rule: ${rule.says}`, citation(rule), rule.repeat?.replay];
}

function command(
  kind: 'error' | 'warning' | 'notice',
  title: string,
  lines: readonly (string | undefined)[],
): string {
  const message = lines.filter((line) => line !== undefined).join('\n');
  return `::${kind} title=${workflowProperty(title)}::${workflowMessage(message)}`;
}
