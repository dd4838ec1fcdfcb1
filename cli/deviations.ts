import type { Command } from 'commander';
import { shellLine } from '../contract/index.ts';
import type { DeviationListing } from '../mock/index.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { printDiagnostics } from './diagnostics.ts';
import { CommandFailure } from './failure.ts';
import { readDocuments } from './mock/documents.ts';
import { carriedContracts, requireDocument } from './contracts/own-contracts.ts';

export function deviationsCommand(context: Context): Command {
  const { terminal } = context;
  return makeCommand('deviations', terminal)
    .description('list the ways in which the mock can break one rule on purpose (mock --deviate <id>)')
    .argument('[documents...]', 'OpenAPI documents of your own, each with its behaviour sheet beside it')
    .option('--json', 'as one JSON document')
    .action(async (documents: readonly string[], options: { readonly json?: true }) => {
      const listed = await listedOf(documents, context);
      const deviations = listed.map(({ id, rule, alsoFails }) => ({ id, rule, alsoFails }));
      if (options.json) {
        terminal.result(JSON.stringify(deviations, undefined, 2));
        return;
      }
      for (const { id, alsoFails } of deviations) {
        terminal.result(id);
        for (const { rule, why, bySearch } of alsoFails) {
          const where = bySearch === true ? ' with --explore' : '';
          terminal.result(terminal.paint('dim', `  also fails${where} ${rule}: ${why}`));
        }
      }
      const mock = shellLine('mock', ...documents, '--deviate', deviations[0]?.id ?? 'ID');
      terminal.say(
        deviations.length === 0
          ? `no deviations: ${documents.join(', ')} has no behaviour sheet with policies that could be broken`
          : `${deviations.length} deviations; to try one: ${mock}`,
      );
    });
}

// --- internal ---

/** @throws {CommandFailure} when a document cannot be used */
async function listedOf(
  documents: readonly string[],
  context: Context,
): Promise<readonly DeviationListing[]> {
  const { listDeviations } = await import('../mock/index.ts');
  if (documents.length === 0) return listDeviations();
  const isOurs = (name: string): boolean => carriedContracts().some((carried) => carried === name);
  const own = documents.filter((name) => !isOurs(name));
  for (const document of own) requireDocument(document, carriedContracts(), context);
  const read = await readDocuments(
    {
      foreign: own.map((document) => ({ document })),
      ...{ copies: [], allowRemote: undefined, strict: undefined },
    },
    context,
  );
  printDiagnostics(read.diagnostics, context);
  if (!read.ok) throw new CommandFailure(2, `${read.broken.join(', ')} cannot be used`);
  const ours = listDeviations().filter(({ rule }) => documents.includes(rule.split('.', 1)[0] ?? ''));
  return [...ours, ...listDeviations(read.foreign)];
}
