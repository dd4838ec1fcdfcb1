import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../contract/index.ts';

/** An entry point of the package: `tallystick/mock` and the file that it is compiled from. */
export interface EntryPoint {
  readonly specifier: string;
  readonly file: string;
}

/** The entry points in `exports` of package.json, in order. */
export function entryPoints(): readonly EntryPoint[] {
  const { exports } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: path.replace(/^\./, 'tallystick'),
            file: target.types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts'),
          },
        ],
  );
}

/** The sources as the compiler sees them; one program serves all pages. */
export function program(): ts.Program {
  compiled ??= createProgram();
  return compiled;
}

/**
 * The declarations of a file by name, exported or not.
 *
 * @throws {Error} if the program lacks the file
 */
export function declarationsIn(file: string): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const statement of sourceFile(file).statements)
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      found.set(statement.name.text, statement);
  return found;
}

export type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** @throws {Error} if the program lacks the file */
export function sourceFile(file: string): ts.SourceFile {
  const source = program().getSourceFile(join(packageRoot(), file));
  if (source === undefined) throw new Error(`${file} is not among the sources`);
  return source;
}

/** The doc comment of a symbol, with its tags as lines; empty if there is none. */
export function docOf(symbol: ts.Symbol | undefined): string {
  if (symbol === undefined) return '';
  const checker = program().getTypeChecker();
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}

/** The doc comment of a member. */
export function docOfNode(node: ts.NamedDeclaration): string {
  return node.name === undefined ? '' : docOf(program().getTypeChecker().getSymbolAtLocation(node.name));
}

// --- internal ---

let compiled: ts.Program | undefined;

/**
 * Only our own files, without the types of the platform and of packages: names and comments need neither, and
 * it takes a tenth of the time.
 */
function createProgram(): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    noLib: true,
    types: [],
    strict: true,
  };
  const host = ts.createCompilerHost(options);
  const resolved = (
    literal: ts.StringLiteralLike,
    from: string,
  ): ts.ResolvedModuleWithFailedLookupLocations => ({
    resolvedModule: literal.text.startsWith('.')
      ? { resolvedFileName: join(dirname(from), literal.text), extension: ts.Extension.Ts }
      : undefined,
  });
  host.resolveModuleNameLiterals = (literals, from) => literals.map((literal) => resolved(literal, from));
  const files = [...entryPoints().map(({ file }) => file), ...pageSources];
  return ts.createProgram(
    files.map((file) => join(packageRoot(), file)),
    options,
    host,
  );
}

/** Files that pages are generated from, besides the entry points. */
const pageSources = ['shape', 'calls-shape', 'steering-shape', 'reference-shape'].map(
  (name) => `mock/control/${name}.ts`,
);
