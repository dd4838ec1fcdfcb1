import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';
import { readInside } from './inside.ts';
import { type Manifest, MANIFEST_PATH, parseManifest, textHash } from './manifest.ts';

/**
 * Records the content of files after a command of the user has changed them, such as a formatter. As long as
 * they keep that content, they count as generated and not as edited by hand.
 *
 * @param paths of files of the output folder
 */
export async function noteFormatted(out: string, paths: readonly string[]): Promise<void> {
  const manifest = parseManifest((await readInside(out, MANIFEST_PATH)) ?? '');
  if (manifest === undefined) return;
  const formatted = new Map(Object.entries(manifest.formatted ?? {}));
  for (const path of paths.filter((each) => Object.hasOwn(manifest.files, each))) {
    const text = await readInside(out, path);
    const hash = text === undefined ? undefined : textHash(text);
    if (hash === undefined || hash === manifest.files[path]) formatted.delete(path);
    else formatted.set(path, hash);
  }
  const staged = join(out, `${MANIFEST_PATH}.${String(process.pid)}`);
  await writeFile(staged, manifestText(manifest, formatted));
  await rename(staged, join(out, MANIFEST_PATH));
}

/**
 * The files of a run. Its manifest keeps the records of formatted files that the run would write unchanged.
 */
export function withFormatted(
  files: readonly GeneratedFile[],
  earlier: Manifest | undefined,
): readonly GeneratedFile[] {
  return files.map((file) => {
    const manifest = file.path === MANIFEST_PATH ? parseManifest(file.text) : undefined;
    if (manifest === undefined || earlier?.formatted === undefined) return file;
    const same = Object.entries(earlier.formatted).filter(
      ([path]) => manifest.files[path] !== undefined && manifest.files[path] === earlier.files[path],
    );
    return { ...file, text: manifestText(manifest, new Map(same)) };
  });
}

// --- internal ---

function manifestText(manifest: Manifest, formatted: ReadonlyMap<string, string>): string {
  const { formatted: _earlier, ...rest } = manifest;
  const sorted = [...formatted].sort(([left], [right]) => (left < right ? -1 : 1));
  const noted = sorted.length === 0 ? rest : { ...rest, formatted: Object.fromEntries(sorted) };
  return `${JSON.stringify(noted, undefined, 2)}\n`;
}
