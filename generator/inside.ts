import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The kind of entry at a path of a folder. */
export type FoundPath =
  { readonly kind: 'file'; readonly text: string } | { readonly kind: 'link' } | { readonly kind: 'other' };

/** The prefix of folders in which a run prepares its files. */
export const STAGING = '.tallystick.partial';

/** Whether a path has only plain segments: no `..`, and no name that is special in an operating system. */
export function isInside(path: string): boolean {
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

/** The entry at a path, without following symbolic links; `undefined` if there is none. */
export async function inspect(folder: string, path: string): Promise<FoundPath | undefined> {
  let place = folder;
  for (const segment of path.split('/')) {
    place = join(place, segment);
    const stats = await lstat(place).catch(absent);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return { kind: 'link' };
  }
  if (!(await lstat(place)).isFile()) return { kind: 'other' };
  return { kind: 'file', text: await readFile(place, 'utf8') };
}

/**
 * The text of a regular file in a folder; `undefined` if there is none, or if it is behind a symbolic link.
 */
export async function readInside(folder: string, path: string): Promise<string | undefined> {
  const found = await inspect(folder, path);
  return found?.kind === 'file' ? found.text : undefined;
}

export function absent(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}
