import { createHash } from 'node:crypto';
import type { Contract } from '../contract/index.ts';
import type { GeneratedFile } from './generated-file.ts';
import { isRecord } from '../contract/index.ts';

/** The path of the manifest in the output folder. */
export const MANIFEST_PATH = '.tallystick.json';

/** The sources of an output folder, and every file that was written to it. */
export interface Manifest {
  /** The version of tallystick. */
  readonly tallystick: string;
  readonly contracts: Readonly<Record<string, ManifestContract>>;
  /** Models by id: the folder with their document, and the entity tag for checking whether it is current. */
  readonly models?: Readonly<Record<string, { readonly folder: string; readonly etag?: string }>>;
  /** `sha256:…` of each file by path. All line ends count as LF, because a checkout may change them. */
  readonly files: Readonly<Record<string, string>>;
  /** The same for files that a command of the user has changed since. */
  readonly formatted?: Readonly<Record<string, string>>;
}

export interface ManifestContract {
  readonly document: string;
  readonly documentHash: string;
  readonly sheet?: string;
  readonly sheetHash?: string;
  /** The version of the rule set, such as `2026.1`. */
  readonly contract?: string;
  /** The version of tallystick that wrote its code, if it differs from that of the last run. */
  readonly tallystick?: string;
}

/** The parts of the folder that a run keeps: the code of contracts that only earlier runs wrote. */
export interface Kept {
  readonly contracts: Readonly<Record<string, ManifestContract & { readonly tallystick: string }>>;
  readonly models: NonNullable<Manifest['models']>;
  /** Hashes of their files by path, those of the runtime included. */
  readonly files: Manifest['files'];
}

const RUNTIMES = ['runtime', 'server-runtime'];

/**
 * The manifest's entries for all other folders, which a run leaves unchanged.
 *
 * @param folders those that the run writes
 */
export function keptOf(manifest: Manifest | undefined, folders: readonly string[]): Kept {
  const contracts = Object.fromEntries(
    Object.entries(manifest?.contracts ?? {})
      .filter(([folder]) => !folders.includes(folder))
      .map(([folder, contract]) => [
        folder,
        { ...contract, tallystick: contract.tallystick ?? manifest?.tallystick ?? '' },
      ]),
  );
  const files = manifest?.files ?? {};
  const isOfModels = Object.keys(contracts).some((folder) => Object.hasOwn(files, `${folder}/models.ts`));
  const models = isOfModels ? (manifest?.models ?? {}) : {};
  const kept = [...Object.keys(contracts), ...Object.values(models).map(({ folder }) => folder)];
  const own = kept.length === 0 ? kept : [...kept, ...RUNTIMES];
  return {
    contracts,
    models,
    files: Object.fromEntries(
      Object.entries(files).filter(([path]) => own.includes(path.split('/')[0] ?? '')),
    ),
  };
}

/** For a run that keeps nothing of earlier runs. */
export const NOTHING_KEPT: Kept = { contracts: {}, models: {}, files: {} };

/** Whether some kept code has its own module with this name. */
export function keepsModule(kept: Kept, module: 'client' | 'server' | 'values'): boolean {
  return Object.keys(kept.contracts).some((folder) => Object.hasOwn(kept.files, `${folder}/${module}.ts`));
}

/**
 * The manifest of these files and of the kept ones, as one more file. Its order does not depend on the order
 * of runs.
 *
 * @param kept code of an older tallystick may need files of the runtime that this one does not write, so
 * these stay
 */
export function manifestFile(
  contracts: readonly { readonly folder: string; readonly contract: Contract }[],
  files: readonly GeneratedFile[],
  version: string,
  models: NonNullable<Manifest['models']> = {},
  kept: Kept = NOTHING_KEPT,
): GeneratedFile {
  const keptContracts = Object.entries(kept.contracts).map(([folder, { tallystick, ...contract }]) => [
    folder,
    tallystick === version ? contract : { ...contract, tallystick },
  ]);
  const isOlder = Object.values(kept.contracts).some(({ tallystick }) => tallystick !== version);
  const keepsServer = keepsModule(kept, 'server');
  const keptFiles = Object.entries(kept.files).filter(([path]) => {
    const [folder = ''] = path.split('/');
    return RUNTIMES.includes(folder) ? isOlder && (folder === 'runtime' || keepsServer) : true;
  });
  const allModels = { ...kept.models, ...models };
  const manifest: Manifest = {
    tallystick: version,
    contracts: sorted([
      ...(keptContracts as [string, ManifestContract][]),
      ...contracts.map(({ folder, contract }): [string, ManifestContract] => [
        folder,
        describeContract(contract),
      ]),
    ]),
    ...(Object.keys(allModels).length === 0 ? {} : { models: sorted(Object.entries(allModels)) }),
    files: sorted([...keptFiles, ...files.map(({ path, text }): [string, string] => [path, textHash(text)])]),
  };
  return { path: MANIFEST_PATH, text: `${JSON.stringify(manifest, undefined, 2)}\n` };
}

/** Parses a manifest; `undefined` when the text is not a manifest. */
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

/** The name of a document in the output: the name that its user gave, but never a path of this machine. */
export function portableName(file: string): string {
  // An address can contain a password, and a token in its query.
  if (/^https?:/i.test(file) && URL.canParse(file)) return new URL(file).origin + new URL(file).pathname;
  const name = file.replaceAll('\\', '/');
  return /^(?:\/|[A-Za-z]:|\.\.\/)/.test(name) ? (name.split('/').at(-1) ?? name) : name.replace(/^\.\//, '');
}

// --- internal ---

function describeContract({ document, sheet }: Contract): ManifestContract {
  const ofDocument = { document: portableName(document.file), documentHash: document.hash };
  if (sheet === undefined) return ofDocument;
  return { ...ofDocument, sheet: portableName(sheet.file), sheetHash: sheet.hash, contract: sheet.contract };
}

/** Sorted by name; of two entries with the same name, the later one counts. */
function sorted<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries([...new Map(entries)].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * Names of folders and ids are used in paths and in the terminal. Anybody can edit a manifest, so its content
 * is validated like any other input.
 */
function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) &&
    isPlain(value['tallystick']) &&
    isRecord(value['contracts']) &&
    Object.entries(value['contracts']).every(
      ([folder, contract]) => isFolder(folder) && isContract(contract),
    ) &&
    (value['models'] === undefined || areModels(value['models'])) &&
    (value['formatted'] === undefined || areHashes(value['formatted'])) &&
    areHashes(value['files'])
  );
}

function isContract(value: unknown): boolean {
  return isRecord(value) && (value['tallystick'] === undefined || isPlain(value['tallystick']));
}

function areModels(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(([id, model]) => isPlain(id) && isRecord(model) && isFolder(model['folder']))
  );
}

function isFolder(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value) && !RUNTIMES.includes(value);
}

function isPlain(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 300 && !/\p{C}/u.test(value);
}

function areHashes(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((hash) => typeof hash === 'string');
}
