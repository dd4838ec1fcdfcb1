import { Option } from 'commander';
import type { Command } from 'commander';
import type { ReportFormat } from '../../conformance/index.ts';
import { makeCommand } from '../command-line.ts';

import type { Context } from '../context.ts';
import { readReport, reportFolder } from './report-file.ts';

// Repeated here so that the help does not have to load the suite; a test compares the two lists.
export const reportFormatNames = [
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

export function reportCommand(context: Context): Command {
  const { terminal } = context;
  return makeCommand('report', terminal)
    .description('print the report of an earlier run in another format')
    .argument('<report>', `a report.json or its folder; also searched for in ${reportFolder}/`)
    .addOption(new Option('--format <name>', 'output format').choices([...reportFormatNames]).default('text'))
    .action(async (file: string, { format }: { readonly format: ReportFormat }) => {
      const { renderReport } = await import('../../conformance/index.ts');
      const report = await readReport(file, context);
      const text = renderReport(report, format, {
        colour: terminal.colour.result,
        ascii: terminal.ascii,
      }).trimEnd();
      if (format === 'github') terminal.command(text);
      else terminal.result(text);
    });
}
