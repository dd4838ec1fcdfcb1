import { checkedJson } from './checked-json.ts';
import type { Report } from './report.ts';

/** Failures that a team knows of. It lives in the team's own repository. */
export interface Baseline {
  /** Rule id to the verdict that is expected until the server is repaired. */
  readonly known: Readonly<Record<string, 'fail' | 'warn'>>;
}

/**
 * Reads a baseline file.
 *
 * @throws {ShapeError} when the text is not a baseline
 */
export function parseBaseline(text: string): Baseline {
  return checkedJson(text, baselineSchema) as Baseline;
}

/** Makes a baseline of the rules that a report shows as failed or warned. */
export function makeBaseline(report: Pick<Report, 'rules'>): Baseline {
  const known = report.rules.flatMap(({ id, verdict }) =>
    verdict === 'fail' || verdict === 'warn' ? [[id, verdict] as const] : [],
  );
  return { known: Object.fromEntries(known) };
}

/** The JSON Schema of the file. */
export const baselineSchema = {
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
