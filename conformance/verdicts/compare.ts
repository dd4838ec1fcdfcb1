import type { Report, RuleResult, Verdict } from './report.ts';
import { isExercised } from './verdict.ts';

/** A rule whose verdict differs between two reports. */
export interface ChangedRule {
  readonly id: string;
  /** `undefined` if one of the reports does not have the rule. */
  readonly before: Verdict | undefined;
  readonly after: Verdict | undefined;
  readonly observed: string | undefined;
  /** Why it is undecided now. */
  readonly reason: string | undefined;
}

/** The differences between two runs. */
export interface Comparison {
  /** Rules that are broken now and were not before. */
  readonly broken: readonly ChangedRule[];
  /** Rules that pass now and were broken before. */
  readonly mended: readonly ChangedRule[];
  /** Rules that passed and are undecided now: the later run proves less. */
  readonly lost: readonly ChangedRule[];
  /** All other rules whose verdict differs. */
  readonly otherwise: readonly ChangedRule[];
  readonly unchanged: number;
  /** Reasons why the two are hard to compare, one sentence each. */
  readonly doubts: readonly string[];
}

/** Compares two reports rule by rule. A rule that was not exercised is neither broken nor fixed. */
export function compareReports(before: Report, after: Report): Comparison {
  const [old, now] = [byId(before), byId(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .map((id): ChangedRule => ({
      id,
      before: old.get(id)?.verdict,
      after: now.get(id)?.verdict,
      observed: now.get(id)?.observed,
      reason: now.get(id)?.reason,
    }))
    .filter((rule) => rule.before !== rule.after);
  const broken = changed.filter(({ after: verdict }) => isBroken(verdict));
  const mended = changed.filter((rule) => isBroken(rule.before) && rule.after === 'pass');
  const lost = changed.filter((rule) => rule.before === 'pass' && !broken.includes(rule));
  const told = new Set([...broken, ...mended, ...lost]);
  return {
    broken,
    mended,
    lost,
    otherwise: changed.filter((rule) => !told.has(rule)),
    unchanged: [...now.values()].filter(({ id, verdict }) => old.get(id)?.verdict === verdict).length,
    doubts: doubtsOf(before, after),
  };
}

// --- internal ---

function byId({ rules }: Report): ReadonlyMap<string, RuleResult> {
  return new Map(rules.map((rule) => [rule.id, rule]));
}

function isBroken(verdict: Verdict | undefined): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

function doubtsOf(before: Report, after: Report): readonly string[] {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const doubts: string[] = [];
  if (before.target.baseUrl !== after.target.baseUrl)
    doubts.push(
      `the reports are about different servers: ${before.target.baseUrl} and ${after.target.baseUrl}`,
    );
  if (!same(before.contract, after.contract))
    doubts.push('the reports use different versions of the contract');
  if (!same([...before.allowed].sort(), [...after.allowed].sort())) {
    const told = (report: Report): string => ['reads', ...report.allowed].join(',');
    doubts.push(`the permissions differ: ${told(before)} and ${told(after)}`);
  }
  const chosen = ({ settings }: Report): string =>
    [
      ...(settings?.only === undefined ? [] : [`--only ${settings.only.join(',')}`]),
      ...(settings?.except === undefined ? [] : [`--except ${settings.except.join(',')}`]),
    ].join(' ') || 'all operations';
  if (chosen(before) !== chosen(after))
    doubts.push(`the chosen operations differ: ${chosen(before)} and ${chosen(after)}`);
  const exercised = [before, after].map(({ rules }) => rules.filter(isExercised).length);
  if (exercised[0] !== exercised[1])
    doubts.push(`the number of exercised rules differs: ${exercised[0] ?? 0} and ${exercised[1] ?? 0}`);
  for (const { status } of [before, after].filter((report) => report.status !== 'judged'))
    doubts.push(`the status of one report is ${status}`);
  return doubts;
}
