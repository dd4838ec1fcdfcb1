import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ruleMatcher } from '../../conformance/verdicts/verdict.ts';
import type { Report, RuleResult } from '../../conformance/index.ts';

/**
 * Whose fault a finding is. `true`: the server breaks its own document; `set-up`: the way it is run here explains it;
 * `ours`: the suite is wrong.
 */
export const causes = ['true', 'set-up', 'ours'] as const;
export type Cause = (typeof causes)[number];

/** What a person found out about findings of one server. */
export interface Classified {
  readonly server: string;
  /** Ids of rules without `document.`; `*` stands for anything. `run.KIND` is a finding about the run. */
  readonly rules: readonly string[];
  /** Part of what was observed, where the rule alone does not tell the cause. */
  readonly observed?: string;
  readonly cause: Cause;
  /** One sentence. */
  readonly because: string;
}

/** A fail or a warning of a run, or a finding about the run as a whole, with the entry that says what it is. */
export interface Finding {
  readonly rule: Pick<RuleResult, 'id' | 'verdict' | 'observed'>;
  readonly classified: Classified | undefined;
}

/** @throws {Error} for an entry that is not complete */
export function readClassified(text: string): readonly Classified[] {
  const entries = parse(text) as readonly Classified[];
  for (const entry of entries) {
    const isWhole = Array.isArray(entry.rules) && entry.rules.length > 0 && /\S\.$/.test(entry.because);
    if (!isWhole || !causes.includes(entry.cause))
      throw new Error(`not a classified finding: ${JSON.stringify(entry)}`);
  }
  return entries;
}

export const classifiedFindings = (): readonly Classified[] =>
  readClassified(readFileSync(new URL('findings.yaml', import.meta.url), 'utf8'));

/** The findings of a report, each with the first entry that fits. One about the run has its kind after `run.`. */
export function findingsOf(
  report: Pick<Report, 'rules' | 'findings'>,
  server: string,
  classified: readonly Classified[],
): readonly Finding[] {
  const own = classified.filter((entry) => entry.server === server);
  const aboutRun = report.findings.map(
    ({ kind, says }) => ({ id: `document.run.${kind}`, verdict: 'fail', observed: says }) as const,
  );
  return [...aboutRun, ...report.rules]
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map((rule) => ({ rule, classified: own.find((entry) => fits(entry, rule)) }));
}

/** Why the findings are not good enough: nobody has looked at them, or the suite is to blame. */
export function unsettled(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ rule, classified }) => {
    if (classified === undefined)
      return [`${rule.verdict} ${rule.id} is not classified: ${rule.observed ?? ''}`];
    return classified.cause === 'ours' ? [`${rule.verdict} ${rule.id}: ${classified.because}`] : [];
  });
}

// --- internal ---

function fits({ rules, observed }: Classified, rule: Finding['rule']): boolean {
  if (observed !== undefined && rule.observed?.includes(observed) !== true) return false;
  return rules.some((glob) => ruleMatcher(`document.${glob}`)(rule.id));
}
