import { join, relative, resolve } from 'node:path';
import type { Contract } from '../contract/index.ts';
import type { WriteResult } from '../generator/index.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import type { GenerateOptions } from './generate-options.ts';
import { table } from './terminal.ts';

export type Written = Extract<WriteResult, { ok: true }>;

/** The end of a run that would have lost files. */
export function inTheWay(
  files: Extract<WriteResult, { ok: false }>['inTheWay'],
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
        : [`replace them: ${options.commandLine} --overwrite ${replaceable.join(',')}`]),
    ],
  );
}

/** Of `--check`: whether the code is stale. */
export function reportFreshness(
  { added, changed, removed }: Written,
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
  terminal.say(`   run: ${options.commandLine} && git add ${options.out}`);
}

export function printJson(
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
  // A watch is a stream: a line for each run.
  context.terminal.result(JSON.stringify(result, undefined, options.watch === true ? 0 : 2));
}

export function printSummary(
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
  if (first === undefined || options.watch === true) return;
  const module = `${relative(join(cwd, 'src'), resolve(cwd, options.out, first.name))}/index.${options.importExtension}`;
  const specifier = module.replaceAll('\\', '/').replace(/^(?!\.)/, './');
  terminal.say(`Next   import … from '${specifier}'   in a file of src/`);
  terminal.say('       tallystick generate --check   in CI: fails when this code is stale');
  terminal.say('       tallystick mock               a live server to develop against');
}

// --- internal ---

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
