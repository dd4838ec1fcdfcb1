import type { Rule } from '../../contract/index.ts';
import type { RuleResult, Verdict } from './report.ts';
import { verdicts } from './report.ts';
import type { Check } from '../scenarios/scenario.ts';

/** The limit for exchanges that a verdict names. */
export const MOST_EXCHANGES = 20;

/** The limit for failed checks that a verdict names. */
export const MOST_FAILURES = 20;

/** Why a rule, or a part of it, is undecided. */
export interface Gap {
  readonly verdict: 'not-exercised' | 'not-applicable' | 'inconclusive' | 'error';
  readonly reason: string;
  readonly missing?: string;
  /** The number of those fixtures and permissions. */
  readonly lacks?: number;
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
  | 'failures'
>;

/**
 * One verdict from all judgements of a rule. A broken expectation outweighs everything. An undecided part
 * outweighs passed parts. A part that was not exercised is mentioned beside the pass of the others.
 */
export function decide(rule: Pick<Rule, 'level'>, checks: readonly Check[], gaps: readonly Gap[]): Decided {
  const failed = checks
    .filter((check) => check.outcome === 'fail')
    .sort((a, b) => Number(a.isMild ?? 0) - Number(b.isMild ?? 0) || explainsLess(a) - explainsLess(b));
  const passed = checks.filter((check) => check.outcome === 'pass');
  const open: readonly Gap[] = [
    ...gaps.filter((gap) => gap.verdict === 'error'),
    ...checks.filter((check) => check.outcome === 'inconclusive').map(gapOf),
    ...gaps.filter((gap) => gap.verdict === 'inconclusive'),
    ...gaps.filter((gap) => gap.verdict === 'not-exercised').sort((a, b) => (a.lacks ?? 1) - (b.lacks ?? 1)),
    ...gaps.filter((gap) => gap.verdict === 'not-applicable'),
  ];
  const [broken] = failed;
  if (broken !== undefined) {
    return {
      verdict: rule.level === 'should' || failed.every(({ isMild }) => isMild) ? 'warn' : 'fail',
      ...nothingMissing,
      expected: broken.expected,
      observed: broken.got,
      exchanges: exchangesOf([...failed, ...passed]),
      checks: count(checks),
      failed: count(failed),
      failures: failed.slice(0, MOST_FAILURES).map(({ expected, got, cause, exchanges }) => ({
        expected,
        observed: got,
        ...(cause === undefined ? {} : { cause }),
        exchanges,
      })),
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

/**
 * A test for rule ids: `router.idem.*` matches all ids with this prefix, a name without a star only itself.
 * It takes linear time, because the globs of a report are untrusted.
 */
export function ruleMatcher(glob: string): (id: string) => boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  return (id) => {
    if (last === undefined) return id === first;
    if (!id.startsWith(first)) return false;
    let from = first.length;
    for (const part of others) {
      const at = id.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return id.length - last.length >= from && id.endsWith(last);
  };
}

export function isExercised(rule: Pick<RuleResult, 'verdict'>): boolean {
  return rule.verdict === 'pass' || rule.verdict === 'fail' || rule.verdict === 'warn';
}

// --- internal ---

const nothingMissing = { reason: undefined, missing: undefined, fixtureLine: undefined } as const;

/** A server error explains most, then a check that rests on few exchanges: its fault is seen without comparing many. */
function explainsLess({ cause = '', exchanges }: Check): number {
  return /^5\d\d /.test(cause) ? 0 : exchanges.length;
}

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
