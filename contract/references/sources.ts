import { existsSync, realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { type DiagnosticCode, problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic } from '../model.ts';
import { maskedAddresses } from '../secrecy/addresses.ts';
import { parseFile, type SourceFile } from '../text/parse.ts';
import { type Fetch, type ReadFile, readRemoteText, readText } from '../text/read.ts';
import type { ReferencePlace } from './reference-loops.ts';
import { decoded } from '../text/decoded.ts';

/** A file of a document, with its absolute path or URL. The name of a file at a URL is that URL without secrets. */
export interface Source extends SourceFile {
  readonly address: string;
  readonly bytes: Uint8Array;
}

export interface SourcesOptions {
  readonly cwd: string;
  readonly allowRemote: readonly string[];
  readonly fetch: Fetch;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Receives the text of every file that was read, broken ones too. */
  readonly onText: (file: string, text: string) => void;
}

const MOST_FILES = 5000;

/**
 * The files of one document. Only this class decides which files may be opened: files under the folder of the
 * root document, and URLs of allowed hosts.
 */
export class Sources {
  readonly #options: SourcesOptions;
  /** Files in the order in which they were opened; `undefined` for a file that cannot be used. */
  readonly #opened = new Map<string, Source | undefined>();
  #root: { readonly folder: string; readonly label: string } | undefined;

  constructor(options: SourcesOptions) {
    this.#options = options;
  }

  all(): readonly Source[] {
    return [...this.#opened.values()].filter((source) => source !== undefined);
  }

  /** All looked-up files: absolute paths and URLs, including those that are missing or cannot be used. */
  addresses(): readonly string[] {
    return [...this.#opened.keys()];
  }

  /** The root document: any path, or a URL whose host is allowed. */
  async openRoot(named: string): Promise<Source | undefined> {
    if (/^https?:/i.test(named)) {
      const place = () => ({ location: { file: maskedAddresses(named), line: 1, column: 1 } });
      if (!URL.canParse(named))
        return this.#refuse(
          'ref-malformed',
          `${maskedAddresses(named)} is not a valid URL`,
          place,
          'correct the URL',
        );
      return this.#openRemote(new URL(named), place, 'remote document');
    }
    const path = resolve(this.#options.cwd, named);
    const address = await realpath(path).catch(() => path);
    this.#root = { folder: dirname(address), label: posix.dirname(named.split(sep).join('/')) };
    return this.#keep(address, named, await readText(address, named));
  }

  /**
   * The file that a reference names, relative to the file that contains it; `undefined` if it cannot be used,
   * after a problem has been reported.
   */
  async open(uri: string, from: Source, place: () => ReferencePlace): Promise<Source | undefined> {
    const base = URL.canParse(from.address) && /^https?:/.test(from.address) ? from.address : undefined;
    if (base !== undefined || /^https?:/i.test(uri)) {
      if (!URL.canParse(uri, base))
        return this.#refuse(
          'ref-malformed',
          `$ref is not a valid URL: ${maskedAddresses(uri)}`,
          place,
          'correct the URL',
        );
      return this.#openRemote(new URL(uri, base), place);
    }
    if (/^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(uri)) {
      const help = 'use a path relative to the file that contains the $ref';
      return this.#refuse('ref-refused', `$ref refused: ${uri} is not a relative path`, place, help);
    }
    if (decoded(uri).includes('\0')) {
      return this.#refuse(
        'ref-malformed',
        `$ref is not a valid file name: ${uri}`,
        place,
        'correct the name',
      );
    }
    const path = resolve(dirname(from.address), posixPath(uri));
    const outside = `$ref refused: ${uri} is outside the folder of the root document`;
    const help = 'move the file into that folder, or move the root document to a parent folder';
    const address = this.#insidePath(path);
    if (address === undefined) return this.#refuse('ref-refused', outside, place, help);
    const known = this.#known(address);
    if (known !== undefined) return known.source;
    if (!this.#hasRoom(place)) return undefined;
    const file = posix.join(this.#root?.label ?? '', this.#relative(address).split(sep).join('/'));
    return this.#keep(address, file, await readText(address, file, place));
  }

  /** The text of a file that is not parsed, such as Markdown; `undefined` if it cannot be used. */
  async openText(uri: string, from: Source, place: () => ReferencePlace): Promise<string | undefined> {
    const path = this.#pathBeside(uri, from);
    const read = path === undefined ? undefined : await readText(path, uri, place);
    return read?.ok === true ? read.text : undefined;
  }

  /** Whether the file that a reference names exists. */
  isThere(reference: string, from: Source): boolean {
    const path = this.#pathBeside(reference.split('#')[0] ?? '', from);
    return (
      path !== undefined && existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
    );
  }

  // --- internal ---

  /** The path of a local file that a reference names; `undefined` for any other reference. */
  #pathBeside(uri: string, from: Source): string | undefined {
    const isLocal = uri !== '' && !/^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(uri) && !/^https?:/.test(from.address);
    return isLocal ? this.#insidePath(resolve(dirname(from.address), posixPath(uri))) : undefined;
  }

  /** The real path, if it is below the folder of the root document both by name and after following links. */
  #insidePath(path: string): string | undefined {
    // By name first: a document must not learn whether a file outside exists.
    if (!this.#isInside(path)) return undefined;
    const address = linked(path);
    return this.#isInside(address) ? address : undefined;
  }

  async #openRemote(
    url: URL,
    place: () => ReferencePlace,
    what = 'remote $ref',
  ): Promise<Source | undefined> {
    url.hash = '';
    const shown = maskedAddresses(url.href);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      const help = 'a remote document can refer only to remote files';
      return this.#refuse('ref-refused', `$ref refused: ${shown} is not an http or https URL`, place, help);
    }
    if (!this.#options.allowRemote.includes(url.host)) {
      const help = `save a copy next to the document, or allow this host with --allow-remote ${url.host}`;
      return this.#refuse('ref-remote', `${what} refused: ${shown}`, place, help);
    }
    const known = this.#known(url.href);
    if (known !== undefined) return known.source;
    if (!this.#hasRoom(place)) return undefined;
    const { allowRemote, fetch } = this.#options;
    return this.#keep(url.href, shown, await readRemoteText(url, { allowRemote, fetch, place }));
  }

  #known(address: string): { readonly source: Source | undefined } | undefined {
    return this.#opened.has(address) ? { source: this.#opened.get(address) } : undefined;
  }

  async #keep(address: string, file: string, read: ReadFile): Promise<Source | undefined> {
    this.#opened.set(address, undefined);
    if (!read.ok) {
      this.#options.report(read.diagnostic);
      return undefined;
    }
    this.#options.onText(file, read.text);
    const parsed = parseFile(file, read.text, { mayBeList: this.#opened.size > 1 });
    if (!parsed.ok) {
      parsed.diagnostics.forEach(this.#options.report);
      return undefined;
    }
    const source = { ...parsed.source, address, bytes: read.bytes };
    this.#opened.set(address, source);
    return source;
  }

  #hasRoom(place: () => ReferencePlace): boolean {
    if (this.#opened.size < MOST_FILES) return true;
    const message = `the document refers to more than ${MOST_FILES} files`;
    if (this.#opened.size === MOST_FILES)
      this.#refuse('too-many-files', message, place, 'bundle it into fewer files first');
    this.#opened.set(`more than ${MOST_FILES}`, undefined);
    return false;
  }

  #isInside(path: string): boolean {
    const inner = this.#relative(path);
    return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
  }

  #relative(path: string): string {
    return relative(this.#root?.folder ?? path, path);
  }

  #refuse(code: DiagnosticCode, message: string, place: () => ReferencePlace, help: string): undefined {
    this.#options.report(problem(code, message, { ...place(), help }));
  }
}

/** Rewrites a reference of one file for use in another. */
export function movedReference(reference: string, from: Source, to: Source): string {
  if (from === to) return reference;
  const hash = reference.indexOf('#');
  const [uri, part] = hash === -1 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash)];
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) return reference;
  if (/^https?:/.test(from.address)) return new URL(uri, from.address).href + part;
  const path = uri === '' ? from.address : resolve(dirname(from.address), posixPath(uri));
  return encodeURI(relative(dirname(to.address), path).split(sep).join('/')) + part;
}

// --- internal ---

/** The path after following links; the path itself if nothing exists there. */
function linked(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Paths with the separators of Windows work on every system. */
function posixPath(uri: string): string {
  const path = decoded(uri);
  return path.includes('/') ? path : path.replaceAll('\\', '/');
}
