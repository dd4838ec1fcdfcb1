import { lstat, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';
import { withFormatted } from './formatted.ts';
import { inspect, isInside, readInside } from './inside.ts';
import { MANIFEST_PATH, parseManifest, textHash } from './manifest.ts';
import {
  BusyError,
  commitRun,
  ownerOf,
  removeEmptyFolders,
  rollBack,
  stageRun,
  undoCutOffRun,
  WriteError,
} from './staging.ts';

/** The output folder of generated files, and rules for replacing them. */
export interface WriteOptions {
  /** The output folder; created if missing. */
  readonly out: string;
  /** Writes nothing; reports what would change. */
  readonly check?: boolean;
  /** Paths of files in the output folder that are replaced although they were edited by hand. */
  readonly overwrite?: readonly string[];
  /** Atomically replaces one file by another; tests of interruption pass their own. */
  readonly replace?: (from: string, to: string) => Promise<void>;
  /** The manifest that the files were based on; if a run finds another one, it ends with a `BusyError`. */
  readonly beside?: string | undefined;
}

/** The changes of the output folder, by path and in order. In `check` mode: the planned changes. */
export type WriteResult =
  | {
      readonly ok: true;
      readonly added: readonly string[];
      readonly changed: readonly string[];
      readonly unchanged: readonly string[];
      readonly removed: readonly string[];
    }
  | {
      /** Nothing was changed, because these files would be lost. */
      readonly ok: false;
      readonly inTheWay: readonly {
        readonly path: string;
        readonly reason: 'edited by hand' | 'not ours' | 'symbolic link';
      }[];
    };

/**
 * Brings the output folder to the state that `given` describes. Only files that the manifest of an earlier
 * run lists are ever replaced or removed, and only if they are unchanged since. Everything else in the folder
 * stays, including files that the new manifest lists in addition to `given`. All new text is on the disk
 * before the first file is replaced. The next run undoes a run that is interrupted after that.
 *
 * @param given all files of the run, including the manifest
 * @throws {WriteError} for a path that would leave the folder
 * @throws {BusyError} for a folder that another run is writing to
 */
export async function writeGenerated(
  given: readonly GeneratedFile[],
  options: WriteOptions,
): Promise<WriteResult> {
  for (const { path } of given) {
    if (!isInside(path))
      throw new WriteError(`${JSON.stringify(path)} is not a path inside the output folder`);
  }
  assertDistinct(given);
  const out =
    options.check === true
      ? await realpath(options.out).catch(() => options.out)
      : await makeFolder(options.out);
  if (options.check !== true) await undoCutOffRun(out);
  else if ((await ownerOf(out)) !== undefined)
    throw new WriteError(
      `a run into ${out} was cut off: generate once without --check or --dry-run, which undoes it`,
    );

  const earlier = parseManifest((await readInside(out, MANIFEST_PATH)) ?? '');
  const files = withFormatted(given, earlier);
  const plan = await planChanges(files, out, new Set(options.overwrite));
  if ('beside' in options && options.beside !== plan.manifest)
    throw new BusyError(`another run has changed ${out} meanwhile`);
  if (plan.inTheWay.length > 0) return { ok: false, inTheWay: plan.inTheWay };
  const { added, changed, unchanged, removed } = plan;
  if (options.check !== true && added.length + changed.length + removed.length > 0) {
    await carryOut(files, plan, { out, replace: options.replace ?? rename });
  }
  return { ok: true, added, changed, unchanged, removed };
}

// --- internal ---

interface Plan {
  readonly added: string[];
  readonly changed: string[];
  readonly unchanged: string[];
  readonly removed: string[];
  readonly inTheWay: { path: string; reason: 'edited by hand' | 'not ours' | 'symbolic link' }[];
  /** The manifest before the run. */
  readonly manifest: string | undefined;
  /** Hashes of files that are replaced although they were edited by hand. */
  readonly overwritten: Map<string, string>;
}

async function planChanges(
  files: readonly GeneratedFile[],
  out: string,
  overwrite: ReadonlySet<string>,
): Promise<Plan> {
  const manifest = await readInside(out, MANIFEST_PATH);
  const plan: Plan = {
    ...{ added: [], changed: [], unchanged: [], removed: [], inTheWay: [] },
    ...{ manifest, overwritten: new Map() },
  };
  const { files: plain = {}, formatted = {} } = parseManifest(manifest ?? '') ?? {};
  const written = new Map(Object.entries({ ...plain, ...formatted }));
  const wanted = new Map(files.map(({ path, text }) => [path, text]));
  const listed = parseManifest(wanted.get(MANIFEST_PATH) ?? '')?.files ?? {};

  const isAsWanted = (found: string, text: string, path: string): boolean =>
    textHash(found) === textHash(text) ||
    (formatted[path] === textHash(found) && plain[path] === textHash(text));

  for (const path of [...new Set([...wanted.keys(), ...written.keys()])].sort()) {
    const text = wanted.get(path);
    // A manifest is untrusted: an entry outside the folder is ignored.
    if (text === undefined && (Object.hasOwn(listed, path) || !isInside(path))) continue;
    const found = await inspect(out, path);
    if (found === undefined) {
      if (text !== undefined) plan.added.push(path);
    } else if (found.kind === 'link') {
      if (text !== undefined) plan.inTheWay.push({ path, reason: 'symbolic link' });
    } else if (found.kind === 'other') {
      plan.inTheWay.push({ path, reason: 'not ours' });
    } else if (text !== undefined && isAsWanted(found.text, text, path)) {
      plan.unchanged.push(path);
    } else if (path === MANIFEST_PATH || written.get(path) === textHash(found.text) || overwrite.has(path)) {
      if (overwrite.has(path)) plan.overwritten.set(path, textHash(found.text));
      (text === undefined ? plan.removed : plan.changed).push(path);
    } else {
      plan.inTheWay.push({ path, reason: written.has(path) ? 'edited by hand' : 'not ours' });
    }
  }
  return plan;
}

async function carryOut(
  files: readonly GeneratedFile[],
  plan: Plan,
  { out, replace }: { out: string; replace: NonNullable<WriteOptions['replace']> },
): Promise<void> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  // The manifest is replaced last: until then, the old one lists the files that the run may change.
  const replaced = [...plan.added, ...plan.changed].sort(
    (left, right) => Number(left === MANIFEST_PATH) - Number(right === MANIFEST_PATH),
  );
  const journal = {
    before: plan.manifest ?? null,
    after: texts.get(MANIFEST_PATH) ?? '',
    added: plan.added,
  };
  const fresh = new Map(replaced.map((path) => [path, texts.get(path) ?? '']));
  const staging = await stageRun(out, journal, fresh, [...plan.changed, ...plan.removed]);
  try {
    if ((await readInside(out, MANIFEST_PATH)) !== plan.manifest)
      throw new BusyError(`another run has changed ${out} meanwhile`);
    for (const path of replaced) {
      await mkdir(dirname(join(out, path)), { recursive: true });
      await replace(join(staging, 'after', path), join(out, path));
    }
    for (const path of plan.removed) await rm(join(out, path));
  } catch (cause) {
    await rollBack(out, staging, plan.overwritten);
    if (cause instanceof BusyError) throw cause;
    throw new WriteError(`could not write to ${out} (${(cause as Error).message}); it is as it was before`, {
      cause,
    });
  }
  await commitRun(out, staging);
  await removeEmptyFolders(out, plan.removed);
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
  if ((await lstat(folder).catch(() => undefined)) === undefined) await mkdir(folder, { recursive: true });
  return realpath(folder);
}
