import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The default export of a configuration. Node itself imports it if it can, which for TypeScript depends on its
 * version.
 *
 * @param afresh evaluates a file again that was imported before, with everything that it imports
 */
export async function importConfig(path: string, afresh: boolean): Promise<unknown> {
  if (afresh) return defaultOf(await transformed(path));
  try {
    return defaultOf(await import(pathToFileURL(path).href));
  } catch (error) {
    // Node does not say where a syntax error is.
    const isOurs = error instanceof Error && /'tallystick'/.test(error.message);
    const isForNode = !(error instanceof SyntaxError) && !ONLY_JAVASCRIPT.has(codeOf(error));
    if (isForNode && !isOurs) throw error;
    return defaultOf(await transformed(path));
  }
}

/**
 * The files to watch for changes: the file, its imports by relative paths, and their imports, as far as they exist.
 * They are read as text, so that a broken file does not matter.
 */
export function sourcesOf(path: string): readonly string[] {
  const found = new Set([path]);
  for (const file of found) {
    if (!/\.[cm]?[jt]s$/.test(file) || !existsSync(file)) continue;
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE)) {
      const target = resolve(dirname(file), specifier);
      const known = SUFFIXES.map((suffix) => target.replace(/\.js$/, suffix === '.ts' ? '' : '.js') + suffix);
      const source = known.find((candidate) => isFile(candidate));
      if (source !== undefined) found.add(source);
    }
  }
  return [...found];
}

/** The error in one line, with its file, and its line if that is known. */
export function faultOf(error: unknown, path: string, cwd: string): { place: string; said: string } {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const said = (message.split('\n')[0] ?? '').replace(/^ParseError: /, '').trim();
  const shown = (file: string, line: string | number, column: string | number): string =>
    `${relative(cwd, file).replaceAll('\\', '/')}:${String(line)}:${String(column)}`;
  // The transformer counts columns from 0.
  const parsed = /^[\t ]*(\S.*):(\d+):(\d+)[\t ]*$/m.exec(message.split('\n').slice(1).join('\n'));
  if (parsed !== null) return { said, place: shown(parsed[1] ?? '', parsed[2] ?? '', Number(parsed[3]) + 1) };
  const sources = sourcesOf(path);
  for (const [, url = '', line = '', column = ''] of stack.matchAll(FRAME)) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (sources.includes(file)) return { said, place: shown(file, line, column) };
  }
  return { said, place: relative(cwd, path).replaceAll('\\', '/') };
}

// --- internal ---

const ONLY_JAVASCRIPT: ReadonlySet<unknown> = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
]);

const RELATIVE = /\b(?:from|import|require)\s*(?:\(\s*)?['"](\.{1,2}\/[^'"\n]+)['"]/g;
const SUFFIXES = ['', '.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.js'];
const FRAME = /(?<![^\s(])((?:file:\/\/)?\/[^\s()]+|[A-Za-z]:\\[^()\n]+):(\d+):(\d+)\)?$/gm;

async function transformed(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  // This package, even if it is installed globally and not beside the configuration.
  const alias = {
    tallystick: fileURLToPath(
      new URL(import.meta.url.endsWith('.ts') ? '../config.ts' : '../cli/config.js', import.meta.url),
    ),
  };
  const virtualModules = await packageModules(path);
  const options = { fsCache: false, moduleCache: false, tryNative: false, alias, virtualModules };
  return createJiti(pathToFileURL(path).href, options).import(path);
}

/** The parts of this package that a configuration may import; loaded only where one of its files names them. */
async function packageModules(path: string): Promise<Record<string, unknown>> {
  const text = sourcesOf(path)
    .map((file) => (isFile(file) ? readFileSync(file, 'utf8') : ''))
    .join('\n');
  const parts: Readonly<Record<string, () => Promise<unknown>>> = {
    'tallystick/conformance': () => import('../../conformance/index.ts'),
    'tallystick/contract': () => import('../../contract/index.ts'),
    'tallystick/mock': () => import('../../mock/index.ts'),
  };
  const named = Object.entries(parts).filter(([name]) => new RegExp(`['"]${name}['"]`).test(text));
  return Object.fromEntries(
    await Promise.all(named.map(async ([name, load]) => [name, await load()] as const)),
  );
}

function defaultOf(module: unknown): unknown {
  const isObject = typeof module === 'object' && module !== null;
  return isObject && 'default' in module ? module.default : module;
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
