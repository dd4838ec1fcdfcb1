import ts from 'typescript';
import { isForTests, switchesOf } from './switches.ts';
import type { Switches } from './switches.ts';

/** One small change of a source text. */
export interface Mutation {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly kind: 'comparison' | 'condition' | 'constant' | 'drop' | 'logic' | 'operator' | 'pattern';
  /** What was there, and what is there now; both in one line. */
  readonly from: string;
  readonly to: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The source with one mutation in it. */
export function mutated(source: string, { start, end, replacement }: Mutation): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** How reports and the table of survivors call a mutation. It does not depend on the line. */
export function nameOf({ file, from, to }: Pick<Mutation, 'file' | 'from' | 'to'>): string {
  return `${file}: ${from} → ${to}`;
}

/**
 * All mutations of a source, in the order of the text. What only a known fault runs (`broken.has(…)`), and what only the
 * tests of this server ask for, is left out: no request reaches it.
 */
export function mutationsOf(file: string, source: string): readonly Mutation[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const known = switchesOf(tree);
  const found: Mutation[] = [];
  const add: Add = (node, kind, replacement, whole = node, shown) => {
    const start = node.getStart(tree);
    const { line, character } = tree.getLineAndCharacterOfPosition(start);
    const from = source.slice(whole.getStart(tree), whole.end);
    const offset = start - whole.getStart(tree);
    const to = shown ?? from.slice(0, offset) + replacement + from.slice(offset + node.end - start);
    const place = { file, line: line + 1, column: character + 1 };
    const change = { start, end: node.end, replacement };
    found.push({ ...place, kind, from: inOneLine(from), to: inOneLine(to), ...change });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || known.value(node) !== undefined || isForTests(node)) return;
    const live = known.liveBranch(node);
    if (live === undefined) mutate(node, add, known);
    for (const child of live ?? childrenOf(node)) visit(child);
  };
  visit(tree);
  return found;
}

// --- internal ---

/** @param whole what to show of the source around it @param shown what to show instead of it */
type Add = (
  node: ts.Node,
  kind: Mutation['kind'],
  replacement: string,
  whole?: ts.Node,
  shown?: string,
) => void;

const MOST_SHOWN = 120;

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN)}…`;
}

function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  node.forEachChild((child) => void children.push(child));
  return children;
}

const COMPARISONS: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
]);

const LOGIC: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
]);

function mutate(node: ts.Node, add: Add, known: Switches): void {
  if (ts.isBinaryExpression(node)) mutateBinary(node, add, known);
  else if (ts.isIfStatement(node)) mutateCondition(node.expression, add);
  else if (ts.isConditionalExpression(node)) {
    add(node.condition, 'condition', 'true', node);
    add(node.condition, 'condition', 'false', node);
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    add(node, 'condition', node.operand.getText());
  else if (ts.isNumericLiteral(node)) add(node, 'constant', String(Number(node.text) + 1), contextOf(node));
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'constant', 'false', contextOf(node));
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'constant', 'true', contextOf(node));
  else if (ts.isStringLiteral(node)) mutateText(node, add);
  else if (ts.isRegularExpressionLiteral(node)) mutatePattern(node, add);
  else if (ts.isExpressionStatement(node)) add(node, 'drop', ';');
  else if (
    ts.isSpreadAssignment(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node)
  )
    mutateMember(node, add);
  else if (ts.isCallExpression(node)) mutateCall(node, add);
}

function mutateBinary(node: ts.BinaryExpression, add: Add, known: Switches): void {
  const { left, operatorToken, right } = node;
  if (known.value(left) !== undefined || known.value(right) !== undefined) return;
  for (const other of COMPARISONS.get(operatorToken.kind) ?? [])
    add(operatorToken, 'comparison', other, node);
  const logic = LOGIC.get(operatorToken.kind);
  if (logic !== undefined) {
    add(operatorToken, 'logic', logic, node);
    add(node, 'logic', left.getText());
    add(node, 'logic', right.getText());
  }
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) add(node, 'logic', right.getText());
  const operator = OPERATORS.get(operatorToken.kind);
  if (operator !== undefined) add(operatorToken, 'operator', operator, node);
}

function mutateCondition(condition: ts.Expression, add: Add): void {
  add(condition, 'condition', 'true');
  add(condition, 'condition', 'false');
}

/** Names of members and of modules are no texts of the server. */
function mutateText(node: ts.StringLiteral, add: Add): void {
  const { parent } = node;
  const isName =
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isElementAccessExpression(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isExportDeclaration(parent);
  // A text with blanks is for people, but for one that a `switch` compares with: without it, its branch never runs.
  if (!isName && (ts.isCaseClause(parent) || !node.text.includes(' ')))
    add(node, 'constant', node.text === '' ? "'x'" : "''", contextOf(node));
}

function mutatePattern(node: ts.RegularExpressionLiteral, add: Add): void {
  const end = node.text.lastIndexOf('/');
  const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
  if (source.startsWith('^')) add(node, 'pattern', `/${source.slice(1)}/${flags}`);
  if (source.endsWith('$')) add(node, 'pattern', `/${source.slice(0, -1)}/${flags}`);
  if (flags.includes('i')) add(node, 'pattern', `/${source}/${flags.replace('i', '')}`);
  const plus = source.indexOf('+');
  if (plus > 0 && !/[\\[]/.test(source.charAt(plus - 1)))
    add(node, 'pattern', `/${source.slice(0, plus)}*${source.slice(plus + 1)}/${flags}`);
}

/** A member less. */
function mutateMember(node: ts.ObjectLiteralElementLike, add: Add): void {
  const { parent } = node;
  if (node.getText().includes('=>') || !ts.isObjectLiteralExpression(parent)) return;
  const rest = parent.properties.filter((member) => member !== node).map((member) => member.getText());
  add(parent, 'drop', `{ ${rest.join(', ')} }`, node, 'nothing');
}

/** The receiver alone, where a call gives back the like of it; `some` for `every` and the other way round. */
function mutateCall(node: ts.CallExpression, add: Add): void {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) return;
  const name = expression.name.text;
  if (RECEIVERS.has(name)) add(node, 'drop', expression.expression.getText());
  const other = OPPOSITES.get(name);
  if (other !== undefined) add(expression.name, 'logic', other, node);
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
]);

const RECEIVERS: ReadonlySet<string> = new Set(['trim', 'filter', 'slice', 'replace', 'sort', 'toLowerCase']);

/** What to show around a constant. */
function contextOf(node: ts.Node): ts.Node {
  const { parent } = node;
  const isShort = parent.end - parent.pos <= MOST_SHOWN && !ts.isBlock(parent) && !ts.isSourceFile(parent);
  return isShort ? parent : node;
}
