import { visibleJson } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import type { Report, Verdict } from '../verdicts/report.ts';
import { verdicts } from '../verdicts/report.ts';

/**
 * A badge in the form that shields endpoints read. It shows counts, never a percentage. It is red unless the
 * exit code is 0.
 */
export function renderBadge(report: Report): string {
  const { exitCode, known } = conclude(report);
  const count = (wanted: Verdict): number =>
    report.rules.filter(({ id, verdict }) => verdict === wanted && !known.has(id)).length;
  const counts = [
    ...verdicts
      .filter((verdict) => verdict !== 'not-applicable' && verdict !== 'not-exercised')
      .map((verdict) => [count(verdict), verdict] as const),
    [known.size, 'known'] as const,
  ].filter(([number]) => number > 0);
  const said = counts.map(([number, what]) => `${number} ${what}`);
  const message = [...(report.status === 'judged' ? [] : [report.status]), ...said].join(', ');
  const isDoubtful = count('warn') + count('inconclusive') + known.size > 0;
  const colour = exitCode !== 0 ? 'red' : isDoubtful ? 'yellow' : count('pass') > 0 ? 'green' : 'lightgrey';
  return `${visibleJson({
    schemaVersion: 1,
    label: 'conformance',
    message: message === '' ? 'nothing judged' : message,
    color: colour,
  })}\n`;
}
