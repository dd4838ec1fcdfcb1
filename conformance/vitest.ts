import { describe, test } from 'vitest';
import { visible, visibleStrings } from '../contract/index.ts';
import type { Report, RuleResult } from './verdicts/report.ts';
import { conclude } from './verdicts/conclusion.ts';
import type { Gate } from './scenarios/gate.ts';
import { citation } from './reports/citation.ts';
import { unlistedReasons } from './reports/unlisted-reasons.ts';

/**
 * Turns a report into tests, one per rule: `testRules(await runConformance(…))` in a test file. A broken rule
 * fails with its evidence. An undecided rule is skipped with its reason and never passes, and so are known
 * failures. There is a failed test exactly when the exit code of the report is not 0.
 */
export function testRules(report: Report, gate: Gate = report.gate ?? {}): void {
  const { target, findings, rules } = visibleStrings({
    target: report.target,
    findings: report.findings,
    rules: report.rules,
  });
  const conclusion = conclude(report, gate);
  const counted = new Set(conclusion.reasons.map(({ says }) => visible(says)));
  describe(target.baseUrl, () => {
    for (const { says, help } of findings) {
      test(says, ({ skip }) => {
        if (!counted.has(says)) skip(help ?? says);
        throw new Error([says, help ?? ''].join('\n').trimEnd());
      });
    }
    for (const { rule, says } of unlistedReasons(report, conclusion)) {
      if (rule !== undefined) continue;
      test(visible(says), () => {
        throw new Error(visible(says));
      });
    }
    for (const rule of rules) {
      test(`${rule.id}: ${rule.says}`, ({ skip }) => {
        const outcome = outcomeOf(rule, gate);
        if (outcome.kind === 'skipped') skip(outcome.why);
        if (outcome.kind === 'failed') throw new Error(outcome.why);
      });
    }
  });
}

export type RuleOutcome =
  { readonly kind: 'passed' } | { readonly kind: 'skipped' | 'failed'; readonly why: string };

/** The result of a verdict in a test runner, which has only three. */
export function outcomeOf(rule: RuleResult, gate: Gate = {}): RuleOutcome {
  const { id, verdict, reason, fixtureLine } = rule;
  const { reasons, known } = conclude({ status: 'judged', findings: [], rules: [rule] }, gate);
  const own = reasons.filter((one) => one.rule === id);
  const isBroken = verdict === 'fail' || verdict === 'warn';
  if (own.length > 0)
    return { kind: 'failed', why: isBroken ? evidence(rule) : own.map(({ says }) => says).join('\n') };
  if (known.has(id)) return { kind: 'skipped', why: 'a known failure, listed in the baseline' };
  if (verdict === 'pass') return { kind: 'passed' };
  const add = fixtureLine === undefined ? '' : `; add ${fixtureLine}`;
  return { kind: 'skipped', why: `${verdict}: ${isBroken ? evidence(rule) : `${reason ?? ''}${add}`}` };
}

// --- internal ---

function evidence(rule: RuleResult): string {
  const { expected, observed, exchanges, repeat } = rule;
  return [
    `expected ${expected ?? 'otherwise'}`,
    `got      ${observed ?? 'nothing'} (${exchanges.slice(0, 3).join(', ')})`,
    `cites    ${citation(rule)}`,
    ...(repeat === undefined ? [] : [`repeat   ${repeat.curl}`]),
  ].join('\n');
}
