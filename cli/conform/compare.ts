import type { Command } from 'commander';
import { makeCommand } from '../command-line.ts';
import type { Context } from '../context.ts';
import { readReport } from './report-file.ts';

export function compareCommand(context: Context): Command {
  const { terminal, exit } = context;
  return makeCommand('compare', terminal)
    .description('show what changed between two reports; exit code 1 when a rule is newly broken')
    .argument('<before>', 'the report.json of the earlier run, or its folder')
    .argument('<after>', 'the report.json of the later run, or its folder')
    .option('--json', 'print one JSON document')
    .action(async (before: string, after: string, { json }: { readonly json?: true }) => {
      const { compareReports, renderComparison } = await import('../../conformance/index.ts');
      const [old, now] = await Promise.all([readReport(before, context), readReport(after, context)]);
      const comparison = compareReports(old, now);
      terminal.result(
        json === true
          ? JSON.stringify({ schemaVersion: 1, ...comparison }, undefined, 2)
          : renderComparison(comparison, {
              colour: terminal.colour.result,
              ascii: terminal.ascii,
            }).trimEnd(),
      );
      exit(comparison.broken.length > 0 ? 1 : 0);
    });
}
