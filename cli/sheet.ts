import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadContract, packageRoot, shellLine } from '../contract/index.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { printDiagnostics } from './diagnostics.ts';
import { CommandFailure } from './failure.ts';
import { loadForeign } from './contracts/own-contracts.ts';
import { overlayOption } from './contracts/overlay-option.ts';

export function sheetCommand(context: Context): Command {
  const { terminal } = context;
  return makeCommand('sheet', terminal)
    .description('write and check the behaviour sheet of your OpenAPI document')
    .addCommand(
      makeCommand('draft', terminal)
        .description('propose a behaviour sheet from what the document suggests, with places and reasons')
        .argument('<document>', 'your OpenAPI document')
        .option('--out <file>', 'write the draft into this file, which must not exist yet (default: stdout)')
        .addOption(overlayOption())
        .action((document: string, options: DraftOptions) => draft(document, options, context)),
    )
    .addCommand(
      makeCommand('check', terminal)
        .description('check a behaviour sheet against its schema and its OpenAPI document')
        .argument('<sheet>', 'such as notes.behaviour.yaml')
        .option('--document <file>', 'its OpenAPI document (default: the one beside it, such as notes.yaml)')
        .addOption(overlayOption())
        .action((sheet: string, options: CheckOptions) => check(sheet, options, context)),
    );
}

// --- internal ---

interface DraftOptions {
  readonly out?: string;
  readonly overlay?: readonly string[];
}

interface CheckOptions {
  readonly document?: string;
  readonly overlay?: readonly string[];
}

async function draft(
  document: string,
  { out, overlay: overlays = [] }: DraftOptions,
  context: Context,
): Promise<void> {
  const { cwd, terminal } = context;
  if (out !== undefined && existsSync(resolve(cwd, out)))
    throw new CommandFailure(2, `${out} already exists`, [
      'nothing was changed: name another file with --out',
    ]);
  const contract = await loadForeign({ document, overlays }, context);
  const { draftText, proposalsOf } = await import('../contract/draft/index.ts');
  const proposals = proposalsOf(contract);
  const text = draftText(contract, proposals, schemaFor(out, cwd));
  if (out === undefined) terminal.result(text.trimEnd());
  else await writeFile(resolve(cwd, out), text, { flag: 'wx' });
  const doubtful = proposals.filter(({ doubt }) => doubt !== undefined).length;
  const found = `${String(proposals.length - doubtful)} policies proposed, ${String(doubtful)} more as comments`;
  terminal.say(`${terminal.sign.good} ${out === undefined ? '' : `${out}: `}${found}`);
  if (out !== undefined)
    terminal.say(
      `Next   ${shellLine('sheet', 'check', out, ...overlays.flatMap((file) => ['--overlay', file]))}`,
    );
}

async function check(sheet: string, options: CheckOptions, context: Context): Promise<void> {
  const { cwd, terminal, exit } = context;
  const document = options.document ?? documentBeside(sheet, cwd);
  if (!existsSync(resolve(cwd, sheet))) throw new CommandFailure(2, `There is no file ${sheet}`);
  if (document === undefined)
    throw new CommandFailure(2, `There is no OpenAPI document beside ${sheet}`, ['name it with --document']);
  const loaded = await loadContract({ document, sheet, cwd, overlays: options.overlay ?? [] });
  const diagnostics = loaded.ok ? loaded.warnings : loaded.diagnostics;
  printDiagnostics(diagnostics, context);
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  if (!loaded.ok) {
    exit(1);
    terminal.say(
      `${terminal.sign.bad} ${sheet}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`,
    );
    return;
  }
  const { policies = [], rules = [] } = loaded.contract.sheet ?? {};
  const held = `${counted(policies.length, 'policy')} and ${counted(rules.length, 'rule')} fit ${document}`;
  terminal.say(
    `${terminal.sign.good} ${sheet}: ${held}${warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`}`,
  );
}

/** `notes.yaml` or `notes.openapi.yaml` beside `notes.behaviour.yaml`. */
function documentBeside(sheet: string, cwd: string): string | undefined {
  const [, stem] = /^(.*)\.behaviour\.(?:ya?ml|json)$/.exec(sheet) ?? [];
  if (stem === undefined) return undefined;
  return ['yaml', 'yml', 'json']
    .flatMap((extension) => [`${stem}.openapi.${extension}`, `${stem}.${extension}`])
    .find((file) => existsSync(resolve(cwd, file)));
}

/** The path of the schema for editors, relative to the sheet: in the installed package. */
function schemaFor(out: string | undefined, cwd: string): string {
  const folder = out === undefined ? cwd : dirname(resolve(cwd, out));
  const path = relative(folder, join(packageRoot(), 'specs', 'behaviour.schema.json')).replaceAll('\\', '/');
  // The package is installed elsewhere, so its path is not the same for others.
  return path.includes('node_modules/') && !path.startsWith('../../..')
    ? path.startsWith('.')
      ? path
      : `./${path}`
    : './node_modules/tallystick/specs/behaviour.schema.json';
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${count === 1 ? noun : noun.replace(/y$/, 'ie')}${count === 1 ? '' : 's'}`;
}
