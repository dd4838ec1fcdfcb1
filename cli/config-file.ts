import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isRecord, suggest } from '../contract/index.ts';
import type { ApiConfig, Config, GenerateConfig } from './config.ts';
import { faultOf, importConfig } from './config-module.ts';
import { Failure } from './failure.ts';
import { readUserJson } from './user-file.ts';

interface FoundConfig {
  readonly config: Config;
  /** The absolute path of its file. */
  readonly path: string;
  /** The path as messages show it. */
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly folder: string;
}

/** In the order of the search. */
export const configNames = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `tallystick.config.${extension}`,
);

/**
 * The configuration of the package that a folder belongs to, if it has one: never of a folder above that package, and
 * never one that a document brings along, since a configuration is code.
 *
 * @param options `afresh` where the file may have been read before by this process
 * @throws {Failure} for a file that cannot be read, and for properties that are unknown or of the wrong type
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
      const config = checked(await load(path, file, afresh, cwd), placeOfMember(path, file), file);
      return { config, path, file, folder };
    }
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const shownManifest = relative(cwd, manifest).replaceAll('\\', '/');
      const file = `${shownManifest}#tallystick`;
      const content = await readUserJson(shownManifest, { cwd });
      const config = isRecord(content) ? content['tallystick'] : undefined;
      if (config === undefined) return undefined;
      return { config: checked(config, () => file, file), path: manifest, file, folder };
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
    throw new Failure(2, `${where}: ${said}`, [], { cause });
  }
}

/** The place of a property, found by its name; only the file where the name occurs more than once. */
function placeOfMember(path: string, file: string): (member: string) => string {
  return (member) => {
    const text = readFileSync(path, 'utf8');
    const name = (member.split('.').at(-1) ?? member).replace(/\W/g, '\\$&');
    const [found, ...more] = text.matchAll(new RegExp(`(?<![\\w$])['"]?${name}['"]?\\s*:`, 'g'));
    return found === undefined || more.length > 0 ? file : placeIn(text, found.index, file);
  };
}

function placeIn(text: string, offset: number, file: string): string {
  const lines = text.slice(0, offset).split('\n');
  return `${file}:${String(lines.length)}:${String((lines.at(-1) ?? '').length + 1)}`;
}

/** What a property must be: a test, and the same in words. */
interface Wanted {
  readonly fits: (value: unknown) => boolean;
  readonly words: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const text: Wanted = { fits: isText, words: 'a string that is not empty' };
const texts: Wanted = {
  fits: (value) => Array.isArray(value) && value.every(isText),
  words: 'an array of strings that are not empty',
};
const flag: Wanted = { fits: (value) => typeof value === 'boolean', words: 'true or false' };

const apiProperties: Readonly<Record<keyof ApiConfig, Wanted>> = {
  document: text,
  sheet: text,
  overlays: texts,
  name: text,
};
const generateProperties: Readonly<Record<keyof GenerateConfig, Wanted>> = {
  apis: { fits: Array.isArray, words: 'an array' },
  out: text,
  only: texts,
  except: texts,
  models: texts,
  from: text,
  allowRemote: texts,
  strict: flag,
  importExtension: { fits: (value) => value === 'js' || value === 'ts', words: "'js' or 'ts'" },
  templates: text,
  server: flag,
  typesOnly: flag,
  query: flag,
  afterWrite: texts,
  handlers: text,
  without: { fits: (value) => value === 'validators', words: "'validators'" },
};

type PlaceOf = (property: string) => string;

function checked(value: unknown, placeOf: PlaceOf, file: string): Config {
  const anything: Wanted = { fits: () => true, words: '' };
  const { generate } = requireProperties(value, { generate: anything }, placeOf, file, '');
  if (generate === undefined) return {};
  const properties = requireProperties(generate, generateProperties, placeOf, file, 'generate');
  const apis = (properties['apis'] ?? []) as readonly unknown[];
  apis.forEach((api, index) => {
    if (isText(api)) return;
    const name = `generate.apis[${String(index)}]`;
    const own = requireProperties(api, apiProperties, placeOf, file, name);
    if (own['document'] === undefined)
      throw new Failure(2, `${file}: missing property document in ${name}`, [
        'give the path of its OpenAPI document',
      ]);
  });
  return { generate: properties as GenerateConfig };
}

function requireProperties(
  value: unknown,
  known: Readonly<Record<string, Wanted>>,
  placeOf: PlaceOf,
  file: string,
  within: string,
): Readonly<Record<string, unknown>> {
  if (!isRecord(value))
    throw new Failure(2, `${file}: ${within || 'the configuration'} must be an object, not ${shown(value)}`);
  for (const [name, property] of Object.entries(value)) {
    const path = within === '' ? name : `${within}.${name}`;
    const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
    if (wanted === undefined) {
      const near = suggest(name, Object.keys(known));
      throw new Failure(
        2,
        `${placeOf(name)}: unknown property ${path}${near === undefined ? '' : `. Did you mean ${near}?`}`,
        [`known: ${Object.keys(known).join(', ')}`],
      );
    }
    if (property !== undefined && !wanted.fits(property))
      throw new Failure(2, `${placeOf(name)}: ${path} must be ${wanted.words}, not ${shown(property)}`);
  }
  return value;
}

function shown(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'function') return 'a function';
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
