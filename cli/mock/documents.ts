import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { loadContract, packageRoot, sharedPaths, shownPlace } from '../../contract/index.ts';
import type { Contract, Diagnostic, OwnContractName } from '../../contract/index.ts';
import type { ApiConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { carriedContracts, hostNamed } from '../contracts/own-contracts.ts';
import { sheetBeside } from '../contracts/sheet-beside.ts';

/** A copy of a built-in contract, served instead of it. */
export interface OwnCopy {
  readonly name: OwnContractName;
  readonly document: string;
  readonly sheet: string | undefined;
}

/** The users' documents that a mock serves. */
export interface MockDocuments {
  /** Each with its sheet, or the one beside it. */
  readonly foreign: readonly ApiConfig[];
  readonly copies: readonly OwnCopy[];
  readonly allowRemote: readonly string[] | undefined;
  /** Refuse slips that are repaired otherwise. */
  readonly strict: true | undefined;
}

export type ReadDocuments = {
  /** Every local file that was used. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
} & (
  | {
      readonly ok: true;
      readonly foreign: readonly Contract[];
      readonly own: readonly Contract[];
    }
  /** The documents that cannot be used. */
  | { readonly ok: false; readonly broken: readonly string[] }
);

/** Option parser: `router=document[,sheet]`, all uses together. */
export function ownCopies(text: string, previous: readonly OwnCopy[] | undefined): readonly OwnCopy[] {
  const [, name, document, sheet] = /^([a-z]+)=([^,]+)(?:,([^,]+))?$/.exec(text) ?? [];
  const known = carriedContracts().find((carried) => carried === name);
  if (document === undefined || known === undefined)
    throw new InvalidArgumentError(
      `Expected NAME=DOCUMENT or NAME=DOCUMENT,SHEET with a name of ${carriedContracts().join(', ')}.`,
    );
  return [...(previous ?? []).filter((copy) => copy.name !== known), { name: known, document, sheet }];
}

/** Reads them all, and reports every problem in any of them. */
export async function readDocuments(
  { foreign, copies, allowRemote, strict }: MockDocuments,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<ReadDocuments> {
  const shared = {
    cwd,
    allowRemote: [...(allowRemote ?? []), ...foreign.flatMap(({ document }) => hostNamed(document))],
    ...(strict === undefined ? {} : { strict }),
  };
  const wanted = [
    ...foreign.map(({ sheet, ...own }) => {
      const used = sheet ?? sheetBeside(own.document, cwd);
      return { ...shared, ...own, ...(used === undefined ? {} : { sheet: used }) };
    }),
    ...copies.map((copy) => ({
      ...shared,
      name: copy.name,
      document: copy.document,
      sheet: sheetOf(copy, cwd),
    })),
  ];
  const contracts: Contract[] = [];
  const diagnostics: Diagnostic[] = [];
  const files: string[] = [];
  const broken: string[] = [];
  for (const options of wanted) {
    const loaded = await loadContract(options);
    files.push(...loaded.files);
    diagnostics.push(...(loaded.ok ? loaded.warnings : loaded.diagnostics));
    if (loaded.ok) contracts.push(loaded.contract);
    else broken.push(options.document);
  }
  const told = { files: [...new Set(files)], diagnostics: [...diagnostics, ...sharedPaths(contracts)] };
  return broken.length > 0
    ? { ok: false, broken, ...told }
    : {
        ok: true,
        foreign: contracts.slice(0, foreign.length),
        own: contracts.slice(foreign.length),
        ...told,
      };
}

/** One line per error: place and problem. */
export function problemsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ location, message }) =>
      location === undefined ? message : `${shownPlace(location)}  ${message}`,
    );
}

// --- internal ---

/** The named sheet, the one beside the document, or the built-in one. */
function sheetOf({ name, document, sheet }: OwnCopy, cwd: string): string {
  return sheet ?? sheetBeside(document, cwd) ?? join(packageRoot(), 'specs', `${name}.behaviour.yaml`);
}
