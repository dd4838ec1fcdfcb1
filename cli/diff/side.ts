import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadContract, loadOwnContract } from '../../contract/index.ts';
import type { Contract, LoadOptions } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { printDiagnostics } from '../diagnostics.ts';
import { CommandFailure } from '../failure.ts';
import { loadRevision, parseRevision } from './git-revision.ts';
import { carriedContracts, requireDocument } from '../contracts/own-contracts.ts';
import { sheetBeside } from '../contracts/sheet-beside.ts';

/**
 * Reads one side of a comparison: a built-in contract by its name, a document by its path or as `REV:path`, either
 * with `,SHEET`. If no sheet is named, the sheet beside the document is used. Only errors are reported here; warnings
 * matter to users who generate code.
 *
 * @throws {CommandFailure} when there is no such document or it is not valid; its diagnostics have been printed by then
 */
export async function loadSide(
  named: string,
  options: Pick<LoadOptions, 'allowRemote' | 'strict'>,
  context: Context,
): Promise<Contract> {
  const carried = carriedContracts();
  const own = carried.find((name) => name === named);
  if (own !== undefined) return loadOwnContract(own);
  const { document, sheet } = splitSide(named, context);
  const revision = existsSync(resolve(context.cwd, document)) ? undefined : parseRevision(document);
  if (revision === undefined) requireDocument(document, carried, context);
  const used = sheet ?? (revision === undefined ? sheetBeside(document, context.cwd) : undefined);
  const all = { ...options, ...(used === undefined ? {} : { sheet: used }) };
  const loaded =
    revision === undefined
      ? await loadContract({ ...all, document, cwd: context.cwd })
      : await loadRevision(revision, all, context);
  if (loaded.ok) return loaded.contract;
  printDiagnostics(loaded.diagnostics, context);
  const errors = loaded.diagnostics.filter(({ severity }) => severity === 'error').length;
  throw new CommandFailure(
    2,
    `${named} is not valid: ${String(errors)} ${errors === 1 ? 'error' : 'errors'}`,
    ['correct it, or compare with another version'],
  );
}

// --- internal ---

/** A file may have a comma in its name. */
function splitSide(named: string, { cwd }: Context): { readonly document: string; readonly sheet?: string } {
  if (existsSync(resolve(cwd, named))) return { document: named };
  const [, document, sheet] = /^(.+),([^,]+)$/s.exec(named) ?? [];
  return document === undefined || sheet === undefined ? { document: named } : { document, sheet };
}
