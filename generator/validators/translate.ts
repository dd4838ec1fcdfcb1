import type * as TypeScript from 'typescript';
import { jsString } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { Json } from '../../contract/index.ts';
import type { EmittedFunction, Surroundings } from './emitted.ts';
import { withoutUnread } from './unread.ts';

/**
 * Turns a function of ajv's into TypeScript for every strictness: no object made for a call, no members on functions,
 * failures in one list, with pointers that are put together only where something failed. What stands in the text is
 * ajv's reading of a schema; anything in it that is not known here is refused, never guessed.
 *
 * @returns the function under the name of its validator
 * @throws {Error} when ajv emits what this does not know, which its version decides and no document
 */
export function translate(ts: typeof TypeScript, emitted: EmittedFunction, around: Surroundings): string {
  const source = ts.createSourceFile(
    'validator.js',
    emitted.text,
    ts.ScriptTarget.ES2022,
    false,
    ts.ScriptKind.JS,
  );
  const [declaration] = source.statements;
  if (declaration === undefined || !ts.isFunctionDeclaration(declaration) || declaration.body === undefined) {
    throw new Error(`ajv emitted no function: ${emitted.text.slice(0, 200)}`);
  }
  const translating = new Translating(ts, source, around, emitted.isStatic);
  const body = translating.body(declaration.body.statements);
  const parameter = (name: string): string => (new RegExp(`\\b${name}\\b`).test(body) ? name : `_${name}`);
  const name = around.validator(emitted.ajvName) ?? '';
  return `function ${name}(${parameter('data')}: any, ${parameter('failures')}: Failures): void ${body}`;
}

// --- internal ---

type Node = TypeScript.Node;
type Statement = TypeScript.Statement;
type Expression = TypeScript.Expression;

/** Locals of ajv that have no counterpart. */
const WITHOUT_COUNTERPART = /^(?:vErrors|errors|passing\d+|ifClause\d+|missing\d+)$/;

class Translating {
  readonly #ts: typeof TypeScript;
  readonly #f: TypeScript.NodeFactory;
  readonly #source: TypeScript.SourceFile;
  readonly #around: Surroundings;
  readonly #isStatic: boolean;
  readonly #printer: TypeScript.Printer;
  #calls = 0;

  constructor(ts: typeof TypeScript, source: TypeScript.SourceFile, around: Surroundings, isStatic: boolean) {
    this.#ts = ts;
    this.#f = ts.factory;
    this.#source = source;
    this.#around = around;
    this.#isStatic = isStatic;
    this.#printer =
      printers.get(ts) ?? ts.createPrinter({ newLine: ts.NewLineKind.LineFeed, removeComments: true });
    printers.set(ts, this.#printer);
  }

  body(statements: readonly Statement[]): string {
    return this.#print(this.#f.createBlock(withoutUnread(this.#ts, this.#statements(statements)), true));
  }

  #statements(list: readonly Statement[]): Statement[] {
    return list.flatMap((statement) => this.#statement(statement));
  }

  #statement(statement: Statement): Statement[] {
    const ts = this.#ts;
    const f = this.#f;
    if (ts.isEmptyStatement(statement) || ts.isReturnStatement(statement)) return [];
    if (ts.isBreakStatement(statement) || ts.isContinueStatement(statement)) return [statement];
    if (ts.isBlock(statement)) return [this.#block(statement)];
    if (ts.isVariableStatement(statement)) return this.#isLeftOut(statement) ? [] : [this.#visit(statement)];
    if (ts.isExpressionStatement(statement))
      return this.#isOwnAssignment(statement) ? [] : [this.#visit(statement)];
    if (ts.isIfStatement(statement)) {
      const { expression } = statement;
      const asks =
        ts.isPropertyAccessExpression(expression) && /^dynamic(?:Props|Items)$/.test(expression.name.text);
      return asks && this.#isStatic ? [] : (this.#call(statement) ?? [this.#if(statement)]);
    }
    if (ts.isForStatement(statement)) {
      const { initializer, condition, incrementor } = statement;
      const parts = [
        initializer && this.#visit(initializer),
        condition && this.#visit(condition),
        incrementor && this.#visit(incrementor),
      ] as const;
      return [f.createForStatement(...parts, this.#block(statement.statement))];
    }
    if (ts.isForInStatement(statement)) {
      return [
        f.createForInStatement(
          statement.initializer,
          this.#visit(statement.expression),
          this.#block(statement.statement),
        ),
      ];
    }
    if (ts.isForOfStatement(statement)) {
      return [
        f.createForOfStatement(
          undefined,
          statement.initializer,
          this.#visit(statement.expression),
          this.#block(statement.statement),
        ),
      ];
    }
    throw this.#unknown(statement);
  }

  #isLeftOut(statement: TypeScript.VariableStatement): boolean {
    const [declared] = statement.declarationList.declarations;
    const name = declared !== undefined && this.#ts.isIdentifier(declared.name) ? declared.name.text : '';
    return WITHOUT_COUNTERPART.test(name) || (this.#isStatic && /^evaluated\d+$/.test(name));
  }

  /** `vErrors = …`, `validate1.errors = …`: what ajv keeps in two places stands in one list here. */
  #isOwnAssignment({ expression }: TypeScript.ExpressionStatement): boolean {
    const ts = this.#ts;
    if (!ts.isBinaryExpression(expression)) return false;
    const { left } = expression;
    if (ts.isIdentifier(left)) return WITHOUT_COUNTERPART.test(left.text);
    return ts.isPropertyAccessExpression(left) && left.name.text === 'errors';
  }

  #if(statement: TypeScript.IfStatement): Statement {
    const { elseStatement } = statement;
    const others =
      elseStatement &&
      (this.#ts.isIfStatement(elseStatement) ? this.#statement(elseStatement) : [this.#block(elseStatement)]);
    const otherwise =
      others === undefined || others.length === 1 ? others?.[0] : this.#f.createBlock(others, true);
    return this.#f.createIfStatement(
      this.#visit(statement.expression),
      this.#block(statement.thenStatement),
      otherwise,
    );
  }

  #block(statement: Statement): TypeScript.Block {
    return this.#f.createBlock(
      this.#statements(this.#ts.isBlock(statement) ? statement.statements : [statement]),
      true,
    );
  }

  /** `if(!(validate1(data.x, {instancePath: …}))){ …its errors are taken over… }` */
  #call({ expression, elseStatement }: TypeScript.IfStatement): Statement[] | undefined {
    const ts = this.#ts;
    const call = ts.isPrefixUnaryExpression(expression) ? this.#bare(expression.operand) : expression;
    const validator = ts.isCallExpression(call) ? this.#validatorOf(call.expression) : undefined;
    if (!ts.isCallExpression(call) || validator === undefined) return undefined;
    const [value, context] = call.arguments;
    if (value === undefined || context === undefined || !ts.isObjectLiteralExpression(context))
      throw this.#unknown(call);

    const pointer = this.#pointerOf(context);
    const run = this.#code(`${validator}(${this.#print(this.#visit(value))}, failures)`);
    const found = elseStatement === undefined ? [] : this.#block(elseStatement).statements;
    if (pointer === "''" && found.length === 0) return [run];
    const count = `count${this.#calls++}`;
    const declared = this.#f.createVariableDeclaration(
      count,
      undefined,
      undefined,
      this.#f.createIdentifier('failures.length'),
    );
    const when = (operator: string, then: readonly Statement[]): Statement =>
      this.#f.createIfStatement(
        this.#f.createIdentifier(`failures.length ${operator} ${count}`),
        this.#f.createBlock(then, true),
      );
    return [
      this.#f.createVariableStatement(
        undefined,
        this.#f.createVariableDeclarationList([declared], ts.NodeFlags.Const),
      ),
      run,
      ...(pointer === "''"
        ? []
        : [when('>', [this.#code(`${this.#around.use('below')}(${pointer}, failures, ${count})`)])]),
      ...(found.length === 0 ? [] : [when('===', found)]),
    ];
  }

  #validatorOf(expression: Expression): string | undefined {
    const ts = this.#ts;
    if (ts.isIdentifier(expression)) return this.#around.validator(expression.text);
    const isWrapped = ts.isPropertyAccessExpression(expression) && expression.name.text === 'validate';
    return isWrapped && ts.isIdentifier(expression.expression)
      ? this.#around.validator(expression.expression.text)
      : undefined;
  }

  /** The pointer below the value of the function itself that `instancePath` says, as code. */
  #pointerOf(object: TypeScript.ObjectLiteralExpression): string {
    const ts = this.#ts;
    const path = object.properties.find(
      (property) =>
        property.name !== undefined &&
        ts.isIdentifier(property.name) &&
        property.name.text === 'instancePath',
    );
    if (path === undefined || !ts.isPropertyAssignment(path)) return "''";
    const [own, ...parts] = this.#summands(path.initializer);
    if (own === undefined || !ts.isIdentifier(own) || own.text !== 'instancePath') throw this.#unknown(path);
    return foldTexts(parts.map((part) => this.#print(this.#visit(part))).join(' + ')) || "''";
  }

  /** Translates what stands inside of statements. */
  #visit<Kind extends Node>(node: Kind): Kind {
    const ts = this.#ts;
    const f = this.#f;
    const visitor = (inner: Node): Node => {
      if (ts.isStringLiteral(inner)) return f.createIdentifier(jsString(inner.text));
      if (ts.isIdentifier(inner))
        return f.createIdentifier(inner.text === 'errors' ? 'failures.length' : this.#around.use(inner.text));
      const replaced = this.#replacement(inner, visitor);
      if (replaced !== undefined) return replaced;
      if (ts.isPropertyAccessExpression(inner)) {
        return f.updatePropertyAccessExpression(inner, visitor(inner.expression) as Expression, inner.name);
      }
      if (ts.isPropertyAssignment(inner)) {
        return f.updatePropertyAssignment(inner, inner.name, visitor(inner.initializer) as Expression);
      }
      return ts.visitEachChild(inner, visitor, undefined);
    };
    return visitor(node) as Kind;
  }

  /** What stands for a known kind of expression. */
  #replacement(node: Node, visitor: (node: Node) => Node): Node | undefined {
    const ts = this.#ts;
    if (ts.isCallExpression(node)) return this.#knownCall(node, visitor);
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      return this.#knownAccess(node);
    if (ts.isVariableDeclarationList(node)) return this.#declarations(node, visitor);
    if (!ts.isBinaryExpression(node)) return undefined;
    // What is missing is said by the message.
    if (ts.isIdentifier(node.left) && /^missing\d+$/.test(node.left.text)) return this.#f.createTrue();
    if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
    return this.#f.createIdentifier(
      foldTexts(
        this.#summands(node)
          .map((part) => this.#print(visitor(part)))
          .join(' + '),
      ),
    );
  }

  /** Some begin to exist inside of a block and are used outside, some are objects that get members later. */
  #declarations(list: TypeScript.VariableDeclarationList, visitor: (node: Node) => Node): Node {
    const f = this.#f;
    const isVar = (list.flags & this.#ts.NodeFlags.BlockScoped) === 0;
    const declarations = list.declarations.map(({ name, initializer }) => {
      const isOpen = isVar || initializer === undefined;
      const type = isOpen ? f.createKeywordTypeNode(this.#ts.SyntaxKind.AnyKeyword) : undefined;
      return f.createVariableDeclaration(
        name,
        undefined,
        type,
        initializer && (visitor(initializer) as Expression),
      );
    });
    return f.createVariableDeclarationList(declarations, list.flags & this.#ts.NodeFlags.BlockScoped);
  }

  #knownCall(
    { expression, arguments: given }: TypeScript.CallExpression,
    visitor: (node: Node) => Node,
  ): Node | undefined {
    const ts = this.#ts;
    const visited = (): string => given.map((argument) => this.#print(visitor(argument))).join(', ');
    if (ts.isIdentifier(expression)) {
      return this.#around.helper(expression.text) === 'equal'
        ? this.#f.createIdentifier(`${this.#around.use('isEqual')}(${visited()})`)
        : undefined;
    }
    if (!ts.isPropertyAccessExpression(expression)) return undefined;
    const { expression: on, name } = expression;
    // `func0.call(schema0.properties, key0)`: whether a name is one of those.
    if (name.text === 'call' && ts.isIdentifier(on) && this.#around.helper(on.text) === 'own') {
      const [object, key] = given;
      const members = object && this.#schemaValue(object);
      if (!isObject(members) || key === undefined)
        return this.#f.createIdentifier(`Object.hasOwn(${visited()})`);
      return this.#f.createIdentifier(
        `${this.#around.set(Object.keys(members))}.has(${this.#print(visitor(key))})`,
      );
    }
    // `key0.replace(/~/g, "~0").replace(/\//g, "~1")`
    const inner = name.text === 'replace' && ts.isCallExpression(on) ? on.expression : undefined;
    if (inner === undefined || !ts.isPropertyAccessExpression(inner) || inner.name.text !== 'replace')
      return undefined;
    return this.#f.createIdentifier(
      `${this.#around.use('token')}(${this.#print(visitor(inner.expression))})`,
    );
  }

  #knownAccess(
    access: TypeScript.PropertyAccessExpression | TypeScript.ElementAccessExpression,
  ): Node | undefined {
    const ts = this.#ts;
    const value = this.#schemaValue(access);
    if (value !== undefined) return this.#f.createIdentifier(this.#around.constant(value));
    if (!ts.isPropertyAccessExpression(access) || access.name.text !== 'evaluated') return undefined;
    const { expression } = access;
    const owner = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
    const name = ts.isIdentifier(owner) ? this.#around.evaluated(owner.text) : undefined;
    if (name === undefined) throw this.#unknown(access);
    return this.#f.createIdentifier(name);
  }

  /** A value inside of a schema that ajv holds. */
  #schemaValue(access: Expression): Json | undefined {
    const ts = this.#ts;
    if (ts.isIdentifier(access)) return this.#around.schema(access.text);
    if (!ts.isPropertyAccessExpression(access) && !ts.isElementAccessExpression(access)) return undefined;
    const parent = this.#schemaValue(access.expression);
    if (typeof parent !== 'object' || parent === null) return undefined;
    const key = ts.isPropertyAccessExpression(access)
      ? access.name.text
      : this.#keyOf(access.argumentExpression);
    return key !== undefined && Object.hasOwn(parent, key)
      ? (parent as Readonly<Record<string, Json>>)[key]
      : undefined;
  }

  #keyOf(expression: Expression): string | undefined {
    return this.#ts.isStringLiteral(expression) || this.#ts.isNumericLiteral(expression)
      ? expression.text
      : undefined;
  }

  #summands(expression: Expression): Expression[] {
    const ts = this.#ts;
    const isSum =
      ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken;
    return isSum ? [...this.#summands(expression.left), ...this.#summands(expression.right)] : [expression];
  }

  #bare(expression: Expression): Expression {
    return this.#ts.isParenthesizedExpression(expression) ? this.#bare(expression.expression) : expression;
  }

  #code(text: string): Statement {
    return this.#f.createExpressionStatement(this.#f.createIdentifier(text));
  }

  #print(node: Node): string {
    return tidied(this.#printer.printNode(this.#ts.EmitHint.Unspecified, node, this.#source));
  }

  #unknown(node: Node): Error {
    const text = this.#source.text.slice(Math.max(0, node.pos), node.end).trim();
    return new Error(`ajv emitted what is not known here: ${text.slice(0, 200)}`);
  }
}

const printers = new WeakMap<object, TypeScript.Printer>();

/** `'a' + 'b' + c` → `'ab' + c` */
function foldTexts(sum: string): string {
  return sum.replace(/(?<!\\)' \+ '/g, '').replace(/^'' \+ (?=')/, '');
}

/** Two blanks for each level in place of four, and `else` beside the bracket before it. No string spans lines. */
function tidied(text: string): string {
  if (!text.includes('\n')) return text;
  return text
    .replace(/\}\n *else /g, '} else ')
    .replace(/^ +/gm, (margin) => ' '.repeat(Math.floor(margin.length / 4) * 2 + (margin.length % 4)));
}
