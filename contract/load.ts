import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { buildContract } from './build.ts';
import { tellUntypedStreams } from './sequential/untyped-streams.ts';
import { isError, problem } from './diagnostics/diagnostic-codes.ts';
import type { Contract, Diagnostic, Document, JsonObject } from './model.ts';
import type { Locate } from './text/locate.ts';
import type { Fetch } from './text/read.ts';
import { narrowDocument } from './document/narrow.ts';
import { bundleReferences } from './references/references.ts';
import { RepairList } from './repairs/repair-list.ts';
import { repairDocument } from './repairs/repair.ts';
import { repairRootComponents } from './repairs/root-components.ts';
import { checkSheet } from './sheet/sheet-checks.ts';
import { loadSheet } from './sheet/sheet.ts';
import { type Source, Sources } from './references/sources.ts';
import { dialectOf } from './document/version.ts';

/** The input of `loadContract`: a document, and optionally a sheet and overlays. */
export interface LoadOptions {
  /** Path of an OpenAPI 3.0, 3.1 or 3.2 document, YAML or JSON; a URL where its host is in `allowRemote`. */
  readonly document: string;
  /** Path of the behaviour sheet, if there is one. */
  readonly sheet?: string;
  /** Short name in lower case; by default made from the file name. */
  readonly name?: string;
  /** The base of relative paths; the working directory by default. */
  readonly cwd?: string;
  /**
   * Paths of OpenAPI Overlays 1.0. They are applied to the document in this order, before anything else is
   * read.
   */
  readonly overlays?: readonly string[];
  /** Refuse obvious slips, such as a response without a description. By default they are repaired. */
  readonly strict?: boolean;
  /** Read only these operations, by their ids or tags, with everything that they need. */
  readonly only?: readonly string[];
  /** Read all operations except these, by their ids or tags. */
  readonly except?: readonly string[];
  /** Hosts from which documents and `$ref`s may be fetched; none by default. */
  readonly allowRemote?: readonly string[];
  /** Function that fetches remote files; by default the platform's `fetch`. */
  readonly fetch?: Fetch;
}

/** A loaded contract, or the diagnostics that explain the failure. */
export type LoadResult =
  | {
      readonly ok: true;
      readonly contract: Contract;
      readonly warnings: readonly Diagnostic[];
      readonly source: SourceText;
      readonly files: readonly string[];
    }
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      readonly source: SourceText;
      /**
       * Local files that loading needed, by absolute path, missing ones too. A change to any of them can
       * change the result.
       */
      readonly files: readonly string[];
    };

/** The text of a file, by its name in diagnostics; `renderDiagnostics` prints lines of it. */
export type SourceText = (file: string) => string | undefined;

/**
 * Reads a document and its sheet. Collects all problems; does not throw for a fault in the user's files.
 *
 * @param options.trusted skips validation: for the built-in files, which the tests of this project validate
 */
export async function loadContract(
  options: LoadOptions & { readonly trusted?: boolean },
): Promise<LoadResult> {
  const { cwd = process.cwd(), trusted = false } = options;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const texts = new Map<string, string>();
  const onText = (file: string, text: string): void => void texts.set(file, text);
  const source: SourceText = (file) => texts.get(file);
  const name = options.name ?? nameOf(options.document);
  checkName(name, report);
  const files = new Set(localPaths(cwd, options));
  const document = await loadDocument(options, { onText, report, files });
  const loaded =
    options.sheet === undefined
      ? undefined
      : await loadSheet(resolve(cwd, options.sheet), options.sheet, { trusted, onText });
  if (loaded?.ok === false) diagnostics.push(...loaded.diagnostics);
  if (document !== undefined) {
    const sheet = loaded?.ok === true ? loaded.sheet : undefined;
    const contract = buildContract(name, document, sheet);
    if (!trusted) tellUntypedStreams(contract, report);
    if (sheet !== undefined && !trusted) checkSheet(contract, sheet, report);
    if (!diagnostics.some(isError))
      return { ok: true, contract, warnings: inOrder(diagnostics), source, files: [...files] };
  }
  return { ok: false, diagnostics: inOrder(diagnostics), source, files: [...files] };
}

/**
 * Makes a short name from a file name: `Router.openapi.yaml` and `router/openapi.yaml` both become `router`.
 */
export function nameOf(file: string): string {
  const stem = basename(/^https?:/i.test(file) ? (file.split(/[?#]/)[0] ?? '') : file)
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replace(/[._-]?(?:openapi|swagger)$/i, '');
  const words = (stem || basename(dirname(file)))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const name = words.join('-').slice(0, 60);
  return [name, `api-${name}`].find(isName) ?? 'api';
}

// --- internal ---

/** The absolute paths of the local files that the options name, before links are followed. */
function localPaths(cwd: string, { document, sheet, overlays = [] }: LoadOptions): string[] {
  const named = [document, ...(sheet === undefined ? [] : [sheet]), ...overlays];
  return named.filter((name) => !/^https?:/i.test(name)).map((name) => resolve(cwd, name));
}

async function loadDocument(
  options: LoadOptions & { readonly trusted?: boolean },
  {
    onText,
    report,
    files,
  }: {
    readonly onText: (file: string, text: string) => void;
    readonly report: (diagnostic: Diagnostic) => void;
    /** Receives the files that the contract is made of. */
    readonly files: Set<string>;
  },
): Promise<Document | undefined> {
  let failed = false;
  const noteAndReport = (diagnostic: Diagnostic): void => {
    failed ||= isError(diagnostic);
    report(diagnostic);
  };
  const { cwd = process.cwd(), allowRemote = [], fetch = globalThis.fetch } = options;
  const bundled: { locate?: Locate } = {};
  const repairs =
    options.trusted === true || options.strict === true
      ? undefined
      : new RepairList(() => bundled.locate ?? root?.locate, report);
  const sources = new Sources({ cwd, allowRemote, fetch, report: noteAndReport, onText });
  const root = await sources.openRoot(options.document);
  const overlaid = root === undefined ? [] : await overlay(root, options, { report: noteAndReport, onText });
  if (root !== undefined) narrowDocument(root.value, options);
  const dialect = root && dialectOf(root, noteAndReport, repairs?.add);
  if (root === undefined || dialect === undefined) return undefined;
  if (repairs !== undefined) repairRootComponents(root.value, repairs.add);
  const bundle = await bundleReferences(root, sources, noteAndReport, repairs?.add);
  bundled.locate = bundle.locate;
  for (const address of sources.addresses()) if (isAbsolute(address)) files.add(address);
  const document = { dialect, root: bundle.root as JsonObject, locate: repairs?.locate ?? bundle.locate };
  if (options.trusted !== true) {
    const { validateDocument } = await import('./document/validate.ts');
    const { checkDocument } = await import('./document/document-checks.ts');
    if (repairs !== undefined) {
      const words = { title: nameOf(options.document), textAt: scalarsOf(root) };
      repairDocument(document, words, repairs.add);
    }
    await validateDocument(document, noteAndReport, repairs?.add);
    await checkDocument(document, noteAndReport);
    repairs?.end();
  }
  return failed ? undefined : { file: root.file, hash: hashOf(sources.all(), overlaid), ...document };
}

/** Applies the overlays to the document and reports problems in them. Returns the bytes of the overlays. */
async function overlay(
  root: Source,
  { overlays = [], cwd = process.cwd() }: LoadOptions,
  telling: {
    readonly report: (diagnostic: Diagnostic) => void;
    readonly onText: (file: string, text: string) => void;
  },
): Promise<readonly Uint8Array[]> {
  if (overlays.length === 0) return [];
  const { applyOverlay, LONGEST_OF_ALL_MS } = await import('./document/overlay.ts');
  const budget = { leftMs: LONGEST_OF_ALL_MS };
  const applied: Uint8Array[] = [];
  for (const file of overlays) {
    const bytes = await applyOverlay(root, file, { cwd, budget, ...telling });
    if (bytes === undefined) break;
    applied.push(bytes);
  }
  return applied;
}

/** The source text at a pointer, up to the end of the word. */
function scalarsOf({ locate, text }: Source): (pointer: string) => string | undefined {
  let lines: readonly string[] | undefined;
  return (pointer) => {
    lines ??= text.split(/\r\n|\n|\r/);
    const place = locate(pointer);
    const line = place === undefined ? undefined : lines[place.line - 1];
    return /^[^\s,}\]#]+/.exec(line?.slice((place?.column ?? 1) - 1) ?? '')?.[0];
  };
}

/**
 * For one file, the hash of its bytes, as other tools print it; for several, the hash of all, ordered by
 * name.
 */
function hashOf(sources: readonly Source[], overlays: readonly Uint8Array[]): string {
  const [root, ...others] = sources;
  const hash = createHash('sha256');
  const byName = others.sort((a, b) => (a.file < b.file ? -1 : 1));
  for (const source of [root, ...byName]) hash.update(source?.bytes ?? '');
  for (const bytes of overlays) hash.update(bytes);
  return `sha256:${hash.digest('hex')}`;
}

/** Output folders have this name, so it must be valid in every file system. */
function isName(name: string): boolean {
  return /^[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(name) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(name);
}

function checkName(name: string, report: (diagnostic: Diagnostic) => void): void {
  if (isName(name)) return;
  const message = `${JSON.stringify(name.slice(0, 80))} is not a valid name for an API`;
  const help = 'use lower-case letters, digits and hyphens, such as my-api';
  report(problem('contract-name', message, { help }));
}

const MOST_PROBLEMS = 500;

/** Sorted by file and place, for a person who reads them in order. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ location }) => location?.file))];
  const sorted = diagnostics.toSorted(
    (a, b) =>
      files.indexOf(a.location?.file) - files.indexOf(b.location?.file) ||
      (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
      (a.location?.column ?? 0) - (b.location?.column ?? 0),
  );
  if (sorted.length <= MOST_PROBLEMS) return sorted;
  const more = `${sorted.length - MOST_PROBLEMS} more problems are not shown`;
  return [...sorted.slice(0, MOST_PROBLEMS), problem('too-many-problems', more, { help: 'fix these first' })];
}
