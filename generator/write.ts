import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';
import { MANIFEST_PATH, parseManifest, textHash } from './manifest.ts';

export interface WriteOptions {
  /** The output folder; made when missing. */
  readonly out: string;
  /** Writes nothing; says what would change. */
  readonly check?: boolean;
  /** Paths of files in the output folder that are replaced although they were edited by hand. */
  readonly overwrite?: readonly string[];
  /** Replaces one file by another in one step; another one is for tests of interruption. */
  readonly replace?: (from: string, to: string) => Promise<void>;
}

/** What became of the output folder, by path and in order. In `check` mode: what would have become. */
export type WriteResult =
  | {
      readonly ok: true;
      readonly added: readonly string[];
      readonly changed: readonly string[];
      readonly unchanged: readonly string[];
      readonly removed: readonly string[];
    }
  | {
      /** Nothing was changed: these files would be lost. */
      readonly ok: false;
      readonly inTheWay: readonly {
        readonly path: string;
        readonly reason: 'edited by hand' | 'not ours' | 'symbolic link';
      }[];
    };

/** A path or a folder that is not to be written to. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
}

/**
 * Brings the output folder to what `files` say. Only files that the manifest of an earlier run lists are ever replaced
 * or removed, and those only as they were written; everything else in the folder is left alone. All new text is on the
 * disk before the first file is replaced; a run that was cut off afterwards is undone by the next one.
 *
 * @param files all files of the output, its manifest among them
 * @throws {WriteError} for a path that would leave the folder, and for a folder that another run is writing to
 */
export async function writeGenerated(
  files: readonly GeneratedFile[],
  options: WriteOptions,
): Promise<WriteResult> {
  for (const { path } of files) assertInside(path);
  assertDistinct(files);
  const out = options.check === true ? await realpathOr(options.out) : await makeFolder(options.out);
  const staging = join(out, STAGING);
  if (options.check !== true) await undoCutOffRun(out, staging);

  const plan = await planChanges(files, out, new Set(options.overwrite));
  if (plan.inTheWay.length > 0) return { ok: false, inTheWay: plan.inTheWay };
  const { added, changed, unchanged, removed } = plan;
  if (options.check !== true && added.length + changed.length + removed.length > 0) {
    await carryOut(files, plan, { out, staging, replace: options.replace ?? rename });
  }
  return { ok: true, added, changed, unchanged, removed };
}

// --- internal ---

/** Holds the new text, copies of what is replaced, and the id of the process that writes; gone after a good run. */
const STAGING = '.tallystick.partial';

interface Plan {
  readonly added: string[];
  readonly changed: string[];
  readonly unchanged: string[];
  readonly removed: string[];
  readonly inTheWay: { path: string; reason: 'edited by hand' | 'not ours' | 'symbolic link' }[];
}

async function planChanges(
  files: readonly GeneratedFile[],
  out: string,
  overwrite: ReadonlySet<string>,
): Promise<Plan> {
  const plan: Plan = { added: [], changed: [], unchanged: [], removed: [], inTheWay: [] };
  const manifestText = await readTextOr(join(out, MANIFEST_PATH));
  const written = new Map(Object.entries(parseManifest(manifestText ?? '')?.files ?? {}));
  const wanted = new Map(files.map(({ path, text }) => [path, text]));

  for (const path of [...new Set([...wanted.keys(), ...written.keys()])].sort()) {
    const text = wanted.get(path);
    // A manifest is a file like any other: what it lists outside the folder is not ours to remove.
    if (text === undefined && !isInside(path)) continue;
    const state = await inspect(out, path);
    if (state === 'symbolic link') {
      if (text !== undefined) plan.inTheWay.push({ path, reason: state });
    } else if (state === undefined) {
      if (text !== undefined) plan.added.push(path);
    } else if (text !== undefined && (state.text === text || textHash(state.text) === textHash(text))) {
      plan.unchanged.push(path);
    } else if (path === MANIFEST_PATH || written.get(path) === textHash(state.text) || overwrite.has(path)) {
      (text === undefined ? plan.removed : plan.changed).push(path);
    } else {
      plan.inTheWay.push({ path, reason: written.has(path) ? 'edited by hand' : 'not ours' });
    }
  }
  return plan;
}

/** What stands at a path, without following a symbolic link on the way; `undefined` for nothing. */
async function inspect(out: string, path: string): Promise<{ text: string } | 'symbolic link' | undefined> {
  let place = out;
  for (const segment of path.split('/')) {
    place = join(place, segment);
    const stats = await lstat(place).catch(absent);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return 'symbolic link';
  }
  if (!(await lstat(place)).isFile()) return { text: '' };
  return { text: await readFile(place, 'utf8') };
}

async function carryOut(
  files: readonly GeneratedFile[],
  plan: Plan,
  { out, staging, replace }: { out: string; staging: string; replace: NonNullable<WriteOptions['replace']> },
): Promise<void> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  // The manifest goes last: until then the old one tells what was ours before.
  const replaced = [...plan.added, ...plan.changed].sort(
    (left, right) => Number(left === MANIFEST_PATH) - Number(right === MANIFEST_PATH),
  );
  await claimFolder(staging);
  try {
    for (const path of replaced) await writeInto(join(staging, 'after', path), texts.get(path) ?? '');
    for (const path of [...plan.changed, ...plan.removed])
      await copyInto(join(out, path), join(staging, 'before', path));
    await writeInto(join(staging, 'added.json'), JSON.stringify(plan.added));
    await writeInto(join(staging, 'ready'), '');

    for (const path of replaced) {
      await mkdir(dirname(join(out, path)), { recursive: true });
      await replace(join(staging, 'after', path), join(out, path));
    }
    for (const path of plan.removed) await rm(join(out, path));
  } catch (cause) {
    await restore(out, staging);
    throw new WriteError(`could not write to ${out}; what stood there before stands there again`, { cause });
  }
  await rm(staging, { recursive: true, force: true });
  await removeEmptyFolders(out, plan.removed);
}

/** Making the folder is what tells two runs apart that start at the same moment. */
async function claimFolder(staging: string): Promise<void> {
  try {
    await mkdir(staging);
  } catch (cause) {
    throw new WriteError(`another run has just begun to write; ${staging} is in the way`, { cause });
  }
  await writeFile(join(staging, 'owner'), String(process.pid));
}

/** Puts back what a run that was cut off had replaced. */
async function undoCutOffRun(out: string, staging: string): Promise<void> {
  const owner = await readTextOr(join(staging, 'owner'));
  if (owner !== undefined && owner !== String(process.pid) && isRunning(Number(owner))) {
    throw new WriteError(
      `another run (process ${owner}) is writing to ${out}; wait for it, or remove ${staging}`,
    );
  }
  if ((await lstat(staging).catch(absent)) !== undefined) await restore(out, staging);
}

async function restore(out: string, staging: string): Promise<void> {
  if ((await readTextOr(join(staging, 'ready'))) !== undefined) {
    const added: unknown = JSON.parse((await readTextOr(join(staging, 'added.json'))) ?? '[]');
    const paths = Array.isArray(added)
      ? added.filter((path) => typeof path === 'string').filter(isInside)
      : [];
    for (const path of paths) {
      if ((await inspect(out, path)) !== 'symbolic link') await rm(join(out, path), { force: true });
    }
    for (const path of await filesBelow(join(staging, 'before')))
      await copyInto(join(staging, 'before', path), join(out, path));
    await removeEmptyFolders(out, paths);
  }
  await rm(staging, { recursive: true, force: true });
}

async function writeInto(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function copyInto(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(absent);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

async function removeEmptyFolders(out: string, removed: readonly string[]): Promise<void> {
  for (const path of removed) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      await rmdir(join(out, folder)).catch(() => undefined);
    }
  }
}

function assertInside(path: string): void {
  if (!isInside(path)) throw new WriteError(`${JSON.stringify(path)} is no path inside the output folder`);
}

/** Plain segments only: nothing that climbs, nothing that a system reads in its own way. */
function isInside(path: string): boolean {
  return (
    /^(?:[\w.-]+\/)*[\w.-]+$/.test(path) &&
    !path
      .split('/')
      .some(
        (segment) => /^\.+$|\.$/.test(segment) || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment),
      ) &&
    !path.startsWith(STAGING)
  );
}

function assertDistinct(files: readonly GeneratedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    const folded = path.toLowerCase();
    if (seen.has(folded))
      throw new WriteError(`two files for ${path}: give the APIs names that differ by more than case`);
    seen.add(folded);
  }
}

async function makeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return realpath(folder);
}

async function realpathOr(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

async function readTextOr(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(absent);
}

function absent(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
