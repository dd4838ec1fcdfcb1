import type { RuleResult } from '../verdicts/report.ts';

/** The place in the contract, such as `document 1 (Model router), Errors, row 2`. */
export function citation({ source }: Pick<RuleResult, 'source'>): string {
  const { document, title, section, item } = source;
  const named = title === undefined ? '' : ` (${title})`;
  return `document ${document}${named}, ${section}, ${item}`;
}
