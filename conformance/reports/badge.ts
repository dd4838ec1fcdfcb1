import { visibleJson } from '../../contract/index.ts';
import type { Report } from '../report.ts';
import { verdicts } from '../report.ts';

/** A badge in the form that shields endpoints read: counts, never a share of something. */
export function renderBadge(report: Report): string {
  const { summary } = report;
  const shown = verdicts.filter(
    (verdict) => summary[verdict] > 0 && verdict !== 'not-applicable' && verdict !== 'not-exercised',
  );
  const message =
    shown.length === 0
      ? 'nothing judged'
      : shown.map((verdict) => `${summary[verdict]} ${verdict}`).join(', ');
  const colour =
    summary.fail > 0 || summary.error > 0
      ? 'red'
      : summary.warn > 0 || summary.inconclusive > 0
        ? 'yellow'
        : summary.pass > 0
          ? 'green'
          : 'lightgrey';
  return `${visibleJson({ schemaVersion: 1, label: 'conformance', message, color: colour })}\n`;
}
