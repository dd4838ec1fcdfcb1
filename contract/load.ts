import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { buildContract } from './build.ts';
import { isError } from './diagnostic-codes.ts';
import type { BehaviourSheet, Contract, Diagnostic, Document, JsonObject } from './model.ts';
import { parseFile } from './parse.ts';
import { readText } from './read.ts';
import { loadSheet } from './sheet.ts';

export interface LoadOptions {
  /** Path of an OpenAPI 3.0 or 3.1 document, YAML or JSON. */
  readonly document: string;
  /** Path of its behaviour sheet, if it has one. */
  readonly sheet?: string;
  /** Short name in lower case; made from the file's name by default. */
  readonly name?: string;
  /** What relative paths are relative to; the working directory by default. */
  readonly cwd?: string;
  /** Hosts that `$ref`s may be fetched from; none by default. */
  readonly allowRemote?: readonly string[];
}

export type LoadResult =
  | { readonly ok: true; readonly contract: Contract; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads a document and its sheet. All problems are collected; nothing about the user's files is thrown. */
export async function loadContract(options: LoadOptions): Promise<LoadResult> {
  const cwd = options.cwd ?? process.cwd();
  const diagnostics: Diagnostic[] = [];
  const document = await loadDocument(resolve(cwd, options.document), options.document, diagnostics);
  let sheet: BehaviourSheet | undefined;
  if (options.sheet !== undefined) {
    const loaded = await loadSheet(resolve(cwd, options.sheet), options.sheet);
    if (loaded.ok) sheet = loaded.sheet;
    else diagnostics.push(...loaded.diagnostics);
  }
  if (document === undefined || diagnostics.some(isError)) return { ok: false, diagnostics };
  const name = options.name ?? nameOf(options.document);
  return { ok: true, contract: buildContract(name, document, sheet), warnings: diagnostics };
}

/** A short name from a file name: `Router.openapi.yaml` gives `router`. */
export function nameOf(file: string): string {
  const words = basename(file)
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replace(/[._-]?(?:openapi|swagger)$/i, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-') || 'api';
}

// --- internal ---

async function loadDocument(
  path: string,
  file: string,
  diagnostics: Diagnostic[],
): Promise<Document | undefined> {
  const read = await readText(path, file);
  if (!read.ok) {
    diagnostics.push(read.diagnostic);
    return undefined;
  }
  const parsed = await parseFile(file, read.text);
  if (!parsed.ok) {
    diagnostics.push(...parsed.diagnostics);
    return undefined;
  }
  const { value, locate } = parsed.source;
  return {
    file,
    dialect: String(value['openapi']).startsWith('3.0') ? '3.0' : '3.1',
    root: value as JsonObject,
    hash: `sha256:${createHash('sha256').update(read.bytes).digest('hex')}`,
    locate,
  };
}
