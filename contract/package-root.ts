import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let root: string | undefined;

/**
 * The folder of this package, which contains `specs/` and `templates/`: the nearest parent folder with a
 * package.json. It is the same for the sources and for `dist/`.
 *
 * @throws {Error} if there is no such folder, because the package was taken apart
 */
export function packageRoot(): string {
  root ??= findUpwards(dirname(fileURLToPath(import.meta.url)));
  return root;
}

// --- internal ---

function findUpwards(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json above ${start}`);
  }
}
