import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  loadContract,
  loadOwnContract,
  ownContractNames,
  packageRoot,
  suggest,
} from '../../contract/index.ts';
import type { Contract, LoadOptions, OwnContractName } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { printDiagnostics } from '../diagnostics.ts';
import { CommandFailure } from '../failure.ts';

/** The built-in contracts of the package. */
export function carriedContracts(): readonly OwnContractName[] {
  return ownContractNames.filter((name) => existsSync(join(packageRoot(), 'specs', `${name}.openapi.yaml`)));
}

/** The host of a document's address: typing the address allows its host. */
export function hostNamed(document: string): readonly string[] {
  return /^https?:/i.test(document) && URL.canParse(document) ? [new URL(document).host] : [];
}

/** The built-in contracts with these names, or all of them. */
export function loadCarried(names: readonly string[] = carriedContracts()): Promise<Contract[]> {
  return Promise.all(
    carriedContracts()
      .filter((name) => names.includes(name))
      .map((name) => loadOwnContract(name)),
  );
}

/** How the documents of a command line are read. */
export interface NamedOptions extends Pick<
  LoadOptions,
  'sheet' | 'name' | 'allowRemote' | 'overlays' | 'strict' | 'only' | 'except'
> {
  /** Receives the local files that were read, including missing ones, also for an invalid document. */
  readonly onFiles?: (files: readonly string[]) => void;
}

/**
 * Reads what a command line names: built-in contracts by name, the user's documents by path.
 *
 * @throws {CommandFailure} when a name is unknown or a document is not valid; its diagnostics have been printed by then
 */
export async function loadNamed(
  names: readonly string[],
  own: readonly OwnContractName[],
  { onFiles, ...options }: NamedOptions,
  context: Context,
): Promise<{ readonly ours: readonly OwnContractName[]; readonly foreign: readonly Contract[] }> {
  const ours = own.filter((name) => names.includes(name));
  const documents = names.filter((name) => !ours.some((our) => our === name));
  for (const document of documents) requireDocument(document, own, context);
  for (const flag of ['sheet', 'name'] as const) {
    if (options[flag] === undefined || documents.length === 1) continue;
    throw new CommandFailure(2, `--${flag} needs exactly one OpenAPI document of your own`, [
      'give the path of one document as the argument',
    ]);
  }
  const foreign: Contract[] = [];
  for (const document of documents)
    foreign.push(await loadForeign({ ...options, document }, context, onFiles));
  return { ours, foreign };
}

/** @throws {CommandFailure} for a name that is neither a built-in API nor a path */
export function requireDocument(
  document: string,
  own: readonly string[],
  { cwd }: Pick<Context, 'cwd'>,
): void {
  if (existsSync(resolve(cwd, document)) || /[./\\]/.test(document)) return;
  throw unknownApi(document, own);
}

/** The message for a name that is neither a built-in API nor a file. */
export function unknownApi(name: string, known: readonly string[]): CommandFailure {
  const near = suggest(name, known);
  return new CommandFailure(2, `Unknown API ${name}${near === undefined ? '' : `. Did you mean ${near}?`}`, [
    `built-in: ${known.join(', ')}; for an API of your own, give the path of its OpenAPI document`,
  ]);
}

/**
 * Reads a user's own document.
 *
 * @throws {CommandFailure} when it is not valid; its diagnostics have been printed by then
 */
export async function loadForeign(
  options: LoadOptions,
  context: Context,
  onFiles?: NamedOptions['onFiles'],
): Promise<Contract> {
  const allowRemote = [...(options.allowRemote ?? []), ...hostNamed(options.document)];
  const loaded = await loadContract({ ...options, allowRemote, cwd: context.cwd });
  onFiles?.(loaded.files);
  printDiagnostics(loaded.ok ? loaded.warnings : loaded.diagnostics, context);
  if (loaded.ok) return loaded.contract;
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error').length;
  throw new CommandFailure(
    2,
    `${options.document} is not valid: ${errors} ${errors === 1 ? 'error' : 'errors'}`,
    ['nothing was changed'],
  );
}
