import type { RunFinding, Report, RuleResult } from './report.ts';
import type { Gate } from '../scenarios/gate.ts';
import { IN_ANOTHER_SHARD } from '../scenarios/gates.ts';
import { isExercised, ruleMatcher } from './verdict.ts';

/** 130: a signal ended the run, as a shell reports it. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** Something that keeps a run from exit code 0. */
export interface Reason {
  readonly code: Exclude<ExitCode, 0>;
  /** The rule that it is about; absent for a reason that concerns the whole run. */
  readonly rule?: string;
  readonly says: string;
}

/** The conclusion of a report: every format and the exit code use it. */
export interface Conclusion {
  readonly exitCode: ExitCode;
  /** Empty exactly when the exit code is 0. */
  readonly reasons: readonly Reason[];
  /** Broken rules that the baseline lists. */
  readonly known: ReadonlySet<string>;
}

type Judged = Pick<Report, 'status' | 'rules' | 'findings' | 'gate'>;

/**
 * The exit code of a run with its reasons: 0 success, 1 contract findings, 2 the suite, its configuration or
 * a fixture, 3 unreachable, not served, stopped during the run or disturbed, 130 interrupted. An API that is
 * not served breaks no rule, but then the run did not do what was requested.
 */
export function conclude(report: Judged, gate: Gate = report.gate ?? {}): Conclusion {
  const known = knownFailures(report, gate);
  const found = [
    ...reasonsOfRun(report, gate),
    ...report.rules.flatMap((rule) => reasonsOfRule(rule, gate)),
    ...unmetRequirements(report, gate),
  ];
  const reasons =
    found.length > 0 || gate.minExercised === 0 || !isVacuous(report) ? found : [NOTHING_JUDGED];
  return { exitCode: exitCodeOf(report, reasons), reasons, known };
}

/**
 * The exit code of a report under a gate: 0 for success, 1 for findings, 2 if nothing was judged, 3 for a
 * server that could not be judged.
 */
export function exitCode(report: Judged, gate?: Gate): ExitCode {
  return conclude(report, gate).exitCode;
}

// --- internal ---

/** A run without verdicts must not look like one without findings. */
const NOTHING_JUDGED: Reason = {
  code: 2,
  says: 'nothing was judged: no rule was exercised',
};

/** A shard of a run may be empty. */
function isVacuous({ rules }: Judged): boolean {
  return !rules.some((rule) => isExercised(rule)) && !rules.some(({ reason }) => reason === IN_ANOTHER_SHARD);
}

const codeOfFinding: Readonly<Record<RunFinding['kind'], ExitCode>> = {
  broken: 1,
  document: 1,
  leak: 1,
  fixture: 2,
  credential: 2,
  harness: 2,
  unjudgeable: 2,
  'not-served': 3,
  unreachable: 3,
  stopped: 3,
  disturbed: 3,
  doubt: 0,
};

/**
 * The first code that a reason has; only a server that could not be judged at all outweighs a broken rule.
 */
function exitCodeOf({ status }: Judged, reasons: readonly Reason[]): ExitCode {
  const order = status === 'unreachable' ? ([130, 3, 2, 1] as const) : ([130, 2, 1, 3] as const);
  return order.find((code) => reasons.some((reason) => reason.code === code)) ?? 0;
}

function reasonsOfRun({ status, findings }: Judged, gate: Gate): readonly Reason[] {
  const reasons: Reason[] = [];
  if (status === 'interrupted') reasons.push({ code: 130, says: 'the run was interrupted' });
  for (const { kind, about, says } of findings) {
    const code = codeOfFinding[kind];
    if (code === 0 || (kind === 'leak' && isKnown(gate, about ?? ''))) continue;
    reasons.push({ code, says });
  }
  if ((status === 'unreachable' || status === 'not-served') && !reasons.some(({ code }) => code === 3))
    reasons.push({ code: 3, says: status === 'unreachable' ? 'the server is unreachable' : 'not served' });
  return reasons;
}

function reasonsOfRule(rule: RuleResult, gate: Gate): readonly Reason[] {
  const { id, verdict, reason } = rule;
  const expected = isKnown(gate, id) ? gate.baseline?.known[id] : undefined;
  switch (verdict) {
    case 'error':
      return [{ code: 2, rule: id, says: reason ?? 'could not be judged' }];
    case 'fail':
    case 'warn': {
      if (expected === verdict) return [];
      const counts = verdict === 'fail' || gate.strict === true || expected !== undefined;
      const how = expected === undefined ? '' : `; the baseline expects ${expected}`;
      return counts ? [{ code: 1, rule: id, says: `${differenceOf(rule)}${how}` }] : [];
    }
    case 'pass':
      return expected === undefined
        ? []
        : [{ code: 1, rule: id, says: 'passes now: remove it from the baseline' }];
    case 'inconclusive':
      return gate.failInconclusive === true
        ? [{ code: 1, rule: id, says: `inconclusive: ${reason ?? ''}` }]
        : [];
    case 'not-exercised':
    case 'not-applicable':
      return [];
  }
}

function differenceOf({ expected, observed }: RuleResult): string {
  return `expected ${expected ?? 'otherwise'}, got ${observed ?? 'nothing'}`;
}

function unmetRequirements({ rules }: Judged, gate: Gate): readonly Reason[] {
  const reasons: Reason[] = [];
  const exercised = rules.filter(isExercised).length;
  if (gate.minExercised !== undefined && exercised < gate.minExercised)
    reasons.push({
      code: 1,
      says: `${exercised} rules were exercised, and at least ${gate.minExercised} have to be`,
    });
  const unmet = new Set<RuleResult>();
  for (const glob of gate.require ?? []) {
    const required = rules.filter(({ id }) => ruleMatcher(glob)(id));
    if (required.length === 0) reasons.push({ code: 2, says: `no rule of the run matches ${glob}` });
    for (const rule of required) if (!isExercised(rule) && rule.verdict !== 'not-applicable') unmet.add(rule);
  }
  for (const { id, verdict, reason } of unmet)
    reasons.push({ code: 1, rule: id, says: `required, but ${verdict}: ${reason ?? ''}` });
  return reasons;
}

function knownFailures({ rules }: Judged, gate: Gate): ReadonlySet<string> {
  const known = rules.filter(({ id, verdict }) => isKnown(gate, id) && gate.baseline?.known[id] === verdict);
  return new Set(known.map(({ id }) => id));
}

function isKnown({ baseline }: Gate, id: string): boolean {
  return baseline !== undefined && Object.hasOwn(baseline.known, id);
}
