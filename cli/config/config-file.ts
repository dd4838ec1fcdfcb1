import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isRecord } from '../../contract/index.ts';
import type { Config } from '../config.ts';
import { checkedConfig } from './config-form.ts';
import { faultOf, importConfig } from './config-module.ts';
import { CommandFailure } from '../failure.ts';
import { readUserJson } from '../files/user-file.ts';

export interface FoundConfig {
  readonly config: Config;
  /** The absolute path of its file. */
  readonly path: string;
  /** The path as messages show it. */
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  /** Where a property is, as messages show it, by its path such as `mock.port`. */
  readonly placeOf: (path: string) => string;
}

/** In the order of the search. */
export const configNames = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `tallystick.config.${extension}`,
);

/**
 * The configuration of the package that a folder belongs to, if it has one. A configuration is code, so it is never
 * taken from a folder above that package or from the folder of a document.
 *
 * @param options `afresh` if this process may have read the file before
 * @throws {CommandFailure} for a file that cannot be read, and for properties that are unknown or of the wrong type
 */
export async function findConfig(
  cwd: string,
  { afresh = false }: { readonly afresh?: boolean } = {},
): Promise<FoundConfig | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of configNames) {
      const path = join(folder, name);
      if (!existsSync(path)) continue;
      const file = relative(cwd, path).replaceAll('\\', '/');
      const placeOf = placeOfMember(path, file);
      const config = checkedConfig(await load(path, file, afresh, cwd), placeOf, file);
      return { config, path, file, folder, placeOf };
    }
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const shownManifest = relative(cwd, manifest).replaceAll('\\', '/');
      const file = `${shownManifest}#tallystick`;
      const content = await readUserJson(shownManifest, { cwd });
      const config = isRecord(content) ? content['tallystick'] : undefined;
      if (config === undefined) return undefined;
      const placeOf = (): string => file;
      return { config: checkedConfig(config, placeOf, file), path: manifest, file, folder, placeOf };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

// --- internal ---

async function load(path: string, file: string, afresh: boolean, cwd: string): Promise<unknown> {
  if (path.endsWith('.json')) return readUserJson(file, { cwd });
  try {
    return await importConfig(path, afresh);
  } catch (cause) {
    const { place, said } = faultOf(cause, path, cwd);
    const where = place.startsWith(file) ? `${place} cannot be loaded` : `${file} cannot be loaded: ${place}`;
    throw new CommandFailure(2, `${where}: ${said}`, [], { cause });
  }
}

/**
 * The place of a property: each name of its path is searched for after the previous one. It is the file alone if a
 * name is missing, or if several members of a list may contain it.
 */
function placeOfMember(path: string, file: string): (member: string) => string {
  return (member) => {
    const text = readFileSync(path, 'utf8');
    let [start, found] = [0, 0];
    for (const segment of member.replace(/\[\d+\]/g, '').split('.')) {
      const name = segment.replace(/\W/g, '\\$&');
      const pattern = new RegExp(`(?<![\\w$])['"]?${name}['"]?\\s*:`, 'g');
      const [first, second] = text.slice(start).matchAll(pattern);
      if (first === undefined || (second !== undefined && member.includes('['))) return file;
      found = start + first.index;
      start = found + first[0].length;
    }
    return placeIn(text, found, file);
  };
}

function placeIn(text: string, offset: number, file: string): string {
  const lines = text.slice(0, offset).split('\n');
  return `${file}:${String(lines.length)}:${String((lines.at(-1) ?? '').length + 1)}`;
}
