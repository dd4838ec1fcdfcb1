import type * as Morphs from 'ts-morph';
import type { Node, ObjectLiteralExpression, SourceFile } from 'ts-morph';
import { jsComment, jsString } from './printing.ts';

/**
 * The expected content of a handler file. The file belongs to the user: it is written once, and later runs
 * only add to it.
 */
export interface HandlersView {
  readonly title: string;
  /** The interface of the generated server that the handlers implement. */
  readonly handlersType: string;
  /** The variable that a new file declares. */
  readonly variable: string;
  /** The specifier of the generated server in the file's import. */
  readonly server: string;
  readonly operations: readonly { readonly name: string; readonly comment: readonly string[] }[];
}

/** The text of a file of handlers, and the added handlers. */
export interface MergedHandlers {
  readonly text: string;
  readonly added: readonly string[];
  /** Handlers of operations that the contract no longer has. They stay, because a person wrote them. */
  readonly removed: readonly { readonly name: string; readonly line: number; readonly column: number }[];
  /** Why nothing could be added, if so. */
  readonly problem?: string;
}

/**
 * The handler file with a stub for every missing operation. Its content is not changed, including bodies, comments
 * and spaces. Loads ts-morph only if the file exists.
 *
 * @param existing the present file, if there is one
 */
export async function mergeHandlers(
  existing: string | undefined,
  view: HandlersView,
): Promise<MergedHandlers> {
  if (existing === undefined)
    return { text: newFile(view), added: view.operations.map(({ name }) => name), removed: [] };
  const morph = await import('ts-morph');
  const project = new morph.Project({ useInMemoryFileSystem: true, compilerOptions: { allowJs: true } });
  const file = project.createSourceFile('handlers.ts', existing);
  const place = placeOf(file, view, morph);
  if (place === undefined) {
    const problem = `no object or class of the type ${view.handlersType}: declare \`const ${view.variable}: ${view.handlersType} = {}\``;
    return { text: existing, added: [], removed: [], problem };
  }
  const known = new Map(place.members.map(({ name, node }) => [name, node]));
  const wanted = new Set(view.operations.map(({ name }) => name));
  const removed = [...known]
    .filter(([name]) => !wanted.has(name) && place.isHandlersOnly)
    .map(([name, node]) => ({ name, ...file.getLineAndColumnAtPos(node.getStart()) }));
  if (place.hasSpread) return { text: existing, added: [], removed };
  const missing = view.operations.filter(({ name }) => !known.has(name));
  if (missing.length === 0) return { text: existing, added: [], removed };
  return { text: withStubs(existing, place, missing), added: missing.map(({ name }) => name), removed };
}

// --- internal ---

type Morph = typeof Morphs;

interface Place {
  readonly members: readonly { readonly name: string; readonly node: Node }[];
  readonly isClass: boolean;
  /** An object whose declared type is exactly the handlers; a class may have methods of its own. */
  readonly isHandlersOnly: boolean;
  /** A spread adds handlers from elsewhere, so it is unknown which are missing. */
  readonly hasSpread: boolean;
  /** The position of its closing brace, and the end of the text before that. */
  readonly brace: number;
  readonly last: { readonly end: number; readonly hasComma: boolean } | undefined;
}

function newFile({ title, handlersType, variable, server, operations }: HandlersView): string {
  const stubs = operations.map((operation) => stub(operation, '  ', ',')).join('');
  return (
    `import type { ${handlersType} } from ${jsString(server)};\n\n` +
    jsComment([
      `The handlers of ${title}. This file is yours: new operations are added to it, and nothing in it is changed.`,
    ]) +
    `export const ${variable}: ${handlersType} = {\n${stubs}};\n`
  );
}

function stub({ name, comment }: HandlersView['operations'][number], margin: string, end: string): string {
  const text = `${name} is not written yet`;
  return `${jsComment(comment, margin.length)}${margin}${name}(_input, _call) {\n${margin}  throw new Error(${jsString(text)});\n${margin}}${end}\n`;
}

function placeOf(file: SourceFile, { handlersType }: HandlersView, morph: Morph): Place | undefined {
  const { Node: Kind, SyntaxKind } = morph;
  const isOurs = (text: string | undefined): boolean =>
    text !== undefined && new RegExp(`(?:^|\\.)${handlersType}(?:<|$)`).test(text.trim());
  for (const variable of file.getDescendantsOfKind(SyntaxKind.VariableDeclaration)) {
    let value: Node | undefined = variable.getInitializer();
    let typed = isOurs(variable.getTypeNode()?.getText());
    while (
      Kind.isSatisfiesExpression(value) ||
      Kind.isAsExpression(value) ||
      Kind.isParenthesizedExpression(value)
    ) {
      if (!Kind.isParenthesizedExpression(value)) typed ||= isOurs(value.getTypeNode()?.getText());
      value = value.getExpression();
    }
    if (typed && Kind.isObjectLiteralExpression(value)) return ofObject(value, morph);
  }
  for (const declaration of file.getDescendantsOfKind(SyntaxKind.FunctionDeclaration)) {
    if (!isOurs(declaration.getReturnTypeNode()?.getText())) continue;
    const returned = declaration
      .getDescendantsOfKind(SyntaxKind.ReturnStatement)
      .map((each) => each.getExpression());
    const value = returned.find((each) => Kind.isObjectLiteralExpression(each));
    if (Kind.isObjectLiteralExpression(value)) return ofObject(value, morph);
  }
  for (const declaration of file.getDescendantsOfKind(SyntaxKind.ClassDeclaration)) {
    if (!declaration.getImplements().some((each) => isOurs(each.getText()))) continue;
    const members = declaration
      .getInstanceMembers()
      .map((node) => ({ name: node.getName(), node: node as Node }));
    const brace = declaration.getLastChildByKindOrThrow(SyntaxKind.CloseBraceToken).getStart();
    const last = declaration.getMembers().at(-1);
    return {
      ...{ members, brace, isClass: true, isHandlersOnly: false },
      hasSpread: declaration.getExtends() !== undefined,
      last: last === undefined ? undefined : { end: last.getEnd(), hasComma: true },
    };
  }
  return undefined;
}

function ofObject(value: ObjectLiteralExpression, { Node: Kind, SyntaxKind }: Morph): Place {
  const properties = value.getProperties();
  const last = properties.at(-1);
  const comma = last?.getNextSiblingIfKind(SyntaxKind.CommaToken);
  return {
    members: properties.flatMap((node) =>
      Kind.isSpreadAssignment(node) ? [] : [{ name: nameOf(node.getName()), node }],
    ),
    ...{ isClass: false, isHandlersOnly: true },
    hasSpread: properties.some((node) => Kind.isSpreadAssignment(node)),
    brace: value.getLastChildByKindOrThrow(SyntaxKind.CloseBraceToken).getStart(),
    last:
      last === undefined
        ? undefined
        : { end: comma?.getEnd() ?? last.getEnd(), hasComma: comma !== undefined },
  };
}

function nameOf(text: string): string {
  return text.replace(/^(['"])(.*)\1$/, '$2');
}

/** The file with stubs before the closing brace. The text between the last member and the brace is kept. */
function withStubs(text: string, place: Place, missing: HandlersView['operations']): string {
  const { last, brace, isClass } = place;
  const lineStart = text.lastIndexOf('\n', brace - 1) + 1;
  const closesOwnLine = text.slice(lineStart, brace).trim() === '';
  const outer = closesOwnLine
    ? text.slice(lineStart, brace)
    : (/^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '');
  const margin = `${outer}  `;
  const stubs = missing.map((operation) => `\n${stub(operation, margin, isClass ? '' : ',')}`).join('');
  const comma = isClass || last === undefined || last.hasComma ? '' : ',';
  const at = closesOwnLine ? lineStart : brace;
  const before =
    last === undefined ? text.slice(0, at) : text.slice(0, last.end) + comma + text.slice(last.end, at);
  const added =
    last === undefined
      ? stubs.replace(/^\n/, closesOwnLine ? '' : '\n')
      : `${closesOwnLine ? '' : '\n'}${stubs}`;
  return `${before}${added}${closesOwnLine ? '' : outer}${text.slice(brace - (closesOwnLine ? outer.length : 0))}`;
}
