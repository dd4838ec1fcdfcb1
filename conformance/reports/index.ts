import { visibleJson } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import type { Report } from '../verdicts/report.ts';
import { renderBadge } from './badge.ts';
import { renderGithub } from './github.ts';
import { renderHar } from './har.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderNdjson } from './ndjson.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';
import type { TerminalReportOptions } from './terminal.ts';

export { renderComparison } from './comparison.ts';
export { renderPlan, unsearchedLine } from './plan.ts';
export type { TerminalReportOptions } from './terminal.ts';

/** The names of the report formats. */
export const reportFormats = [
  'text',
  'json',
  'ndjson',
  'markdown',
  'junit',
  'html',
  'sarif',
  'har',
  'badge',
  'github',
] as const;
/** The name of a report format. */
export type ReportFormat = (typeof reportFormats)[number];

/** The report in another format. All formats are made from the report alone. */
export function renderReport(
  report: Report,
  format: ReportFormat,
  options: TerminalReportOptions = {},
): string {
  switch (format) {
    case 'text':
      return renderTerminal(report, options);
    case 'json':
      return renderJson(report);
    case 'ndjson':
      return renderNdjson(report);
    case 'markdown':
      return renderMarkdown(report);
    case 'junit':
      return renderJunit(report);
    case 'html':
      return renderHtml(report);
    case 'sarif':
      return renderSarif(report);
    case 'har':
      return renderHar(report);
    case 'badge':
      return renderBadge(report);
    case 'github':
      return renderGithub(report);
  }
}

// --- internal ---

function renderJson(report: Report): string {
  const { exitCode, reasons } = conclude(report);
  return `${visibleJson({ ...report, exitCode, reasons }, 1)}\n`;
}
