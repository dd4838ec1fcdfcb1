import type { Command } from 'commander';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { table } from './terminal.ts';

export function scenariosCommand({ terminal }: Context): Command {
  return makeCommand('scenarios', terminal)
    .description('list the model ids and keys that select a certain outcome')
    .option('--json', 'print the list as one JSON document')
    .action(async (options: { readonly json?: true }) => {
      const { listScenarios } = await import('../mock/index.ts');
      const scenarios = await listScenarios();
      if (options.json) {
        terminal.result(JSON.stringify({ schemaVersion: 1, scenarios }, undefined, 2));
        return;
      }
      const rows = scenarios.map(({ model, key, prefer, does }) => [
        model === undefined ? (key === undefined ? `Prefer: ${prefer}` : `key ${key}`) : `model ${model}`,
        does,
      ]);
      for (const line of table(rows)) terminal.result(line);
      terminal.say(
        'Any request can also ask for a scenario with a header, such as Prefer: scenario=slow;after=1;times=2',
      );
    });
}
