import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suggest } from '../contract/index.ts';
import type { ApiConfig, Config, GenerateConfig } from './config.ts';
import { Failure } from './failure.ts';

export interface FoundConfig {
  readonly config: Config;
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
 * @throws {Failure} for a file that cannot be read, and for members that mean nothing, by their names
 */
export async function findConfig(cwd: string): Promise<FoundConfig | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of configNames) {
      const path = join(folder, name);
      if (!existsSync(path)) continue;
      const file = relative(cwd, path).replaceAll('\\', '/');
      return { config: checked(await load(path, file), file), file, folder };
    }
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const file = `${relative(cwd, manifest).replaceAll('\\', '/')}#tallystick`;
      const config = membersOf(parse(readFileSync(manifest, 'utf8'), file))['tallystick'];
      return config === undefined ? undefined : { config: checked(config, file), file, folder };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

// --- internal ---

async function load(path: string, file: string): Promise<unknown> {
  if (path.endsWith('.json')) return parse(await readFile(path, 'utf8'), file);
  try {
    return defaultOf(await importFile(path));
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(2, `${file} cannot be read: ${said.split('\n')[0] ?? ''}`, [], { cause });
  }
}

/** By Node itself where it can, which for TypeScript depends on its version. */
async function importFile(path: string): Promise<unknown> {
  const url = pathToFileURL(path).href;
  try {
    return (await import(url)) as unknown;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isOfTypes = code === 'ERR_UNKNOWN_FILE_EXTENSION' || code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';
    if (!isOfTypes) throw error;
    const { createJiti } = await import('jiti');
    return createJiti(url, { fsCache: false }).import(path);
  }
}

function defaultOf(module: unknown): unknown {
  const members = membersOf(module);
  return 'default' in members ? members['default'] : module;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Failure(2, `${file} is no JSON: ${(cause as Error).message}`, [], { cause });
  }
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

function checked(value: unknown, file: string): Config {
  const { generate } = requireMembers(value, { generate: () => true }, file, '');
  if (generate === undefined) return {};
  const members = requireMembers(generate, generateMembers, file, 'generate.');
  const apis = (members['apis'] ?? []) as readonly unknown[];
  apis.forEach((api, index) => {
    if (isText(api)) return;
    const own = requireMembers(api, apiMembers, file, `generate.apis[${String(index)}].`);
    if (own['document'] === undefined)
      throw new Failure(2, `${file}: generate.apis[${String(index)}] needs a document`);
  });
  return { generate: members as GenerateConfig };
}

function requireMembers(
  value: unknown,
  known: Readonly<Record<string, Judge>>,
  file: string,
  prefix: string,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Failure(2, `${file}: ${prefix === '' ? 'it' : prefix.replace(/\.$/, '')} must be an object`);
  for (const [name, member] of Object.entries(value)) {
    const judge = Object.hasOwn(known, name) ? known[name] : undefined;
    if (judge === undefined) {
      const near = suggest(name, Object.keys(known));
      throw new Failure(
        2,
        `${file}: ${prefix}${name} means nothing here${near === undefined ? '' : `. Did you mean ${near}?`}`,
      );
    }
    if (member !== undefined && !judge(member))
      throw new Failure(2, `${file}: ${prefix}${name} cannot be ${JSON.stringify(member)}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
