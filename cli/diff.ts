import { Option } from 'commander';
import type { Command } from 'commander';
import { diffContracts } from '../contract/index.ts';
import type { LoadOptions } from '../contract/index.ts';
import { list, makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { loadSide } from './diff/side.ts';

interface DiffFlags {
  readonly failOn?: 'breaking' | 'callers' | 'servers';
  readonly format: 'text' | 'markdown' | 'json' | 'github';
  readonly allowRemote?: readonly string[];
  readonly strict?: true;
}

const more = `
OLD and NEW are paths of OpenAPI documents, FILE,SHEET for a document with a behaviour sheet (default: the sheet beside it),
a revision of git such as HEAD~1:specs/pets.yaml, or the name of a contract that comes with the package.

Each change is one of:
  breaking for callers   a caller that conforms to OLD can fail with NEW, when it runs or when it is compiled
  breaking for servers   a server that conforms to OLD can fail with NEW, when it runs or when it is compiled
  unknown                the comparison cannot decide; the output says why
  harmless               callers and servers need no change

Exit codes: 1 if a change matches --fail-on, else 0.`;

export function diffCommand(context: Context): Command {
  const { terminal, exit } = context;
  return makeCommand('diff', terminal)
    .description('compare two versions of a contract: what breaks callers and servers')
    .argument('<old>', 'the version that callers and servers were written for')
    .argument('<new>', 'the new version')
    .addOption(
      new Option('--fail-on <whom>', 'exit with 1 if a change breaks any side, callers, or servers').choices([
        'breaking',
        'callers',
        'servers',
      ]),
    )
    .addOption(
      new Option('--format <name>', 'output format; github: annotations of a workflow')
        .choices(['text', 'markdown', 'json', 'github'])
        .default('text'),
    )
    .option('--allow-remote <hosts>', 'hosts that a document may load $refs from', list)
    .option('--strict', 'refuse slips in the documents that are repaired otherwise')
    .addHelpText('after', more)
    .action(async (old: string, next: string, { failOn, format, allowRemote, strict }: DiffFlags) => {
      const options: Pick<LoadOptions, 'allowRemote' | 'strict'> = {
        ...(allowRemote === undefined ? {} : { allowRemote }),
        ...(strict === undefined ? {} : { strict }),
      };
      const before = await loadSide(old, options, context);
      const after = await loadSide(next, options, context);
      const { countsOf, renderDiff } = await import('./diff/report.ts');
      const diff = { ...(await diffContracts(before, after)), old: before, new: after };
      const text = renderDiff(diff, format, terminal);
      if (format === 'github') terminal.command(text);
      else terminal.result(text);
      const { callers, servers } = countsOf(diff);
      const counted = { breaking: callers + servers, callers, servers };
      if (failOn !== undefined && counted[failOn] > 0) exit(1);
    });
}
