import { Option } from 'commander';
import type { Command } from 'commander';
import { join, relative, resolve } from 'node:path';
import { loadOwnContract } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { WriteResult } from '../generator/index.ts';
import { list, makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { completeHandlers } from './handlers.ts';
import { carriedContracts, loadNamed } from './own-contracts.ts';
import { table } from './terminal.ts';

interface GenerateOptions {
  readonly out: string;
  readonly sheet?: string;
  readonly name?: string;
  readonly allowRemote?: readonly string[];
  readonly importExtension: 'js' | 'ts';
  readonly templates?: string;
  readonly server?: true;
  readonly handlers?: string;
  readonly check?: true;
  readonly dryRun?: true;
  readonly overwrite?: readonly string[];
  readonly json?: true;
}

export function generateCommand(context: Context): Command {
  return makeCommand('generate', context.terminal)
    .description('write types, validators and a client for an API into your repository')
    .argument('[api...]', `${carriedContracts().join(', ')}, or an OpenAPI document; default: all of ours`)
    .option('--out <folder>', 'where the code goes, one folder for each API', 'src/tallystick')
    .option('--sheet <file>', 'the behaviour sheet of your own document')
    .option('--name <name>', "the name of your own document's API; default: from its file name")
    .option('--allow-remote <hosts>', 'hosts that a document may take $refs from', list)
    .addOption(
      new Option('--import-extension <ext>', 'of import specifiers in the code')
        .choices(['js', 'ts'])
        .default('js'),
    )
    .option('--templates <folder>', 'templates of yours that take the place of ours of the same name')
    .option('--server', 'servers as well: handlers to write, held to the contract')
    .option(
      '--handlers <folder>',
      'of your handlers for the servers: what they lack is added, nothing else changed',
    )
    .option('--check', 'write nothing; exit 1 when the code is stale')
    .option('--dry-run', 'write nothing; say what would change')
    .option('--overwrite <files>', 'replace these files although they were edited by hand', list)
    .option('--json', 'the result as one JSON document')
    .action(async (apis: readonly string[], options: GenerateOptions) => {
      await generateInto(apis, options, context);
    });
}

// --- internal ---

async function generateInto(
  apis: readonly string[],
  options: GenerateOptions,
  context: Context,
): Promise<void> {
  const started = performance.now();
  const contracts = await loadAll(apis, options, context);
  const written = await write(contracts, options, context);
  if (!written.ok) throw inTheWay(written.inTheWay, apis, options);
  const milliseconds = Math.round(performance.now() - started);
  if (options.json) printJson(contracts, written, options, context);
  if (options.check === true) {
    reportFreshness(written, apis, options, context);
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
  { cwd }: Context,
): Promise<WriteResult> {
  const { generate, RenderError, WriteError, writeGenerated } = await import('../generator/index.ts');
  try {
    const files = await generate(contracts, {
      importExtension: options.importExtension,
      server: options.server === true || options.handlers !== undefined,
      ...(options.templates === undefined ? {} : { templates: resolve(cwd, options.templates) }),
    });
    return await writeGenerated(files, {
      out: resolve(cwd, options.out),
      check: options.check === true || options.dryRun === true,
      overwrite: (options.overwrite ?? []).map((path) => withoutFolder(path, options.out)),
    });
  } catch (error) {
    if (!(error instanceof WriteError || error instanceof RenderError)) throw error;
    throw new Failure(2, error.message, [], { cause: error });
  }
}

async function loadAll(
  apis: readonly string[],
  options: GenerateOptions,
  context: Context,
): Promise<Contract[]> {
  const own = carriedContracts();
  const { ours, foreign } = await loadNamed(
    apis.length > 0 ? apis : own,
    own,
    {
      ...(options.sheet === undefined ? {} : { sheet: options.sheet }),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.allowRemote === undefined ? {} : { allowRemote: options.allowRemote }),
    },
    context,
  );
  return [...(await Promise.all(ours.map((name) => loadOwnContract(name)))), ...foreign];
}

type Written = Extract<WriteResult, { ok: true }>;

function inTheWay(
  files: Extract<WriteResult, { ok: false }>['inTheWay'],
  apis: readonly string[],
  options: GenerateOptions,
): Failure {
  const paths = files.map(({ path, reason }) => `${path} (${reason})`).join(', ');
  const replaceable = files.filter(({ reason }) => reason !== 'symbolic link').map(({ path }) => path);
  return new Failure(
    2,
    `${options.out} holds ${count(files.length, 'file')} that tallystick did not write so: ${paths}`,
    [
      'nothing was changed. keep them: move them out of this folder',
      ...(replaceable.length === 0
        ? []
        : [`replace them: ${commandLine(apis, options)} --overwrite ${replaceable.join(',')}`]),
    ],
  );
}

function reportFreshness(
  { added, changed, removed }: Written,
  apis: readonly string[],
  options: GenerateOptions,
  { terminal, exit }: Context,
): void {
  const parts = [
    changed.length > 0
      ? `${count(changed.length, 'file')} ${changed.length === 1 ? 'differs' : 'differ'}`
      : '',
    added.length > 0 ? `${added.length} missing` : '',
    removed.length > 0 ? `${removed.length} no longer needed` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) {
    if (options.json !== true) terminal.result(`${terminal.sign.good} ${options.out} is up to date`);
    return;
  }
  exit(1);
  terminal.say(
    `${terminal.paint('red', terminal.sign.bad, 'say')} Generated code is stale: ${parts.join(', ')}`,
  );
  const names = [
    ...changed,
    ...added.map((path) => `${path} (missing)`),
    ...removed.map((path) => `${path} (obsolete)`),
  ];
  for (const name of names.slice(0, 20)) terminal.say(`   ${name}`);
  if (names.length > 20) terminal.say(`   and ${names.length - 20} more`);
  terminal.say(`   run: ${commandLine(apis, options)} && git add ${options.out}`);
}

function printJson(
  contracts: readonly Contract[],
  written: Written,
  options: GenerateOptions,
  context: Context,
): void {
  const { added, changed, unchanged, removed } = written;
  const result = {
    schemaVersion: 1,
    out: options.out,
    wrote: options.check !== true && options.dryRun !== true,
    apis: contracts.map((contract) => ({
      name: contract.name,
      version: contract.version,
      document: contract.document.hash,
      operations: contract.operations.length,
    })),
    added,
    changed,
    unchanged,
    removed,
  };
  context.terminal.result(JSON.stringify(result, undefined, 2));
}

function printSummary(
  contracts: readonly Contract[],
  { added, changed, unchanged, removed }: Written,
  milliseconds: number,
  options: GenerateOptions,
  { terminal, cwd }: Context,
): void {
  const { result, sign, paint } = terminal;
  const rows = contracts.map(({ name, operations, sheet }) => [
    `${paint('green', sign.good)} ${name}`,
    count(operations.length, 'operation'),
    sheet === undefined ? 'no behaviour sheet' : `${sheet.policies.length} policies`,
    `${sign.arrow} ${join(options.out, name)}/`,
  ]);
  for (const line of table(rows, '   ')) result(line);
  const would = options.dryRun === true ? 'would be ' : '';
  const counts = `${count(added.length + changed.length, 'file')} ${would}written, ${unchanged.length} unchanged, ${removed.length} ${would}removed`;
  result(
    `${paint('green', sign.good)} ${counts} in ${milliseconds} ms, listed in ${join(options.out, '.tallystick.json')}`,
  );
  if (options.dryRun === true) {
    for (const path of [...added, ...changed]) result(`   + ${path}`);
    for (const path of removed) result(`   - ${path}`);
    return;
  }
  const [first] = contracts;
  if (first === undefined) return;
  const module = `${relative(join(cwd, 'src'), resolve(cwd, options.out, first.name))}/index.${options.importExtension}`;
  const specifier = module.replaceAll('\\', '/').replace(/^(?!\.)/, './');
  terminal.say(`Next   import … from '${specifier}'   in a file of src/`);
  terminal.say('       tallystick generate --check   in CI: fails when this code is stale');
  terminal.say('       tallystick mock               a live server to develop against');
}

function commandLine(apis: readonly string[], options: GenerateOptions): string {
  const parts = ['tallystick generate', ...apis];
  if (options.sheet !== undefined) parts.push(`--sheet ${options.sheet}`);
  if (options.name !== undefined) parts.push(`--name ${options.name}`);
  if (options.out !== 'src/tallystick') parts.push(`--out ${options.out}`);
  if (options.importExtension !== 'js') parts.push(`--import-extension ${options.importExtension}`);
  if (options.templates !== undefined) parts.push(`--templates ${options.templates}`);
  if (options.server === true) parts.push('--server');
  if (options.handlers !== undefined) parts.push(`--handlers ${options.handlers}`);
  return parts.join(' ');
}

function withoutFolder(path: string, out: string): string {
  const folder = `${out.replace(/[\\/]+$/, '')}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
