import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { suggest } from '../contract/index.ts';
import type { ApiConfig, Config, GenerateConfig } from './config.ts';
import { faultOf, importConfig } from './config-module.ts';
import { Failure } from './failure.ts';

export interface FoundConfig {
  readonly config: Config;
  /** The whole path of its file. */
  readonly path: string;
  /** As it is shown to people. */
  readonly file: string;
  /** The folder that its paths count from. */
  readonly folder: string;
}

/** In the order in which they are looked for. */
export const configNames = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `tallystick.config.${extension}`,
);

/**
 * The configuration of the package that a folder belongs to, if it has one: never of a folder above that package, and
 * never one that a document brings along, since a configuration is code.
 *
 * @param options `afresh` where the file may have been read before by this process
 * @throws {Failure} for a file that cannot be read, and for members that mean nothing, by their names
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
      const file = `${relative(cwd, manifest).replaceAll('\\', '/')}#tallystick`;
      const config = membersOf(parse(readFileSync(manifest, 'utf8'), file))['tallystick'];
      if (config === undefined) return undefined;
      return { config: checked(config, () => file, file), path: manifest, file, folder };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

// --- internal ---

async function load(path: string, file: string, afresh: boolean, cwd: string): Promise<unknown> {
  if (path.endsWith('.json')) return parse(await readFile(path, 'utf8'), file);
  try {
    return await importConfig(path, afresh);
  } catch (cause) {
    const { place, said } = faultOf(cause, path, cwd);
    const where = place.startsWith(file) ? `${place} cannot be read` : `${file} cannot be read: ${place}`;
    throw new Failure(2, `${where}: ${said}`, [], { cause });
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const { message } = cause as Error;
    const offset =
      /at position (\d+)/.exec(message)?.[1] ?? (/end of JSON/.test(message) ? text.length : undefined);
    const place = offset === undefined ? file : placeIn(text, Number(offset), file);
    throw new Failure(2, `${place} is no JSON: ${message.replace(/\s+/g, ' ')}`, [], { cause });
  }
}

function placeIn(text: string, offset: number, file: string): string {
  const lines = text.slice(0, offset).split('\n');
  return `${file}:${String(lines.length)}:${String((lines.at(-1) ?? '').length + 1)}`;
}

/** Where a member stands, as far as its name tells. */
function placeOfMember(path: string, file: string): (member: string) => string {
  return (member) => {
    const text = readFileSync(path, 'utf8');
    const name = (member.split('.').at(-1) ?? member).replace(/\W/g, '\\$&');
    const [found, ...more] = text.matchAll(new RegExp(`(?<![\\w$])['"]?${name}['"]?\\s*:`, 'g'));
    return found === undefined || more.length > 0 ? file : placeIn(text, found.index, file);
  };
}

type Judge = (value: unknown) => boolean;

const isText: Judge = (value) => typeof value === 'string' && value !== '';
const isTexts: Judge = (value) => Array.isArray(value) && value.every(isText);
const isFlag: Judge = (value) => typeof value === 'boolean';

const apiMembers: Readonly<Record<keyof ApiConfig, Judge>> = {
  document: isText,
  sheet: isText,
  name: isText,
};
const generateMembers: Readonly<Record<keyof GenerateConfig, Judge>> = {
  apis: (value) => Array.isArray(value),
  out: isText,
  only: isTexts,
  models: isTexts,
  from: isText,
  allowRemote: isTexts,
  importExtension: (value) => value === 'js' || value === 'ts',
  templates: isText,
  server: isFlag,
  handlers: isText,
};

type PlaceOf = (member: string) => string;

function checked(value: unknown, placeOf: PlaceOf, file: string): Config {
  const { generate } = requireMembers(value, { generate: () => true }, placeOf, file, '');
  if (generate === undefined) return {};
  const members = requireMembers(generate, generateMembers, placeOf, file, 'generate.');
  const apis = (members['apis'] ?? []) as readonly unknown[];
  apis.forEach((api, index) => {
    if (isText(api)) return;
    const own = requireMembers(api, apiMembers, placeOf, file, `generate.apis[${String(index)}].`);
    if (own['document'] === undefined)
      throw new Failure(2, `${file}: generate.apis[${String(index)}] needs a document`);
  });
  return { generate: members as GenerateConfig };
}

function requireMembers(
  value: unknown,
  known: Readonly<Record<string, Judge>>,
  placeOf: PlaceOf,
  file: string,
  prefix: string,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure(2, `${file}: ${prefix === '' ? 'it' : prefix.replace(/\.$/, '')} must be an object`);
  for (const [name, member] of Object.entries(value)) {
    const judge = Object.hasOwn(known, name) ? known[name] : undefined;
    if (judge === undefined) {
      const near = suggest(name, Object.keys(known));
      const hint =
        near === undefined ? ` What does: ${Object.keys(known).join(', ')}` : ` Did you mean ${near}?`;
      throw new Failure(2, `${placeOf(name)}: ${prefix}${name} means nothing here.${hint}`);
    }
    if (member !== undefined && !judge(member))
      throw new Failure(2, `${placeOf(name)}: ${prefix}${name} cannot be ${JSON.stringify(member)}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
