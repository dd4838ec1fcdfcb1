import { Option } from 'commander';
import type { Command } from 'commander';
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadOwnContract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { Kept, Manifest, Unsendable, WriteResult } from '../generator/index.ts';
import { runAfterWrite } from './generate/after-write.ts';
import { eachUse, list, makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failure.ts';
import { contractChanges, sayContractChanges } from './generate/changes.ts';
import { loadModels } from './generate/models.ts';
import { type GenerateFlags, type GenerateTask, settleOptions } from './generate/options.ts';
import { inTheWay, printJson, printSummary, reportFreshness } from './generate/report.ts';
import { type RunOnce, watchAndRepeat } from './generate/watch.ts';
import { completeHandlers } from './generate/handlers.ts';
import { carriedContracts, loadNamed } from './contracts/own-contracts.ts';
import { requireTemplates } from './generate/own-templates.ts';

export function generateCommand(context: Context): Command {
  return makeCommand('generate', context.terminal)
    .description('write types, validators and a client for an API into your repository')
    .argument(
      '[api...]',
      `${carriedContracts().join(', ')}, or OpenAPI documents by path; default: those in tallystick.config, or all built-in APIs`,
    )
    .option(
      '--out <folder>',
      'the folder for the code; each API gets its own folder in it (default: "src/tallystick")',
    )
    .option('--only <operations>', 'generate only these operations, by id or tag', list)
    .option('--except <operations>', 'generate all operations but these, by id or tag', list)
    .option('--model <ids>', 'also type and check the input of these models', list)
    .option('--from <url>', 'fetch the schemas of models from this server; default: the ones fetched before')
    .option('--sheet <file>', 'the behaviour sheet of your OpenAPI document')
    .option('--name <name>', 'the name of the API of your OpenAPI document (default: from its file name)')
    .option(
      '--overlay <file>',
      'an OpenAPI Overlay 1.0 that corrects your OpenAPI document; may be used several times',
      eachUse,
    )
    .option('--strict', 'refuse slips in your OpenAPI document that are repaired with a warning otherwise')
    .option('--allow-remote <hosts>', 'hosts that a document may load $refs from', list)
    .addOption(
      new Option('--import-extension <ext>', 'the extension in import specifiers (default: "js")').choices([
        'js',
        'ts',
      ]),
    )
    .option(
      '--templates <folder>',
      'use the templates in this folder instead of the built-in ones of the same name',
    )
    .addOption(
      new Option('--without <part>', 'leave out this part; servers and models need it').choices([
        'validators',
      ]),
    )
    .option('--types-only', 'generate only types: no client, no guards, no runtime')
    .option('--query', 'also generate keys, options and React hooks for TanStack Query')
    .option('--server', 'also generate servers')
    .option(
      '--handlers <folder>',
      'also generate servers, and add stubs for missing operations to the handlers here',
    )
    .option('--prune', 'remove the code of APIs and models that this run does not generate; default: keep it')
    .option('--check', 'write nothing; exit with 1 when the code is out of date')
    .option('--dry-run', 'write nothing; list what would be new (+), changed (~) or removed (-)')
    .option('--watch', 'generate again whenever a document, a sheet, a template or the configuration changes')
    .option('--overwrite <files>', 'replace these files even if they were edited by hand', list)
    .option('--json', 'print the result as one JSON document')
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

/** How long a run waits for another one that writes to the same folder. */
const PATIENCE_MS = 30_000;

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

interface Outcome {
  readonly result: WriteResult;
  /** The generated APIs, with only the chosen operations. */
  readonly generated: readonly Contract[];
  readonly kept: Kept;
  /** Folders of APIs that are removed. */
  readonly dropped: readonly string[];
  /** The sources of the folder's previous content. */
  readonly earlier: Manifest | undefined;
}

/** Concurrent runs for one folder write one after the other. */
async function write(
  contracts: readonly Contract[],
  options: GenerateTask,
  context: Context,
): Promise<Outcome> {
  const { BusyError, RenderError, UnknownOperationError, WriteError } = await import('../generator/index.ts');
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    try {
      return await writeOnce(contracts, options, context);
    } catch (error) {
      if (error instanceof BusyError && Date.now() < until) continue;
      const isTheirs = [WriteError, RenderError, UnknownOperationError].some((kind) => error instanceof kind);
      if (!isTheirs) throw error;
      throw new CommandFailure(2, (error as Error).message, ['nothing was changed'], { cause: error });
    }
  }
}

async function writeOnce(
  contracts: readonly Contract[],
  options: GenerateTask,
  context: Context,
): Promise<Outcome> {
  const { folderName, generate, keptOf, MANIFEST_PATH, NOTHING_KEPT, parseManifest, readInside } =
    await import('../generator/index.ts');
  const { unsendable, withOnly, writeGenerated } = await import('../generator/index.ts');
  const out = resolve(context.cwd, options.out);
  const { only, except } = options;
  const isNarrow = only !== undefined || except !== undefined;
  const wanted = isNarrow ? withOnly(contracts, { only, except }) : contracts;
  const beside = await readInside(out, MANIFEST_PATH);
  const earlier = parseManifest(beside ?? '');
  const folders = wanted.map(({ name }) => folderName(name));
  const others = keptOf(earlier, folders);
  const kept = options.prune === true ? NOTHING_KEPT : others;
  await requireSameExtension(kept, options, out);
  for (const contract of wanted) sayLeftOut(contract, unsendable(contract), context);
  const models = await loadModels(wanted, earlier, options, context);
  const files = await generate(wanted, {
    ...{ models, kept, importExtension: options.importExtension },
    server: options.server === true || options.handlers !== undefined,
    withoutValidators: options.without === 'validators',
    typesOnly: options.typesOnly === true,
    query: options.query === true,
    ...(options.templates === undefined ? {} : { templates: resolve(context.cwd, options.templates) }),
  });
  // A write that has begun is completed: a signal waits for that.
  const forget = context.onSignal(() => {
    context.exit(130);
  });
  const result = await writeGenerated(files, {
    ...{ out, beside },
    check: options.check === true || options.dryRun === true,
    overwrite: (options.overwrite ?? []).map((path) => withoutFolder(path, options.out)),
  }).finally(forget);
  return {
    result,
    generated: wanted,
    kept,
    dropped: options.prune === true ? Object.keys(others.contracts) : [],
    earlier,
  };
}

/** Reports the omitted operations and bodies, with their places. */
function sayLeftOut(
  { document }: Contract,
  left: readonly Unsendable[],
  { terminal: { say, sign } }: Context,
): void {
  for (const { operation, what } of left) {
    const { id, path, pointer, method } = operation;
    const place = document.locate(pointer);
    const where =
      place === undefined ? '' : `  (${place.file}:${String(place.line)}:${String(place.column)})`;
    const request = `${method.toUpperCase()} ${path}`;
    say(
      what === 'operation'
        ? `${sign.warning} ${id} is left out: no client can send ${request}${where}`
        : `${sign.warning} the body of ${id} is left out: fetch sends no body with ${request}${where}`,
    );
  }
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

/** One runtime serves all APIs of a folder, and its modules import each other by one extension. */
async function requireSameExtension(kept: Kept, options: GenerateTask, out: string): Promise<void> {
  const { readInside } = await import('../generator/index.ts');
  for (const folder of Object.keys(kept.contracts)) {
    const index = (await readInside(out, `${folder}/index.ts`)) ?? '';
    const extension = /\bfrom '\.[^']*\.(js|ts)';/.exec(index)?.[1] ?? options.importExtension;
    if (extension === options.importExtension) continue;
    throw new CommandFailure(
      2,
      `${folder} in ${options.out} imports with .${extension}, this run would write .${options.importExtension}`,
      [
        `they share one runtime: add --import-extension ${extension}, or generate all of them together`,
        'nothing was changed',
      ],
    );
  }
}

/** @throws {CommandFailure} if a symbolic link in the working directory leads the output elsewhere */
async function requireOwnFolder(flag: string, folder: string, { cwd }: Context): Promise<void> {
  const inner = relative(cwd, resolve(cwd, folder));
  if (inner.startsWith('..') || isAbsolute(inner)) return;
  let place = cwd;
  for (const segment of inner.split(sep).filter((part) => part !== '')) {
    place = join(place, segment);
    const stats = await lstat(place).catch(() => undefined);
    if (stats === undefined) return;
    if (!stats.isSymbolicLink()) continue;
    const target = await realpath(place).catch(() => place);
    const isWithin = !relative(await realpath(cwd), target).startsWith('..') && target !== place;
    if (isWithin) continue;
    throw new CommandFailure(
      2,
      `${folder} is behind a symbolic link that leads out of this folder, to ${target}`,
      [`to write there, name that folder: ${flag} ${target}`, 'nothing was changed'],
    );
  }
}

/**
 * Built-in contracts come first, in any order of arguments. Each document of a user has its own sheet and
 * name.
 */
async function loadAll(
  options: GenerateTask,
  context: Context,
  onFiles?: (files: readonly string[]) => void,
): Promise<Contract[]> {
  const carried = carriedContracts();
  const asked = options.apis.length > 0 ? options.apis : carried.map((document) => ({ document }));
  const { allowRemote, strict, only, except } = options;
  const shared = {
    ...(only === undefined ? {} : { only }),
    ...(except === undefined ? {} : { except }),
    ...(allowRemote === undefined ? {} : { allowRemote }),
    ...(strict === undefined ? {} : { strict }),
    ...(onFiles === undefined ? {} : { onFiles }),
  };
  const ours = new Set<(typeof carried)[number]>();
  const foreign: Contract[] = [];
  for (const { document, ...own } of asked) {
    const named = await loadNamed([document], carried, { ...own, ...shared }, context);
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
      throw new CommandFailure(
        2,
        `two APIs are called ${contract.name}: ${other.document.file} and ${contract.document.file}`,
        [
          'rename one of them: `{ document, name }` in tallystick.config, or --name when you generate only that API',
        ],
      );
    seen.set(name, contract);
  }
}

function withoutFolder(path: string, out: string): string {
  const folder = `${out.replace(/(?<![\\/])[\\/]+$/, '')}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}
