import { fixtureLine } from './fixtures-shape.ts';
import type { Finding } from './report.ts';
import { BrokenFixture, Hindered, NotExercised } from './scenario.ts';
import type { Check, Observation } from './scenario.ts';
import type { Gap } from './verdict.ts';

/** What one scenario, or all oracles together, contributed. */
export interface Outcome {
  readonly checks: readonly Check[];
  readonly observations: readonly Observation[];
  /** Rule id to why it was not decided. */
  readonly gaps: ReadonlyMap<string, Gap>;
}

/** The same gap for several rules. */
export function gapFor(rules: readonly string[], gap: Gap): Outcome {
  return { checks: [], observations: [], gaps: new Map(rules.map((rule) => [rule, gap])) };
}

export function failedRules(outcome: Outcome): ReadonlySet<string> {
  return new Set(outcome.checks.filter((one) => one.outcome === 'fail').map(({ rule }) => rule));
}

/** The outcome of a scenario that ran again: rules that were judged otherwise the second time are left open. */
export function withoutChanged(before: Outcome, again: Outcome): Outcome {
  const [failedBefore, failedAgain] = [failedRules(before), failedRules(again)];
  const judged = new Set(before.checks.map(({ rule }) => rule));
  const changed = [...judged, ...failedAgain].filter(
    (rule) => failedBefore.has(rule) !== failedAgain.has(rule),
  );
  const flaky = new Set(changed.filter((rule) => !before.gaps.has(rule)));
  const exchangesOf = (rule: string): readonly string[] =>
    [before, again].flatMap(({ checks }) =>
      checks.filter((one) => one.rule === rule && one.outcome === 'fail').flatMap((one) => one.exchanges),
    );
  return {
    ...before,
    checks: before.checks.filter(({ rule }) => !flaky.has(rule)),
    gaps: new Map([
      ...before.gaps,
      ...[...flaky].map((rule): [string, Gap] => [
        rule,
        {
          verdict: 'inconclusive',
          reason: 'the verdict changed between attempts: it failed in one and not in the other',
          exchanges: exchangesOf(rule),
        },
      ]),
    ]),
  };
}

/** What an error in a scenario means for the rules that it left open, and what the reader of the report must know. */
export function readError(
  error: unknown,
  scenario: string,
): { readonly gap: Gap; readonly finding: Finding | undefined } {
  if (error instanceof NotExercised) {
    const line = fixtureLine(error.needs);
    return {
      gap: {
        verdict: 'not-exercised',
        reason: error.message,
        missing: error.needs,
        ...(line === undefined ? {} : { fixtureLine: line }),
      },
      finding: undefined,
    };
  }
  if (error instanceof Hindered) {
    return {
      gap: { verdict: 'inconclusive', reason: error.message, exchanges: error.exchanges },
      finding: undefined,
    };
  }
  if (error instanceof BrokenFixture) {
    const { fixture, exchanges } = error;
    const says = `fixture ${fixture}: ${error.message}`;
    const help = `Correct ${fixture} in the fixtures file, or remove it.`;
    return {
      gap: { verdict: 'error', reason: says, missing: fixture, exchanges },
      finding: { kind: 'fixture', about: fixture, says, help, exchanges },
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    gap: { verdict: 'error', reason: `the suite failed: ${message}` },
    finding: {
      kind: 'harness',
      says: `the suite failed in ${scenario}: ${message}`,
      help: 'This is a bug in tallystick and says nothing about the server. Please report it.',
      exchanges: [],
    },
  };
}
