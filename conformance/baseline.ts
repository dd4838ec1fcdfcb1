import { checkedJson } from './checked-json.ts';
import type { Report, Verdict } from './report.ts';

/** Failures that a team knows of. It lives in the team's own repository. */
export interface Baseline {
  /** Rule id to the verdict that is expected until it is mended. */
  readonly known: Readonly<Record<string, 'fail' | 'warn'>>;
}

export interface BaselineResult {
  /** Broken rules that the baseline does not know. */
  readonly unexpected: readonly string[];
  /** Entries whose rule passes by now: the baseline must shrink. */
  readonly stale: readonly string[];
  /** 1 when there is either, else 0. */
  readonly exitCode: 0 | 1;
}

/**
 * Reads a baseline file.
 *
 * @throws {ShapeError} when the text is not a baseline
 */
export function parseBaseline(text: string): Baseline {
  return checkedJson(text, baselineSchema) as Baseline;
}

export function makeBaseline(report: Pick<Report, 'rules'>): Baseline {
  const known = report.rules.flatMap(({ id, verdict }) =>
    verdict === 'fail' || verdict === 'warn' ? [[id, verdict] as const] : [],
  );
  return { known: Object.fromEntries(known) };
}

/** A rule that was not exercised says nothing: it neither confirms an entry nor makes it stale. */
export function compareBaseline(report: Pick<Report, 'rules'>, baseline: Baseline): BaselineResult {
  const known = new Map<string, Verdict>(Object.entries(baseline.known));
  const unexpected = report.rules
    .filter(({ id, verdict }) => verdict === 'fail' || (verdict === 'warn' && known.has(id)))
    .filter(({ id, verdict }) => known.get(id) !== verdict)
    .map(({ id }) => id);
  const stale = report.rules
    .filter(({ id, verdict }) => verdict === 'pass' && known.has(id))
    .map(({ id }) => id);
  return { unexpected, stale, exitCode: unexpected.length + stale.length > 0 ? 1 : 0 };
}

// --- internal ---

const baselineSchema = {
  type: 'object',
  properties: {
    known: {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z][\\w.-]*$' },
      additionalProperties: { enum: ['fail', 'warn'] },
    },
  },
  required: ['known'],
};
