import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import ts from 'typescript';
import { onTestFinished } from 'vitest';
import { type Contract, loadContract } from '../../contract/index.ts';
import { type GeneratedFile, generate, type GenerateOptions } from '../../generator/index.ts';
import { strictest } from '../strictest.ts';

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-generator-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A document of the test's own, read as a user's would be. */
export async function contractOf(document: object, name = 'sample'): Promise<Contract> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  const loaded = await loadContract({ document: 'openapi.json', cwd: folder, name });
  if (!loaded.ok)
    throw new Error(
      loaded.diagnostics.map(({ message, pointer }) => `${pointer ?? ''} ${message}`).join('\n'),
    );
  return loaded.contract;
}

/** A document with these schemas and operations. */
export function documentOf(schemas: object, paths: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Sample', version: '1' }, paths, components: { schemas } };
}

export async function filesOf(
  document: object,
  name = 'sample',
  options: GenerateOptions = {},
): Promise<readonly GeneratedFile[]> {
  return generate([await contractOf(document, name)], options);
}

export function textOf(files: readonly GeneratedFile[], path: string): string {
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined)
    throw new Error(`no ${path} among ${files.map((candidate) => candidate.path).join(', ')}`);
  return file.text;
}

/** Puts generated files into a folder as the JavaScript that a user's compiler makes of them, and imports one. */
export async function imported(
  files: readonly GeneratedFile[],
  path: string,
): Promise<Record<string, unknown>> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const file of files.filter((candidate) => candidate.path.endsWith('.ts'))) {
    const to = join(folder, file.path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, transpiled(file.text));
  }
  return (await import(
    /* @vite-ignore */ pathToFileURL(join(folder, path.replace(/\.ts$/, '.js'))).href
  )) as Record<string, unknown>;
}

/** Most documents share most of their files. */
const outputs = new Map<string, string>();

function transpiled(text: string): string {
  const known = outputs.get(text);
  if (known !== undefined) return known;
  const { code } = transformSync(text, {
    loader: 'ts',
    target: 'es2022',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  outputs.set(text, code);
  return code;
}

/** Every strictness that a user may have. */
const everyStrictness: ts.CompilerOptions = {
  ...strictest,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  noEmit: true,
  declaration: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  isolatedDeclarations: true,
  skipLibCheck: true,
};

const resolutions: Record<'nodenext' | 'bundler', ts.CompilerOptions> = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

const current = ts;

/**
 * What a strict compiler says about generated files, and about files of the test's own among them that use these.
 *
 * @param options in place of the strictest ones
 * @param ts the compiler, where it is not the one in use here
 */
export function compilerErrors(
  files: readonly GeneratedFile[],
  resolution: keyof typeof resolutions = 'nodenext',
  options: ts.CompilerOptions = {},
  ts: typeof current = current,
): string[] {
  const root = '/project';
  const texts = new Map(files.map(({ path, text }) => [`${root}/${path}`, text]));
  texts.set(`${root}/package.json`, '{"type":"module"}');
  const host = ts.createCompilerHost({}, true);
  const { getSourceFile, fileExists, readFile } = host;
  const isOurs = (path: string): boolean => path.startsWith(`${root}/`);
  host.getSourceFile = (path, version) => {
    if (!isOurs(path))
      return (libraries[`${ts.version} ${path}`] ??= getSourceFile.call(host, path, version));
    const text = texts.get(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, version, true);
  };
  host.fileExists = (path) => (isOurs(path) ? texts.has(path) : fileExists.call(host, path));
  host.readFile = (path) => (isOurs(path) ? texts.get(path) : readFile.call(host, path));
  host.directoryExists = (path) => path === root || isOurs(path) || ts.sys.directoryExists(path);
  host.realpath = (path) => path;
  host.getCurrentDirectory = () => root;
  const names = [...texts.keys()].filter((path) => path.endsWith('.ts'));
  const all = { ...everyStrictness, ...resolutions[resolution], ...options };
  const program = ts.createProgram(names, all, host);
  const found = names.flatMap((name) => {
    const key = hashOf([ts.version, JSON.stringify(all), ...[...withImports(name, texts)].sort()]);
    if (faultless.has(key)) return [];
    const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(name));
    if (diagnostics.length === 0) faultless.add(key);
    return diagnostics;
  });
  return ts
    .sortAndDeduplicateDiagnostics(found)
    .map(
      ({ file, start, messageText }) =>
        `${file?.fileName.slice(root.length + 1) ?? ''}:${String((file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0) + 1)} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

const libraries: Record<string, ts.SourceFile | undefined> = {};

/** Modules without a fault, by the texts of all that they are made of: what most documents share is checked once. */
const faultless = new Set<string>();

const hashOf = (texts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${String(text.length)}:`).update(text);
  return hash.digest('hex');
};

/** A module and all that it imports, directly or not: each as its path and its text. */
function withImports(start: string, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const text = texts.get(path);
    const piece = `${path}\n${text ?? ''}`;
    if (seen.has(piece)) return;
    seen.add(piece);
    for (const { fileName } of ts.preProcessFile(text ?? '').importedFiles)
      visit(join(dirname(path), fileName.replace(/\.js$/, '.ts')));
  };
  visit(start);
  return seen;
}

export const require = createRequire(import.meta.url);
