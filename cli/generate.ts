import type { Command } from 'commander';
import { join, resolve } from 'node:path';
import type { WriteResult } from '../generator/index.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { carriedContracts } from './contracts/own-contracts.ts';
import { runAfterWrite } from './generate/after-write.ts';
import { contractChanges, sayContractChanges } from './generate/changes.ts';
import { loadAll } from './generate/contracts.ts';
import { addGenerateOptions } from './generate/flags.ts';
import { completeHandlers } from './generate/handlers.ts';
import { type GenerateFlags, type GenerateTask, settleOptions } from './generate/options.ts';
import { requireOwnFolder } from './generate/own-folder.ts';
import { requireTemplates } from './generate/own-templates.ts';
import { inTheWay, printJson, printSummary, reportFreshness } from './generate/report.ts';
import { type RunOnce, watchAndRepeat } from './generate/watch.ts';
import { write } from './generate/write.ts';

export function generateCommand(context: Context): Command {
  const command = makeCommand('generate', context.terminal)
    .description('write types, validators and a client for an API into your repository')
    .argument(
      '[api...]',
      `${carriedContracts().join(', ')}, or OpenAPI documents by path; default: those in tallystick.config, or all built-in APIs`,
    );
  return addGenerateOptions(command)
    .addHelpText('after', '\nGenerated code compiles with TypeScript 5.0 or later.')
    .action(async (apis: readonly string[], flags: GenerateFlags) => {
      const options = await settleOptions(apis, flags, context);
      if (options.watch === true) {
        const settle = (): Promise<GenerateTask> => settleOptions(apis, flags, context, { afresh: true });
        const run: RunOnce = (settled, onFiles) => generateInto(settled, context, onFiles);
        await watchAndRepeat(options, settle, run, context);
      } else {
        await generateInto(options, context);
      }
    });
}

// --- internal ---

async function generateInto(
  options: GenerateTask,
  context: Context,
  onFiles?: (files: readonly string[]) => void,
): Promise<void> {
  const started = performance.now();
  if (options.templates !== undefined) requireTemplates(options.templates, context.cwd);
  await requireOwnFolder('--out', options.out, context);
  const contracts = await loadAll(options, context, onFiles);
  const { result, generated, kept, dropped, earlier } = await write(contracts, options, context);
  if (!result.ok) throw inTheWay(result.inTheWay, options);
  const chosen = new Map(
    generated.map(({ name, operations }) => [name, new Set(operations.map(({ id }) => id))]),
  );
  const changes = options.watch === true ? [] : await contractChanges(contracts, earlier, chosen, context);
  const report = { contracts: generated, written: result, kept, dropped, changes };
  const milliseconds = Math.round(performance.now() - started);
  if (options.json === true) await printJson(report, options, context);
  await formatWritten(result, options, context);
  if (options.check === true) {
    reportFreshness(report, options, context);
  } else if (options.json !== true) {
    await printSummary(report, milliseconds, options, context);
  }
  if (options.json !== true) await sayContractChanges(changes, context);
  if (options.handlers === undefined) return;
  await requireOwnFolder('--handlers', options.handlers, context);
  const { out, handlers, importExtension } = options;
  const check = options.check === true || options.dryRun === true;
  await completeHandlers(generated, { out, handlers, importExtension, check }, context);
}

/** Runs the user's command on the written files, and records the result as generated. */
async function formatWritten(
  { added, changed }: Extract<WriteResult, { ok: true }>,
  { afterWrite = [], config, out, check, dryRun }: GenerateTask,
  { cwd, environment }: Context,
): Promise<void> {
  if (afterWrite.length === 0 || config === undefined || check === true || dryRun === true) return;
  const { MANIFEST_PATH, noteFormatted } = await import('../generator/index.ts');
  const paths = [...added, ...changed].filter((path) => path !== MANIFEST_PATH);
  if (paths.length === 0) return;
  const folder = resolve(cwd, out);
  const files = paths.map((path) => join(folder, path));
  await runAfterWrite(afterWrite, files, { config, environment }).finally(() => noteFormatted(folder, paths));
}
