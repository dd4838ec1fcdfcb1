import { Option } from 'commander';
import type { Command } from 'commander';
import { resolve } from 'node:path';
import { loadOwnContract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { WriteResult } from '../generator/index.ts';
import { list, makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { loadModels } from './generate-models.ts';
import { type GenerateFlags, type GenerateOptions, settleOptions } from './generate-options.ts';
import { inTheWay, printJson, printSummary, reportFreshness } from './generate-report.ts';
import { watchAndRepeat } from './generate-watch.ts';
import { completeHandlers } from './handlers.ts';
import { carriedContracts, loadNamed } from './own-contracts.ts';
import { requireTemplates } from './own-templates.ts';

export function generateCommand(context: Context): Command {
  return makeCommand('generate', context.terminal)
    .description('write types, validators and a client for an API into your repository')
    .argument(
      '[api...]',
      `${carriedContracts().join(', ')}, or an OpenAPI document; default: those of tallystick.config, else all of ours`,
    )
    .option('--out <folder>', 'where the code goes, one folder for each API (default: "src/tallystick")')
    .option('--only <operations>', 'operations by their ids or tags, where not all are wanted', list)
    .option('--model <ids>', 'models of the router whose input is to be typed and checked', list)
    .option('--from <url>', 'the router that has their documents; without it the kept ones are used')
    .option('--sheet <file>', 'the behaviour sheet of your own document')
    .option('--name <name>', "the name of your own document's API; default: from its file name")
    .option('--allow-remote <hosts>', 'hosts that a document may take $refs from', list)
    .addOption(
      new Option('--import-extension <ext>', 'of import specifiers in the code (default: "js")').choices([
        'js',
        'ts',
      ]),
    )
    .option('--templates <folder>', 'templates of yours that take the place of ours of the same name')
    .option('--server', 'servers as well: handlers to write, held to the contract')
    .option(
      '--handlers <folder>',
      'of your handlers for the servers: what they lack is added, nothing else changed',
    )
    .option('--check', 'write nothing; exit 1 when the code is stale')
    .option('--dry-run', 'write nothing; say what would change')
    .option('--watch', 'again whenever a document, a sheet, a template or the configuration changes')
    .option('--overwrite <files>', 'replace these files although they were edited by hand', list)
    .option('--json', 'the result as one JSON document')
    .action(async (apis: readonly string[], flags: GenerateFlags) => {
      const options = await settleOptions(apis, flags, context);
      if (options.watch === true) {
        const settle = (): Promise<GenerateOptions> => settleOptions(apis, flags, context, { afresh: true });
        await watchAndRepeat(options, settle, (settled) => generateInto(settled, context), context);
      } else {
        await generateInto(options, context);
      }
    });
}

// --- internal ---

async function generateInto(options: GenerateOptions, context: Context): Promise<void> {
  const started = performance.now();
  if (options.templates !== undefined) requireTemplates(options.templates, context.cwd);
  const contracts = await loadAll(options, context);
  const written = await write(contracts, options, context);
  if (!written.ok) throw inTheWay(written.inTheWay, options);
  const milliseconds = Math.round(performance.now() - started);
  if (options.json) printJson(contracts, written, options, context);
  if (options.check === true) {
    reportFreshness(written, options, context);
  } else if (options.json !== true) {
    printSummary(contracts, written, milliseconds, options, context);
  }
  if (options.handlers === undefined) return;
  const { out, handlers, importExtension } = options;
  const check = options.check === true || options.dryRun === true;
  await completeHandlers(contracts, { out, handlers, importExtension, check }, context);
}

async function write(
  contracts: readonly Contract[],
  options: GenerateOptions,
  context: Context,
): Promise<WriteResult> {
  const { cwd } = context;
  const { generate, RenderError, UnknownOperationError, withOnly, WriteError, writeGenerated } =
    await import('../generator/index.ts');
  try {
    const wanted = options.only === undefined ? contracts : withOnly(contracts, options.only);
    const models = await loadModels(wanted, options, context);
    const files = await generate(wanted, {
      models,
      importExtension: options.importExtension,
      server: options.server === true || options.handlers !== undefined,
      ...(options.templates === undefined ? {} : { templates: resolve(cwd, options.templates) }),
    });
    // What has begun to be written is written to its end: a signal waits for that.
    const forget = context.onSignal(() => {
      context.exit(130);
    });
    return await writeGenerated(files, {
      out: resolve(cwd, options.out),
      check: options.check === true || options.dryRun === true,
      overwrite: (options.overwrite ?? []).map((path) => withoutFolder(path, options.out)),
    }).finally(forget);
  } catch (error) {
    const isTheirs = [WriteError, RenderError, UnknownOperationError].some((kind) => error instanceof kind);
    if (!isTheirs) throw error;
    throw new Failure(2, (error as Error).message, ['nothing was changed'], { cause: error });
  }
}

/** Ours come first, whatever the order; each document of the user's own has a sheet and a name of its own. */
async function loadAll(options: GenerateOptions, context: Context): Promise<Contract[]> {
  const carried = carriedContracts();
  const asked = options.apis.length > 0 ? options.apis : carried.map((document) => ({ document }));
  const remote = options.allowRemote === undefined ? {} : { allowRemote: options.allowRemote };
  const ours = new Set<(typeof carried)[number]>();
  const foreign: Contract[] = [];
  for (const { document, ...own } of asked) {
    const named = await loadNamed([document], carried, { ...own, ...remote }, context);
    for (const name of named.ours) ours.add(name);
    foreign.push(...named.foreign);
  }
  const own = carried.filter((name) => ours.has(name));
  const all = [...(await Promise.all(own.map((name) => loadOwnContract(name)))), ...foreign];
  requireDistinctNames(all);
  return all;
}

/** A folder holds one API. */
function requireDistinctNames(contracts: readonly Contract[]): void {
  const seen = new Map<string, Contract>();
  for (const contract of contracts) {
    const name = contract.name.toLowerCase();
    const other = seen.get(name);
    if (other !== undefined)
      throw new Failure(
        2,
        `two APIs are called ${contract.name}: ${other.document.file} and ${contract.document.file}`,
        [
          'give one of them another name: `{ document, name }` in tallystick.config, or --name where it is alone',
        ],
      );
    seen.set(name, contract);
  }
}

function withoutFolder(path: string, out: string): string {
  const folder = `${out.replace(/[\\/]+$/, '')}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}
