import ts from 'typescript';
import { block, code, page, prose, table, writtenFrom } from './markdown.ts';
import { docOf, entryPoints, program, sourceFile, type EntryPoint } from './sources.ts';

/** One exported name. */
interface Export {
  readonly name: string;
  readonly kind: string;
  readonly doc: string;
  readonly tags: readonly string[];
  readonly declaration: string;
}

/** The page of an entry point, with the declaration and the doc comment of each export. */
export function exportsPage(entry: EntryPoint): string {
  const exports = exportsOf(entry);
  return page(
    writtenFrom(code(entry.file)),
    `# ${entry.specifier}`,
    purposes[entry.specifier] ?? '',
    block('ts', `import { … } from '${entry.specifier}';`),
    table(
      ['export', 'kind', 'what it is'],
      exports.map(({ name, kind, doc }, index) => [
        `[${code(name)}](#${anchorOf(exports, index)})`,
        kind,
        prose(firstSentence(doc)),
      ]),
    ),
    ...exports.map(({ name, doc, tags, declaration }) =>
      [`## ${name}`, prose(doc), ...tags.map(prose), block('ts', declaration)]
        .filter((part) => part !== '')
        .join('\n\n'),
    ),
  );
}

/** The entry points of the package. */
export function exportsIndexPage(): string {
  return page(
    writtenFrom('`exports` of `package.json`'),
    '# Exports',
    'Everything that a program may import. The package is ESM only. Paths that are not listed here are internal.',
    table(
      ['import', 'what it is'],
      entryPoints().map((entry) => [
        `[${code(entry.specifier)}](exports/${exportsPageName(entry)}.md)`,
        purposes[entry.specifier] ?? '',
      ]),
    ),
  );
}

/** The exports without a doc comment, as `specifier: name`: they fail `npm run docs`. */
export function undocumentedExports(): readonly string[] {
  return entryPoints().flatMap((entry) => [
    ...(purposes[entry.specifier] === undefined
      ? [`${entry.specifier} has no purpose in scripts/reference/exports.ts`]
      : []),
    ...exportsOf(entry)
      .filter(({ doc }) => doc === '')
      .map(({ name }) => `${entry.specifier} exports ${name} without a doc comment`),
  ]);
}

/** The name of the page of an entry point: `server-redis` for `tallystick/server/redis`. */
export function exportsPageName({ specifier }: EntryPoint): string {
  const [, ...path] = specifier.split('/');
  return path.length === 0 ? 'tallystick' : path.join('-');
}

// --- internal ---

/** The purpose of each entry point. */
const purposes: Readonly<Record<string, string>> = {
  tallystick: 'The configuration file: `defineConfig` and its types.',
  'tallystick/contract': 'Loads and compares contracts: an OpenAPI document with its behaviour sheet.',
  'tallystick/generator': 'Generates TypeScript from contracts, and writes it.',
  'tallystick/mock': 'The mock server, with or without a socket.',
  'tallystick/msw': 'The mock as handlers of Mock Service Worker.',
  'tallystick/vitest': 'The mock and the rules in tests of Vitest.',
  'tallystick/playwright': 'The mock in tests of Playwright.',
  'tallystick/conformance': 'Judges a live server by the rules of a contract, and prints reports.',
  'tallystick/vite': 'The mock in the development server of Vite.',
  'tallystick/proxy': 'A proxy that judges live traffic.',
  'tallystick/server': 'The stores of generated servers: their types, and a store in memory.',
  'tallystick/server/redis': 'A store in Valkey or Redis.',
  'tallystick/server/postgres': 'A store in PostgreSQL.',
  'tallystick/server/store-tests': 'Tests that every store has to pass.',
};

function exportsOf({ file }: EntryPoint): readonly Export[] {
  const checker = program().getTypeChecker();
  const module = checker.getSymbolAtLocation(sourceFile(file));
  if (module === undefined) throw new Error(`${file} is not a module`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) =>
      exportOf(symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol),
    )
    .sort(
      (left, right) =>
        kinds.indexOf(left.kind) - kinds.indexOf(right.kind) || (left.name < right.name ? -1 : 1),
    );
}

/** In the order of a page. */
const kinds = ['function', 'class', 'constant', 'type'];

function exportOf(name: string, symbol: ts.Symbol): Export {
  const declarations = symbol.declarations ?? [];
  return {
    name,
    kind: kindOf(symbol),
    doc: docOf(symbol),
    tags: symbol.getJsDocTags(program().getTypeChecker()).map(({ name: tag, text }) => {
      const [label = '', words = ''] = splitTag(tag, ts.displayPartsToString(text));
      return `**${label}**${words === '' ? '' : `: ${words}`}`;
    }),
    declaration: declarations.map(textOf).join('\n'),
  };
}

function splitTag(tag: string, text: string): readonly [string, string] {
  if (tag === 'returns') return ['Returns', text];
  if (tag === 'throws') return ['Throws', text.replace(/^\{(.*?)\}/, '`$1`')];
  return [tag, text];
}

function kindOf({ flags }: ts.Symbol): string {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Function) return 'function';
  return flags & ts.SymbolFlags.Variable ? 'constant' : 'type';
}

/** A declaration without the bodies of its functions. */
function textOf(node: ts.Declaration): string {
  if (ts.isFunctionDeclaration(node)) return withoutBody(node);
  if (ts.isClassDeclaration(node)) return classText(node);
  if (ts.isVariableDeclaration(node)) {
    const checker = program().getTypeChecker();
    return `const ${node.name.getText()}: ${node.type?.getText() ?? checker.typeToString(checker.getTypeAtLocation(node), node, ts.TypeFormatFlags.NoTruncation)};`;
  }
  return node.getText().replace(/^export /, '');
}

function withoutBody(node: ts.FunctionLikeDeclaration): string {
  const text = node.getText();
  const end = node.body === undefined ? text.length : node.body.getStart() - node.getStart();
  return `${text
    .slice(0, end)
    .trimEnd()
    .replace(/^export /, '')
    .replace(/;$/, '')};`;
}

function classText(node: ts.ClassDeclaration): string {
  const head = node
    .getText()
    .slice(0, node.members.pos - node.getStart())
    .replace(/^export /, '');
  const members = node.members
    .filter(
      (member) => !(ts.canHaveModifiers(member) && isHidden(ts.getModifiers(member))) && !hasHashName(member),
    )
    .map(
      (member) =>
        `  ${ts.isPropertyDeclaration(member) ? propertyText(member) : ts.isFunctionLike(member) && 'body' in member ? withoutBody(member as ts.FunctionLikeDeclaration) : member.getText()}`,
    );
  return [head.trimEnd(), ...members, '}'].join('\n');
}

function isHidden(modifiers: readonly ts.Modifier[] | undefined): boolean {
  return (
    modifiers?.some(
      ({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword,
    ) === true
  );
}

function hasHashName({ name }: ts.ClassElement): boolean {
  return name !== undefined && ts.isPrivateIdentifier(name);
}

function propertyText(member: ts.PropertyDeclaration): string {
  const { name, type, initializer } = member;
  return `readonly ${name.getText()}: ${type?.getText() ?? initializer?.getText() ?? 'unknown'};`;
}

function firstSentence(doc: string): string {
  return (/^[\s\S]*?\.(?=\s|$)/.exec(doc)?.[0] ?? doc).replaceAll('\n', ' ');
}

/**
 * The anchor that the site and GitHub make from a heading of one word: names that differ only in case are
 * numbered.
 */
function anchorOf(exports: readonly Export[], index: number): string {
  const name = exports[index]?.name.toLowerCase() ?? '';
  const before = exports.slice(0, index).filter((other) => other.name.toLowerCase() === name).length;
  return before === 0 ? name : `${name}-${String(before)}`;
}
