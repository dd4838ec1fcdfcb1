import { copyFile, lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { isRecord } from '../contract/index.ts';
import { absent, inspect, isInside, readInside, STAGING } from './inside.ts';
import { MANIFEST_PATH, parseManifest, textHash } from './manifest.ts';

/** A path or a folder that cannot be written to. */
export class WriteError extends Error {
  override readonly name: string = 'WriteError';
}

/** Another run writes to the folder, or has just done so. The same run can be repeated. */
export class BusyError extends WriteError {
  override readonly name = 'BusyError';
}

/** The planned changes of a run, with the data for undoing them. */
export interface StagingJournal {
  /** The text of the manifest before the run; `null` if there was none. */
  readonly before: string | null;
  readonly after: string;
  /** Paths of files that did not exist before. */
  readonly added: readonly string[];
}

/** Folders that this process is writing to. */
const active = new Set<string>();

/**
 * Prepares a run in a folder of its own, `.tallystick.partial-<pid>`: the new texts and copies of the files
 * that they replace. Renaming it to `.tallystick.partial` claims the output folder, which only one run can
 * do.
 *
 * @returns the folder under its new name
 * @throws {BusyError} if another run was faster
 */
export async function stageRun(
  out: string,
  journal: StagingJournal,
  texts: ReadonlyMap<string, string>,
  replaced: readonly string[],
): Promise<string> {
  if (active.has(out)) throw new BusyError(`another run is writing to ${out}`);
  active.add(out);
  const own = join(out, `${STAGING}-${String(process.pid)}`);
  const staging = join(out, STAGING);
  try {
    await rm(own, { recursive: true, force: true });
    await mkdir(own);
    await writeFile(join(own, `owner-${String(process.pid)}`), '');
    for (const [path, text] of texts) await writeInto(join(own, 'after', path), text);
    for (const path of replaced) {
      await mkdir(dirname(join(own, 'before', path)), { recursive: true });
      await copyFile(join(out, path), join(own, 'before', path));
    }
    await writeFile(join(own, 'run.json'), JSON.stringify(journal));
    if ((await lstat(staging).catch(absent)) !== undefined)
      throw new BusyError(`another run has just begun to write to ${out}`);
    await rename(own, staging).catch((cause: unknown) => {
      throw new BusyError(`another run has just begun to write to ${out}`, { cause });
    });
    return staging;
  } catch (error) {
    active.delete(out);
    await rm(own, { recursive: true, force: true });
    throw error;
  }
}

/** Marks the run as complete. It can no longer be undone. */
export async function commitRun(out: string, staging: string): Promise<void> {
  const own = join(out, `${STAGING}-${String(process.pid)}`);
  await rename(staging, own);
  active.delete(out);
  await rm(own, { recursive: true, force: true });
}

/** Undoes a failed run of this process, including files that were replaced on request. */
export async function rollBack(
  out: string,
  staging: string,
  overwritten: ReadonlyMap<string, string>,
): Promise<void> {
  try {
    await undo(out, staging, overwritten);
  } finally {
    active.delete(out);
  }
}

/**
 * Undoes the changes of an interrupted run.
 *
 * @throws {BusyError} while that run is alive
 * @throws {WriteError} for a staging folder that no run can have made
 */
export async function undoCutOffRun(out: string): Promise<void> {
  const staging = join(out, STAGING);
  for (const name of await readdir(out)) {
    const pid = new RegExp(`^\\${STAGING}-(\\d{1,10})$`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid), out))
      await rm(join(out, name), { recursive: true, force: true });
  }
  const owner = await ownerOf(out);
  if (owner === undefined) return;
  const mine = `owner-${String(process.pid)}`;
  // If several runs find the same staging folder, only one can rename this file.
  await rename(join(staging, `owner-${String(owner)}`), join(staging, mine)).catch((cause: unknown) => {
    throw new BusyError(`another run is undoing one that was cut off in ${out}`, { cause });
  });
  active.add(out);
  await rollBack(out, staging, new Map());
}

/**
 * The process id of an interrupted run; `undefined` if there was none.
 *
 * @throws {BusyError} while a run is alive
 * @throws {WriteError} for a staging folder that no run can have made
 */
export async function ownerOf(out: string): Promise<number | undefined> {
  const staging = join(out, STAGING);
  const stats = await lstat(staging).catch(absent);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory())
    throw new WriteError(`${staging} is not a folder of a run: remove it, and run this again`);
  const names = (await readdir(staging).catch(absent)) ?? [];
  const pid = names.map((name) => /^owner-(\d{1,10})$/.exec(name)?.[1]).find((found) => found !== undefined);
  if (pid === undefined)
    throw new WriteError(
      `${staging} was not made by this version of tallystick: remove it, and run this again`,
    );
  if (isAlive(Number(pid), out))
    throw new BusyError(`another run (process ${pid}) is writing to ${out}; if it is not, remove ${staging}`);
  return Number(pid);
}

// --- internal ---

/**
 * Restores only files that the earlier manifest of the output lists: each with exactly the text that has the
 * hash in that manifest, and only if the run's own text is in its place. Files that were edited since stay,
 * and so does everything behind a symbolic link. If the manifest is neither that from before the run nor that
 * of the run, the folder was changed since, and nothing is restored.
 */
async function undo(out: string, staging: string, overwritten: ReadonlyMap<string, string>): Promise<void> {
  const journal = parseJournal(await readInside(staging, 'run.json'));
  const found = await inspect(out, MANIFEST_PATH);
  const current = found === undefined ? null : found.kind === 'file' ? found.text : undefined;
  if (journal !== undefined && (current === journal.before || current === journal.after)) {
    const before = new Map([...hashesOf(journal.before ?? ''), ...overwritten]);
    const after = hashesOf(journal.after);
    const removed: string[] = [];
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      if (!isInside(path)) continue;
      const there = await inspect(out, path);
      const hash = there?.kind === 'file' ? textHash(there.text) : undefined;
      if (there !== undefined && (hash === undefined || hash !== after.get(path))) continue;
      const old = before.get(path);
      if (old !== undefined && old !== hash) {
        const copy = await readInside(staging, `before/${path}`);
        if (copy === undefined || textHash(copy) !== old) continue;
        await mkdir(dirname(join(out, path)), { recursive: true });
        await rename(join(staging, 'before', path), join(out, path));
      } else if (old === undefined && hash !== undefined && journal.added.includes(path)) {
        await rm(join(out, path));
        removed.push(path);
      }
    }
    // Last, so that an interrupted recovery can be repeated.
    if (current !== journal.before) await putManifest(out, staging, journal.before);
    await removeEmptyFolders(out, removed);
  }
  await rm(staging, { recursive: true, force: true });
}

async function putManifest(out: string, staging: string, text: string | null): Promise<void> {
  if (text === null) return rm(join(out, MANIFEST_PATH));
  const fresh = join(staging, `manifest-${String(process.pid)}`);
  await writeFile(fresh, text, { flag: 'wx' });
  await rename(fresh, join(out, MANIFEST_PATH));
}

function hashesOf(manifest: string): Map<string, string> {
  return new Map(Object.entries(parseManifest(manifest)?.files ?? {}));
}

function parseJournal(text: string | undefined): StagingJournal | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isJournal =
      isRecord(value) &&
      (value['before'] === null || typeof value['before'] === 'string') &&
      typeof value['after'] === 'string' &&
      Array.isArray(value['added']);
    return isJournal ? (value as unknown as StagingJournal) : undefined;
  } catch {
    return undefined;
  }
}

async function writeInto(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

export async function removeEmptyFolders(out: string, removed: readonly string[]): Promise<void> {
  for (const path of removed) {
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      await rmdir(join(out, folder)).catch(() => undefined);
    }
  }
}

function isAlive(pid: number, out: string): boolean {
  if (pid === process.pid) return active.has(out);
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
