import type { Command } from 'commander';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { loadCarried } from './contracts/own-contracts.ts';
import { table } from './terminal.ts';

export function assumptionsCommand({ terminal }: Context): Command {
  return makeCommand('assumptions', terminal)
    .description(
      'list what the contract leaves open, what the mock does there, and which members settings can change',
    )
    .option('--json', 'print the list as one JSON document')
    .action(async (options: { readonly json?: true }) => {
      const contracts = await loadCarried();
      const assumptions = contracts.flatMap(({ name, sheet }) =>
        (sheet?.unspecified ?? []).map((point) => ({ api: name, ...point })),
      );
      if (options.json) {
        terminal.result(JSON.stringify({ schemaVersion: 1, assumptions }, undefined, 2));
        return;
      }
      const rows = assumptions.map(({ id, api, about, mockUses, canBe }) => [
        id,
        api,
        canBe === undefined ? 'fixed' : Object.keys(canBe).join(', '),
        `${about} ${terminal.sign.arrow} ${JSON.stringify(mockUses)}`,
      ]);
      for (const line of table(rows)) terminal.result(line);
    });
}
