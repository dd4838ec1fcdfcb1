import type { Rule } from '../contract/index.ts';
import type { Finding, Report, RuleResult, Verdict } from './report.ts';
import { verdicts } from './report.ts';
import type { Check } from './scenario.ts';

/** So many exchanges are named for a rule at most. */
export const MOST_EXCHANGES = 20;

/** Why a rule, or a part of it, was not decided. */
export interface Gap {
  readonly verdict: 'not-exercised' | 'not-applicable' | 'inconclusive' | 'error';
  readonly reason: string;
  readonly missing?: string;
  readonly fixtureLine?: string;
  readonly exchanges?: readonly string[];
}

type Decided = Pick<
  RuleResult,
  | 'verdict'
  | 'reason'
  | 'missing'
  | 'fixtureLine'
  | 'expected'
  | 'observed'
  | 'exchanges'
  | 'checks'
  | 'failed'
>;

/**
 * One verdict from all that was seen of a rule. A broken expectation outweighs everything; a part that could not be
 * decided outweighs the parts that passed; a part that was held back is told beside the pass of the others.
 */
export function decide(rule: Pick<Rule, 'level'>, checks: readonly Check[], gaps: readonly Gap[]): Decided {
  const failed = checks.filter((check) => check.outcome === 'fail');
  const passed = checks.filter((check) => check.outcome === 'pass');
  const open: readonly Gap[] = [
    ...gaps.filter((gap) => gap.verdict === 'error'),
    ...checks.filter((check) => check.outcome === 'inconclusive').map(gapOf),
    ...gaps.filter((gap) => gap.verdict === 'inconclusive'),
    ...gaps.filter((gap) => gap.verdict === 'not-exercised'),
    ...gaps.filter((gap) => gap.verdict === 'not-applicable'),
  ];
  const [broken] = failed;
  if (broken !== undefined) {
    return {
      verdict: rule.level === 'should' ? 'warn' : 'fail',
      ...nothingMissing,
      expected: broken.expected,
      observed: broken.got,
      exchanges: exchangesOf([...failed, ...passed]),
      checks: count(checks),
      failed: count(failed),
    };
  }
  const [gap] = open;
  const counts = { checks: count(checks), failed: 0 };
  if (
    passed.length > 0 &&
    (gap === undefined || gap.verdict === 'not-exercised' || gap.verdict === 'not-applicable')
  ) {
    const [first] = passed;
    return {
      verdict: 'pass',
      ...missingOf(gap),
      reason: gap === undefined ? undefined : `partly untested: ${gap.reason}`,
      expected: first?.expected,
      observed: first?.got,
      exchanges: exchangesOf(passed),
      ...counts,
    };
  }
  return {
    verdict: gap?.verdict ?? 'not-exercised',
    ...missingOf(gap),
    reason: gap?.reason ?? 'no exchange exercised it',
    expected: undefined,
    observed: undefined,
    exchanges: (gap?.exchanges ?? []).slice(0, MOST_EXCHANGES),
    ...counts,
  };
}

export function summarise(rules: readonly Pick<RuleResult, 'verdict'>[]): Readonly<Record<Verdict, number>> {
  const summary = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of rules) summary[verdict] += 1;
  return summary;
}

/** What turns a report into an exit code beside its verdicts. */
export interface Gate {
  /** `warn` counts as a finding. */
  readonly strict?: boolean;
  readonly failInconclusive?: boolean;
  /** Globs of rule ids that must have been exercised. */
  readonly require?: readonly string[];
  readonly minExercised?: number;
}

/**
 * 0 ok, 1 contract findings, 2 the suite, its configuration or a fixture, 3 unreachable, not served, gone in the middle of
 * the run, or disturbed. Such a run is no failure of a rule, but it did not judge what it was asked to judge.
 */
export function exitCode(
  report: Pick<Report, 'status' | 'rules' | 'findings'>,
  gate: Gate = {},
): 0 | 1 | 2 | 3 {
  const found = (kind: Finding['kind']): boolean => report.findings.some((finding) => finding.kind === kind);
  if (report.status === 'unreachable') return 3;
  const has = (verdict: Verdict): boolean => report.rules.some((rule) => rule.verdict === verdict);
  if (has('error') || report.findings.some(({ kind }) => isHarness(kind))) return 2;
  if (has('fail') || found('broken')) return 1;
  if (gate.strict === true && has('warn')) return 1;
  if (gate.failInconclusive === true && has('inconclusive')) return 1;
  if (isUnserved(report) || found('stopped') || found('disturbed')) return 3;
  const exercised = report.rules.filter(isExercised);
  if (gate.minExercised !== undefined && exercised.length < gate.minExercised) return 1;
  const matchers = (gate.require ?? []).map(ruleMatcher);
  const unmet = report.rules.some(
    (rule) => matchers.some((matches) => matches(rule.id)) && !isRequiredMet(rule),
  );
  return unmet ? 1 : 0;
}

/** Whether an API that was to be judged is not served there. */
export function isUnserved({ status, findings }: Pick<Report, 'status' | 'findings'>): boolean {
  return status === 'not-served' || findings.some(({ kind }) => kind === 'not-served');
}

/** A test for rule ids: `router.idem.*` matches all that begin so, a name without a star only itself. */
export function ruleMatcher(glob: string): (id: string) => boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const matcher = new RegExp(`^${pattern}$`);
  return (id) => matcher.test(id);
}

export function isExercised(rule: Pick<RuleResult, 'verdict'>): boolean {
  return rule.verdict === 'pass' || rule.verdict === 'fail' || rule.verdict === 'warn';
}

// --- internal ---

const nothingMissing = { reason: undefined, missing: undefined, fixtureLine: undefined } as const;

function missingOf(gap: Gap | undefined): Pick<RuleResult, 'missing' | 'fixtureLine'> {
  return { missing: gap?.missing, fixtureLine: gap?.fixtureLine };
}

function count(checks: readonly Check[]): number {
  return checks.reduce((sum, { times = 1 }) => sum + times, 0);
}

function gapOf(check: Check): Gap {
  return { verdict: 'inconclusive', reason: check.got, exchanges: check.exchanges };
}

function exchangesOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.flatMap((check) => check.exchanges))].slice(0, MOST_EXCHANGES);
}

function isHarness(kind: string): boolean {
  return kind === 'fixture' || kind === 'credential' || kind === 'harness';
}

function isRequiredMet(rule: RuleResult): boolean {
  return isExercised(rule) || rule.verdict === 'not-applicable';
}
