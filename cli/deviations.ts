import type { Command } from 'commander';
import { typed } from '../contract/index.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';

export function deviationsCommand({ terminal }: Context): Command {
  return makeCommand('deviations', terminal)
    .description('list the ways in which the mock can break one rule on purpose (mock --deviate <id>)')
    .option('--json', 'as one JSON document')
    .action(async (options: { readonly json?: true }) => {
      const { listDeviations } = await import('../mock/index.ts');
      const deviations = listDeviations().map(({ id, rule, alsoFails }) => ({ id, rule, alsoFails }));
      if (options.json) {
        terminal.result(JSON.stringify(deviations, undefined, 2));
        return;
      }
      for (const { id, alsoFails } of deviations) {
        terminal.result(id);
        for (const { rule, why } of alsoFails) {
          terminal.result(terminal.paint('dim', `  also fails ${rule}: ${why}`));
        }
      }
      terminal.say(
        `${deviations.length} deviations; to try one: ${typed(`mock --deviate ${deviations[0]?.id ?? 'ID'}`)}`,
      );
    });
}
