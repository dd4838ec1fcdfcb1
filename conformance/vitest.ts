import { describe, test } from 'vitest';
import { visibleStrings } from '../contract/index.ts';
import type { Report, RuleResult } from './report.ts';
import type { Gate } from './conclusion.ts';
import { citation } from './reports/citation.ts';

/**
 * Turns a report into tests, one per rule: `testRules(await runConformance(…))` in a test file. A broken rule fails with
 * its evidence; what was not decided is skipped with its reason, and never passes.
 */
export function testRules(
  { target, findings, rules }: Report,
  gate: Pick<Gate, 'strict' | 'failInconclusive'> = {},
): void {
  const report = visibleStrings({ target, findings, rules });
  describe(report.target.baseUrl, () => {
    for (const { kind, says, help } of report.findings) {
      test(says, ({ skip }) => {
        if (kind === 'doubt') skip(help ?? says);
        throw new Error([says, help ?? ''].join('\n').trimEnd());
      });
    }
    for (const rule of report.rules) {
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

/** What a verdict is for a test runner, which knows three words only. */
export function outcomeOf(
  rule: RuleResult,
  gate: Pick<Gate, 'strict' | 'failInconclusive'> = {},
): RuleOutcome {
  const { verdict, reason, fixtureLine } = rule;
  switch (verdict) {
    case 'pass':
      return { kind: 'passed' };
    case 'fail':
      return { kind: 'failed', why: evidence(rule) };
    case 'warn':
      return gate.strict === true
        ? { kind: 'failed', why: evidence(rule) }
        : { kind: 'skipped', why: `warn: ${evidence(rule)}` };
    case 'error':
      return { kind: 'failed', why: reason ?? verdict };
    case 'inconclusive':
      return {
        kind: gate.failInconclusive === true ? 'failed' : 'skipped',
        why: `inconclusive: ${reason ?? ''}`,
      };
    case 'not-exercised':
    case 'not-applicable': {
      const add = fixtureLine === undefined ? '' : `; add ${fixtureLine}`;
      return { kind: 'skipped', why: `${verdict}: ${reason ?? ''}${add}` };
    }
  }
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
