import { visibleJson } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import type { Report } from '../verdicts/report.ts';

/**
 * One JSON document per line: the run, its findings, causes, every rule, observation and exchange, what is left, and
 * the summary at the end.
 */
export function renderNdjson(report: Report): string {
  const {
    findings,
    causes = [],
    rules,
    observations,
    notJudged,
    exchanges,
    summary,
    left = [],
    ...run
  } = report;
  const { exitCode, reasons } = conclude(report);
  const lines: readonly object[] = [
    { event: 'run', ...run },
    ...findings.map((finding) => ({ event: 'finding', ...finding })),
    ...causes.map((cause) => ({ event: 'cause', ...cause })),
    ...exchanges.map((exchange) => ({ event: 'exchange', ...exchange })),
    ...rules.map((rule) => ({ event: 'rule', ...rule })),
    ...observations.map((observation) => ({ event: 'observation', ...observation })),
    ...notJudged.map((rule) => ({ event: 'not-judged', ...rule })),
    ...left.map((thing) => ({ event: 'left', ...thing })),
    { event: 'summary', ...summary, exitCode, reasons },
  ];
  return lines.map((line) => `${visibleJson(line)}\n`).join('');
}
