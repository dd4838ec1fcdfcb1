import { basename, dirname, join, resolve } from 'node:path';
import type { Contract } from '../../contract/index.ts';
import type { Kept, WriteResult } from '../../generator/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import type { ContractChange } from './changes.ts';
import type { GenerateTask } from './options.ts';
import { ownVersion } from '../own-version.ts';
import { shellLine } from '../../contract/index.ts';
import { table } from '../terminal.ts';

/** What a run has done, or would do. */
export interface GenerateReport {
  /** With the chosen operations only. */
  readonly contracts: readonly Contract[];
  readonly written: Extract<WriteResult, { ok: true }>;
  readonly kept: Kept;
  /** Folders of APIs that are removed. */
  readonly dropped: readonly string[];
  /** What changed in the contracts since the previous code was generated. */
  readonly changes: readonly ContractChange[];
}

/** The failure of a run that would have overwritten files of the user. */
export function inTheWay(
  files: Extract<WriteResult, { ok: false }>['inTheWay'],
  options: GenerateTask,
): CommandFailure {
  const paths = files.map(({ path, reason }) => `${path} (${reason})`).join(', ');
  const replaceable = files.filter(({ reason }) => reason !== 'symbolic link').map(({ path }) => path);
  return new CommandFailure(
    2,
    `${options.out} has ${count(files.length, 'file')} that this run would overwrite: ${paths}`,
    [
      'nothing was changed. to keep them, move them out of this folder',
      ...(replaceable.length === 0
        ? []
        : [`to replace them: ${options.commandLine} --overwrite ${replaceable.join(',')}`]),
    ],
  );
}

/** For `--check`: whether the code is out of date. */
export function reportFreshness(
  report: GenerateReport,
  options: GenerateTask,
  { terminal, exit }: Context,
): void {
  const { added, changed, removed } = report.written;
  for (const line of keptLines(report, options)) terminal.say(`${terminal.sign.info} ${line}`);
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
  terminal.say(`   run: ${options.commandLine}`);
  terminal.say(`   then commit ${options.out}`);
}

export async function printJson(
  { contracts, written, kept, dropped, changes }: GenerateReport,
  options: GenerateTask,
  context: Context,
): Promise<void> {
  const { countsOf } = await import('../diff/report.ts');
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
    kept: Object.entries(kept.contracts).map(([name, { tallystick }]) => ({ name, tallystick })),
    removedApis: dropped,
    contractChanges: changes.map(({ contract, command, diff }) => ({
      name: contract.name,
      counts: diff === undefined ? null : countsOf(diff),
      command,
    })),
    added,
    changed,
    unchanged,
    removed,
  };
  // A watch prints a stream: one line per run.
  context.terminal.result(JSON.stringify(result, undefined, options.watch === true ? 0 : 2));
}

export async function printSummary(
  report: GenerateReport,
  milliseconds: number,
  options: GenerateTask,
  { terminal, cwd }: Context,
): Promise<void> {
  const { result, say, sign, paint } = terminal;
  const { contracts, dropped, written } = report;
  const { added, changed, unchanged, removed } = written;
  const { folderName } = await import('../../generator/index.ts');
  const rows = contracts.map(({ name, operations, sheet }) => [
    `${paint('green', sign.good)} ${name}`,
    count(operations.length, 'operation'),
    sheet === undefined ? 'no behaviour sheet' : `${sheet.policies.length} policies`,
    `${sign.arrow} ${join(options.out, folderName(name))}/`,
  ]);
  for (const line of table(rows, '   ')) result(line);
  const would = options.dryRun === true ? 'would be ' : '';
  const counts = `${count(added.length + changed.length, 'file')} ${would}written, ${unchanged.length} unchanged, ${removed.length} ${would}removed`;
  result(
    `${paint('green', sign.good)} ${counts} in ${milliseconds} ms, listed in ${join(options.out, '.tallystick.json')}`,
  );
  if (options.dryRun === true) {
    for (const path of added) result(`   + ${path}`);
    for (const path of changed) result(`   ~ ${path}`);
  }
  for (const name of dropped) result(`   - ${name}/: this run does not generate it, and --prune was given`);
  for (const path of removed) result(`   - ${path}`);
  for (const line of keptLines(report, options)) say(`${sign.info} ${line}`);
  const [first] = contracts;
  if (first === undefined || options.watch === true || options.dryRun === true) return;
  const folder = folderName(first.name);
  const out = resolve(cwd, options.out);
  if (basename(out) === folder && added.includes('.tallystick.json'))
    say(
      `${sign.info} --out is the folder of all APIs, so the code is in ${join(options.out, folder)}/; for ${options.out}/ itself: --out ${dirname(options.out)}`,
    );
  const specifier = `./${basename(out)}/${folder}/index.${options.importExtension}`;
  say(
    `Next   import * as ${folder.replace(/(?<!\W)\W+(\w)/g, (_, letter: string) => letter.toUpperCase())} from '${specifier}'   in a file beside ${options.out}`,
  );
  say(`       ${options.commandLine} --check   in CI: fails when this code is out of date`);
  say(
    `       ${shellLine('mock', ...options.apis.map(({ document }) => document))}   a live server to develop against`,
  );
}

// --- internal ---

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The parts of the output that the run did not write but keeps, and which of these are out of date. */
function keptLines({ kept }: GenerateReport, { out }: GenerateTask): string[] {
  const names = Object.keys(kept.contracts);
  if (names.length === 0) return [];
  const version = ownVersion();
  const old = Object.entries(kept.contracts).filter(([, { tallystick }]) => tallystick !== version);
  return [
    `${out} keeps ${names.join(', ')}, which this run does not generate (--prune removes that)`,
    ...old.map(
      ([name, { tallystick }]) =>
        `${name} was generated by tallystick ${tallystick} and now shares the runtime of ${version}: generate it again, too`,
    ),
  ];
}
