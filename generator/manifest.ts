import { createHash } from 'node:crypto';
import type { Contract } from '../contract/index.ts';
import type { GeneratedFile } from './generated-file.ts';
import { isRecord } from '../contract/index.ts';

/** Where the list of what was written stands, in the output folder. */
export const MANIFEST_PATH = '.tallystick.json';

/** What an output folder was made from, and every file that was written into it. */
export interface Manifest {
  /** The version of tallystick. */
  readonly tallystick: string;
  readonly contracts: Readonly<Record<string, ManifestContract>>;
  /** Models by their ids: the folder with their document, and the tag to ask by whether it is still current. */
  readonly models?: Readonly<Record<string, { readonly folder: string; readonly etag?: string }>>;
  /** `sha256:…` of each file by its path; line ends are counted as LF, whatever a checkout makes of them. */
  readonly files: Readonly<Record<string, string>>;
}

export interface ManifestContract {
  readonly document: string;
  readonly documentHash: string;
  readonly sheet?: string;
  readonly sheetHash?: string;
  /** The version of the rule set, such as `2026.1`. */
  readonly contract?: string;
}

/** The manifest of these files, as one more file. */
export function manifestFile(
  contracts: readonly { readonly folder: string; readonly contract: Contract }[],
  files: readonly GeneratedFile[],
  version: string,
  models: NonNullable<Manifest['models']> = {},
): GeneratedFile {
  const manifest: Manifest = {
    tallystick: version,
    contracts: Object.fromEntries(
      contracts.map(({ folder, contract }) => [folder, describeContract(contract)]),
    ),
    ...(Object.keys(models).length === 0 ? {} : { models }),
    files: Object.fromEntries(
      files
        .map(({ path, text }): [string, string] => [path, textHash(text)])
        .sort(([left], [right]) => (left < right ? -1 : 1)),
    ),
  };
  return { path: MANIFEST_PATH, text: `${JSON.stringify(manifest, undefined, 2)}\n` };
}

/** Reads a manifest; `undefined` when the text is none. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `sha256:…` of a text, the same for LF and CRLF. */
export function textHash(text: string): string {
  return `sha256:${createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')}`;
}

/** How a document is named in the output: as its user named it, but never by a place on this machine. */
export function portableName(file: string): string {
  const name = file.replaceAll('\\', '/');
  return /^(?:\/|[A-Za-z]:|\.\.\/)/.test(name) ? (name.split('/').at(-1) ?? name) : name.replace(/^\.\//, '');
}

// --- internal ---

function describeContract({ document, sheet }: Contract): ManifestContract {
  const ofDocument = { document: portableName(document.file), documentHash: document.hash };
  if (sheet === undefined) return ofDocument;
  return { ...ofDocument, sheet: portableName(sheet.file), sheetHash: sheet.hash, contract: sheet.contract };
}

function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) &&
    typeof value['tallystick'] === 'string' &&
    isRecord(value['contracts']) &&
    areHashes(value['files'])
  );
}

function areHashes(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((hash) => typeof hash === 'string');
}
