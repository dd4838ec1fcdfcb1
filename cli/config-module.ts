import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * What a configuration exports by default: by Node itself where it can, which for TypeScript depends on its version.
 *
 * @param afresh evaluates a file that was imported before again, with all that it imports
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
 * The file and what it imports by relative paths, and what these import, as far as they are there: what to look at for
 * changes. Read as text, so that a broken file is no hindrance.
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

/** What is wrong, in one line, and where: in which file, and on which line of it where that is known. */
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
  // This very package, also where it is not installed beside the configuration but for all of a machine.
  const alias = {
    tallystick: fileURLToPath(
      new URL(import.meta.url.endsWith('.ts') ? './config.ts' : './config.js', import.meta.url),
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
    'tallystick/conformance': () => import('../conformance/index.ts'),
    'tallystick/contract': () => import('../contract/index.ts'),
    'tallystick/mock': () => import('../mock/index.ts'),
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
