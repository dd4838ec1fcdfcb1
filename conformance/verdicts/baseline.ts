import { checkedJson } from '../schemas/checked-json.ts';
import type { Baseline } from '../scenarios/gate.ts';
import type { Report } from './report.ts';

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
