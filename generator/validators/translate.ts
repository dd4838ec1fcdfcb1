import type * as TypeScript from 'typescript';
import type { Json, Schema } from '../../contract/index.ts';
import { jsString, jsValue } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { wordingOf } from './failures.ts';
import { formatFunctions } from './keywords.ts';
import { withoutUnread } from './unread.ts';

/** One validator as TypeScript. */
export interface TranslatedValidator {
  /** Its position among the schemas that were compiled. */
  readonly index: number;
  readonly text: string;
}

export interface Translation {
  readonly validators: readonly TranslatedValidator[];
  /** Declarations that validators use: patterns, sets of names, values. */
  readonly constants: readonly string[];
  /** Functions of `runtime/checks` and of `runtime/formats`. */
  readonly checks: readonly string[];
  readonly formats: readonly string[];
}

/**
 * Turns the JavaScript that ajv emits into TypeScript for every strictness: no `require`, no function with members, no
 * object made for a call, failures with pointers that are put together only where something failed. What stands in the
 * text is ajv's reading of the schemas; anything in it that is not known here is refused, never guessed.
 *
 * @param nameOf the name of the validator at a position
 * @throws {Error} when ajv emits what this does not know, which its version decides and no document
 */
export function translate(
  ts: typeof TypeScript,
  compiled: { readonly text: string; readonly schemas: readonly Schema[] },
  nameOf: (index: number) => string,
): Translation {
  return new Translating(ts, compiled.schemas, nameOf).run(compiled.text);
}

// --- internal ---

type Node = TypeScript.Node;
type Statement = TypeScript.Statement;
type Expression = TypeScript.Expression;

const CHECKS = [
  'below',
  'fail',
  'hasDuplicates',
  'isEqual',
  'isLongerThan',
  'isMultipleOf',
  'isShorterThan',
  'token',
];

class Translating {
  readonly #ts: typeof TypeScript;
  readonly #factory: TypeScript.NodeFactory;
  readonly #schemas: readonly Schema[];
  readonly #nameOf: (index: number) => string;
  readonly #printer: TypeScript.Printer;
  #source: TypeScript.SourceFile;
  /** Positions by the names that ajv gave to functions. */
  readonly #functions = new Map<string, number>();
  readonly #wrappers = new Map<string, string>();
  readonly #schemaValues = new Map<string, Json>();
  readonly #imported = new Map<string, 'own' | 'equal'>();
  readonly #constants = new Map<string, { name: string; text: string }>();
  readonly #evaluated = new Map<string, string>();
  readonly #used = new Set<string>();
  #schema: Schema = true;
  /** Whether it is known beforehand which members the validator at hand looks at. */
  #isStatic = true;
  #counter = 0;

  constructor(ts: typeof TypeScript, schemas: readonly Schema[], nameOf: (index: number) => string) {
    this.#ts = ts;
    this.#factory = ts.factory;
    this.#schemas = schemas;
    this.#nameOf = nameOf;
    this.#printer = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed, removeComments: true });
    this.#source = ts.createSourceFile('validators.js', '', ts.ScriptTarget.ES2022);
  }

  run(text: string): Translation {
    const ts = this.#ts;
    this.#source = ts.createSourceFile(
      'validators.js',
      text,
      ts.ScriptTarget.ES2022,
      false,
      ts.ScriptKind.JS,
    );
    const functions: TypeScript.FunctionDeclaration[] = [];
    for (const statement of this.#source.statements) {
      if (ts.isFunctionDeclaration(statement)) functions.push(statement);
      else this.#readTopLevel(statement);
    }
    const validators = functions.map((declaration) => this.#validator(declaration));
    const used = (names: Iterable<string>): string[] =>
      [...names].filter((name) => this.#used.has(name)).sort();
    return {
      validators: validators.sort((left, right) => left.index - right.index),
      constants: [...this.#constants.values()]
        .filter(({ name }) => this.#used.has(name))
        .map(({ text: line }) => line),
      checks: used(CHECKS),
      formats: used([...formatFunctions.values()].map(({ name }) => name)),
    };
  }

  #readTopLevel(statement: Statement): void {
    const ts = this.#ts;
    if (ts.isEmptyStatement(statement)) return;
    if (ts.isExpressionStatement(statement)) {
      const { expression } = statement;
      if (ts.isStringLiteral(expression)) return;
      // `validate1.evaluated = {…}`: what a validator has looked at, for `unevaluatedProperties` elsewhere.
      if (
        ts.isBinaryExpression(expression) &&
        ts.isPropertyAccessExpression(expression.left) &&
        ts.isIdentifier(expression.left.expression)
      ) {
        this.#evaluated.set(
          expression.left.expression.text,
          this.#printer.printNode(ts.EmitHint.Expression, expression.right, this.#source),
        );
        return;
      }
    }
    if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name) && initializer !== undefined) this.#readConstant(name.text, initializer);
      }
      return;
    }
    if (!ts.isFunctionDeclaration(statement)) throw this.#unknown(statement);
  }

  #readConstant(name: string, value: Expression): void {
    const ts = this.#ts;
    if (/^v\d+$/.test(name) && ts.isIdentifier(value)) {
      this.#functions.set(value.text, Number(name.slice(1)));
    } else if (/^schema\d+$/.test(name)) {
      this.#schemaValues.set(name, this.#valueOf(value));
    } else if (/^wrapper\d+$/.test(name) && ts.isObjectLiteralExpression(value)) {
      const [member] = value.properties;
      if (member === undefined || !ts.isPropertyAssignment(member) || !ts.isIdentifier(member.initializer))
        throw this.#unknown(value);
      this.#wrappers.set(name, member.initializer.text);
    } else if (/^pattern\d+$/.test(name) && ts.isNewExpression(value)) {
      const [pattern, flags] = (value.arguments ?? []).map((argument) => this.#textOf(argument));
      this.#constants.set(name, {
        name,
        text: `const ${name} = /* @__PURE__ */ new RegExp(${jsString(pattern ?? '')}, ${jsString(flags ?? '')});`,
      });
    } else if (/^func\d+$/.test(name)) {
      const text = this.#printer.printNode(ts.EmitHint.Expression, value, this.#source);
      if (text === 'Object.prototype.hasOwnProperty') this.#imported.set(name, 'own');
      else if (text.includes('ajv/dist/runtime/equal')) this.#imported.set(name, 'equal');
      else throw this.#unknown(value);
    } else {
      throw this.#unknown(value);
    }
  }

  #validator(declaration: TypeScript.FunctionDeclaration): TranslatedValidator {
    const ts = this.#ts;
    const original = declaration.name?.text ?? '';
    const index = this.#functions.get(original);
    if (index === undefined || declaration.body === undefined) throw this.#unknown(declaration);
    const evaluated = this.#evaluated.get(original);
    this.#schema = this.#schemas[index] ?? true;
    this.#isStatic = !/"dynamic(?:Props|Items)": ?true/.test(evaluated ?? '');
    this.#counter = 0;
    const statements = withoutUnread(ts, this.#statements(declaration.body.statements));
    const body = this.#print(this.#factory.createBlock(statements, true));
    const parameter = (name: string): string => (new RegExp(`\\b${name}\\b`).test(body) ? name : `_${name}`);
    const name = this.#nameOf(index);
    const text = `function ${name}(${parameter('data')}: any, ${parameter('failures')}: Failures): void ${body}`;
    const before =
      evaluated === undefined || !this.#used.has(`${original}.evaluated`)
        ? ''
        : `const ${name}Evaluated: any = ${evaluated};\n\n`;
    return { index, text: before + text };
  }

  /** Translates a list of statements; several of ajv's are one of ours. */
  #statements(list: readonly Statement[]): Statement[] {
    const result: Statement[] = [];
    for (let index = 0; index < list.length; index += 1) {
      const statement = list[index] as Statement;
      const failure = this.#failureOf(statement);
      if (failure !== undefined) {
        result.push(this.#fail(failure));
        // The error is added to a list, and counted: two statements that `fail` stands for.
        index += 2;
      } else if (this.#isReset(statement)) {
        result.push(this.#truncate(statement as TypeScript.ExpressionStatement));
        index += 1;
      } else {
        result.push(...this.#statement(statement));
      }
    }
    return result;
  }

  #statement(statement: Statement): Statement[] {
    const ts = this.#ts;
    const f = this.#factory;
    if (ts.isEmptyStatement(statement)) return [];
    if (ts.isBlock(statement)) return [f.createBlock(this.#statements(statement.statements), true)];
    if (ts.isReturnStatement(statement)) return [];
    if (ts.isVariableStatement(statement)) {
      const [declared] = statement.declarationList.declarations;
      const name = declared !== undefined && ts.isIdentifier(declared.name) ? declared.name.text : '';
      if (OWN_LOCALS.test(name) || (this.#isStatic && /^evaluated\d+$/.test(name))) return [];
      return [this.#visit(statement)];
    }
    if (ts.isExpressionStatement(statement)) {
      const { expression } = statement;
      if (ts.isBinaryExpression(expression)) {
        const { left } = expression;
        if (ts.isIdentifier(left) && OWN_LOCALS.test(left.text)) return [];
        if (ts.isPropertyAccessExpression(left) && left.name.text === 'errors') return [];
      }
      return [this.#visit(statement)];
    }
    if (ts.isIfStatement(statement)) {
      const { expression } = statement;
      const asks =
        ts.isPropertyAccessExpression(expression) && /^dynamic(?:Props|Items)$/.test(expression.name.text);
      if (asks && this.#isStatic) return [];
      return this.#call(statement) ?? [this.#if(statement)];
    }
    if (ts.isForStatement(statement)) {
      const { initializer, condition, incrementor } = statement;
      return [
        f.createForStatement(
          initializer && this.#visit(initializer),
          condition && this.#visit(condition),
          incrementor && this.#visit(incrementor),
          this.#block(statement.statement),
        ),
      ];
    }
    if (ts.isForInStatement(statement) || ts.isForOfStatement(statement)) {
      const expression = this.#visit(statement.expression);
      const block = this.#block(statement.statement);
      return [
        ts.isForInStatement(statement)
          ? f.createForInStatement(statement.initializer, expression, block)
          : f.createForOfStatement(undefined, statement.initializer, expression, block),
      ];
    }
    if (ts.isBreakStatement(statement) || ts.isContinueStatement(statement)) return [statement];
    throw this.#unknown(statement);
  }

  #if(statement: TypeScript.IfStatement): Statement {
    const { elseStatement } = statement;
    const otherwise =
      elseStatement === undefined
        ? undefined
        : this.#ts.isIfStatement(elseStatement)
          ? this.#single(this.#statement(elseStatement))
          : this.#block(elseStatement);
    return this.#factory.createIfStatement(
      this.#visit(statement.expression),
      this.#block(statement.thenStatement),
      otherwise,
    );
  }

  #single(statements: Statement[]): Statement {
    const [only, ...more] = statements;
    return only !== undefined && more.length === 0 ? only : this.#factory.createBlock(statements, true);
  }

  #block(statement: Statement): TypeScript.Block {
    return this.#factory.createBlock(
      this.#statements(this.#ts.isBlock(statement) ? statement.statements : [statement]),
      true,
    );
  }

  /** `if(!(validate1(data.x, {instancePath: …}))){ …errors are taken over… }` */
  #call(statement: TypeScript.IfStatement): Statement[] | undefined {
    const ts = this.#ts;
    const f = this.#factory;
    const { expression } = statement;
    if (!ts.isPrefixUnaryExpression(expression)) return undefined;
    const call = this.#bare(expression.operand);
    if (!ts.isCallExpression(call)) return undefined;
    const callee = this.#calleeOf(call.expression);
    if (callee === undefined) return undefined;
    const [value, context] = call.arguments;
    if (value === undefined || context === undefined || !ts.isObjectLiteralExpression(context))
      throw this.#unknown(call);
    const pointer = this.#pointerOf(context);
    const run = f.createExpressionStatement(
      f.createCallExpression(f.createIdentifier(this.#nameOf(callee)), undefined, [
        this.#visit(value),
        f.createIdentifier('failures'),
      ]),
    );
    const found =
      statement.elseStatement === undefined
        ? []
        : this.#statements(
            ts.isBlock(statement.elseStatement)
              ? statement.elseStatement.statements
              : [statement.elseStatement],
          );
    if (pointer === "''" && found.length === 0) return [run];
    const count = `count${this.#counter++}`;
    const grown = (operator: string): Expression =>
      f.createIdentifier(`failures.length ${operator} ${count}`);
    const prefix = f.createExpressionStatement(
      f.createIdentifier(`${this.#use('below')}(${pointer}, failures, ${count})`),
    );
    return [
      f.createVariableStatement(
        undefined,
        f.createVariableDeclarationList(
          [f.createVariableDeclaration(count, undefined, undefined, f.createIdentifier('failures.length'))],
          ts.NodeFlags.Const,
        ),
      ),
      run,
      ...(pointer === "''" ? [] : [f.createIfStatement(grown('>'), prefix)]),
      // `var`s in it are seen outside, which a block lets pass.
      ...(found.length === 0 ? [] : [f.createIfStatement(grown('==='), f.createBlock(found, true))]),
    ];
  }

  #calleeOf(expression: Expression): number | undefined {
    const ts = this.#ts;
    if (ts.isIdentifier(expression)) return this.#functions.get(expression.text);
    if (
      ts.isPropertyAccessExpression(expression) &&
      ts.isIdentifier(expression.expression) &&
      expression.name.text === 'validate'
    ) {
      return this.#functions.get(this.#wrappers.get(expression.expression.text) ?? '');
    }
    return undefined;
  }

  /** `const err0 = {instancePath: …, keyword: …, …}` */
  #failureOf(statement: Statement): TypeScript.ObjectLiteralExpression | undefined {
    const ts = this.#ts;
    if (!ts.isVariableStatement(statement)) return undefined;
    const [declared] = statement.declarationList.declarations;
    if (declared === undefined || !ts.isIdentifier(declared.name) || !/^err\d+$/.test(declared.name.text))
      return undefined;
    return declared.initializer !== undefined && ts.isObjectLiteralExpression(declared.initializer)
      ? declared.initializer
      : undefined;
  }

  #fail(error: TypeScript.ObjectLiteralExpression): Statement {
    const f = this.#factory;
    const members = this.#membersOf(error);
    const keyword = members.get('keyword');
    if (keyword === undefined)
      return f.createExpressionStatement(f.createIdentifier(`${this.#use('fail')}(failures, '', '')`));
    const wording = wordingOf(
      {
        keyword: this.#textOf(keyword),
        schemaPath: this.#textOf(members.get('schemaPath')),
        message: this.#textOf(members.get('message')),
      },
      this.#schema,
    );
    const name = members.get('propertyName');
    const key = name ?? this.#firstValue(members.get('params'));
    const pointer = this.#pointerOf(error);
    const below =
      name !== undefined || wording.member === 'key'
        ? ` + '/' + ${this.#use('token')}(${this.#print(key ?? this.#factory.createIdentifier("''"))})`
        : wording.member === undefined
          ? ''
          : ` + ${jsString(`/${escaped(wording.member.name)}`)}`;
    const allowed = wording.allowed === undefined ? '' : `, ${jsValue(wording.allowed)}`;
    const place = foldTexts(`${pointer}${below}`);
    return f.createExpressionStatement(
      f.createIdentifier(`${this.#use('fail')}(failures, ${place}, ${jsString(wording.message)}${allowed})`),
    );
  }

  /** `errors = _errs1; if(vErrors !== null){ … }` */
  #isReset(statement: Statement): boolean {
    const ts = this.#ts;
    return (
      ts.isExpressionStatement(statement) &&
      ts.isBinaryExpression(statement.expression) &&
      ts.isIdentifier(statement.expression.left) &&
      statement.expression.left.text === 'errors' &&
      ts.isIdentifier(statement.expression.right)
    );
  }

  #truncate({ expression }: TypeScript.ExpressionStatement): Statement {
    const count = this.#print((expression as TypeScript.BinaryExpression).right);
    return this.#factory.createExpressionStatement(
      this.#factory.createIdentifier(`failures.length = ${count}`),
    );
  }

  /** The pointer that `instancePath` of an object says, as code; `''` for the value of the function itself. */
  #pointerOf(object: TypeScript.ObjectLiteralExpression): string {
    const path = this.#membersOf(object).get('instancePath');
    if (path === undefined) return "''";
    const parts = this.#summands(path).filter(
      (part) => !(this.#ts.isIdentifier(part) && part.text === 'instancePath'),
    );
    return foldTexts(parts.map((part) => this.#print(this.#visit(part))).join(' + ')) || "''";
  }

  #summands(expression: Expression): Expression[] {
    const ts = this.#ts;
    if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      return [...this.#summands(expression.left), ...this.#summands(expression.right)];
    }
    return [expression];
  }

  #membersOf(object: TypeScript.ObjectLiteralExpression): Map<string, Expression> {
    const ts = this.#ts;
    return new Map(
      object.properties.flatMap((property): [string, Expression][] => {
        if (
          ts.isPropertyAssignment(property) &&
          (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name))
        ) {
          return [[property.name.text, property.initializer]];
        }
        return ts.isShorthandPropertyAssignment(property) ? [[property.name.text, property.name]] : [];
      }),
    );
  }

  #firstValue(object: Expression | undefined): Expression | undefined {
    if (object === undefined || !this.#ts.isObjectLiteralExpression(object)) return undefined;
    return this.#membersOf(object).values().next().value;
  }

  /** Translates what stands inside statements. */
  #visit<Kind extends Node>(node: Kind): Kind {
    const ts = this.#ts;
    const f = this.#factory;
    const visitor = (inner: Node): Node => {
      if (ts.isStringLiteral(inner)) return f.createIdentifier(jsString(inner.text));
      if (ts.isIdentifier(inner)) {
        if (inner.text === 'errors') return f.createIdentifier('failures.length');
        return f.createIdentifier(this.#use(inner.text));
      }
      if (ts.isCallExpression(inner)) {
        const replaced = this.#knownCall(inner, visitor);
        if (replaced !== undefined) return replaced;
      }
      if (ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner)) {
        const constant = this.#constantOf(inner);
        if (constant !== undefined) return f.createIdentifier(constant);
        if (ts.isPropertyAccessExpression(inner)) {
          if (inner.name.text === 'evaluated') return f.createIdentifier(this.#evaluatedOf(inner.expression));
          return f.updatePropertyAccessExpression(
            inner,
            ts.visitNode(inner.expression, visitor, ts.isExpression) ?? inner.expression,
            inner.name,
          );
        }
      }
      // What is missing is said by the pointer and the message.
      if (
        ts.isBinaryExpression(inner) &&
        ts.isIdentifier(inner.left) &&
        /^missing\d+$/.test(inner.left.text)
      ) {
        return f.createTrue();
      }
      // These begin to exist inside of blocks and are used outside.
      if (ts.isVariableDeclarationList(inner)) {
        const isVar = (inner.flags & ts.NodeFlags.BlockScoped) === 0;
        const declarations = inner.declarations.map((declared) => {
          const initializer = declared.initializer && (visitor(declared.initializer) as Expression);
          const type =
            isVar || initializer === undefined
              ? f.createKeywordTypeNode(ts.SyntaxKind.AnyKeyword)
              : undefined;
          return f.createVariableDeclaration(declared.name, undefined, type, initializer);
        });
        return f.createVariableDeclarationList(declarations, inner.flags & ts.NodeFlags.BlockScoped);
      }
      if (ts.isPropertyAssignment(inner)) {
        return f.updatePropertyAssignment(
          inner,
          inner.name,
          ts.visitNode(inner.initializer, visitor, ts.isExpression) ?? inner.initializer,
        );
      }
      return ts.visitEachChild(inner, visitor, undefined);
    };
    return visitor(node) as Kind;
  }

  #knownCall(call: TypeScript.CallExpression, visitor: (node: Node) => Node): Expression | undefined {
    const ts = this.#ts;
    const f = this.#factory;
    const { expression, arguments: given } = call;
    const visited = (argument: Expression | undefined): string =>
      argument === undefined ? '' : this.#print(visitor(argument));
    if (ts.isIdentifier(expression) && this.#imported.get(expression.text) === 'equal') {
      return f.createIdentifier(
        `${this.#use('isEqual')}(${given.map((argument) => visited(argument)).join(', ')})`,
      );
    }
    if (!ts.isPropertyAccessExpression(expression)) return undefined;
    // `func0.call(schema0.properties, key0)`: whether a name is one of those.
    if (
      expression.name.text === 'call' &&
      ts.isIdentifier(expression.expression) &&
      this.#imported.get(expression.expression.text) === 'own'
    ) {
      const [object, key] = given;
      const names = object && this.#schemaValueOf(object);
      if (isObject(names)) {
        const set = this.#hoist(`new Set(${jsValue(Object.keys(names))})`, 'known');
        return f.createIdentifier(`${set}.has(${visited(key)})`);
      }
      return f.createIdentifier(`Object.hasOwn(${given.map((argument) => visited(argument)).join(', ')})`);
    }
    // `key0.replace(/~/g, "~0").replace(/\//g, "~1")`
    if (expression.name.text === 'replace' && ts.isCallExpression(expression.expression)) {
      const inner = expression.expression.expression;
      if (ts.isPropertyAccessExpression(inner) && inner.name.text === 'replace') {
        return f.createIdentifier(`${this.#use('token')}(${visited(inner.expression)})`);
      }
    }
    return undefined;
  }

  #evaluatedOf(expression: Expression): string {
    const name = this.#ts.isIdentifier(expression)
      ? expression.text
      : this.#ts.isPropertyAccessExpression(expression) && this.#ts.isIdentifier(expression.expression)
        ? (this.#wrappers.get(expression.expression.text) ?? '')
        : '';
    const index = this.#functions.get(name);
    if (index === undefined) throw this.#unknown(expression);
    this.#used.add(`${name}.evaluated`);
    return `${this.#nameOf(index)}Evaluated`;
  }

  /** A value inside a schema, as the name of a constant. */
  #constantOf(access: Expression): string | undefined {
    const value = this.#schemaValueOf(access);
    return value === undefined ? undefined : this.#hoist(jsValue(value), 'value');
  }

  #schemaValueOf(access: Expression): Json | undefined {
    const ts = this.#ts;
    if (ts.isIdentifier(access)) return this.#schemaValues.get(access.text);
    if (!ts.isPropertyAccessExpression(access) && !ts.isElementAccessExpression(access)) return undefined;
    const parent = this.#schemaValueOf(access.expression);
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

  #hoist(text: string, kind: string): string {
    const known = this.#constants.get(text);
    if (known !== undefined) return this.#use(known.name);
    const name = `${kind}${this.#constants.size}`;
    const isSet = text.startsWith('new ');
    this.#constants.set(text, {
      name,
      text: `const ${name}${isSet ? '' : ': any'} = ${isSet ? '/* @__PURE__ */ ' : ''}${text};`,
    });
    return this.#use(name);
  }

  #use(name: string): string {
    this.#used.add(name);
    return name;
  }

  #bare(expression: Expression): Expression {
    return this.#ts.isParenthesizedExpression(expression) ? this.#bare(expression.expression) : expression;
  }

  /** The text of an expression of string literals; what is not known before it runs is left out. */
  #textOf(expression: Expression | undefined): string {
    if (expression === undefined) return '';
    return this.#summands(expression)
      .map((part) => (this.#ts.isStringLiteral(part) || this.#ts.isNumericLiteral(part) ? part.text : ''))
      .join('');
  }

  #valueOf(expression: Expression): Json {
    return JSON.parse(this.#source.text.slice(expression.pos, expression.end)) as Json;
  }

  #print(node: Node): string {
    return narrow(this.#printer.printNode(this.#ts.EmitHint.Unspecified, node, this.#source));
  }

  #unknown(node: Node): Error {
    return new Error(
      `ajv emitted what is not known here: ${this.#source.text.slice(node.pos, node.end).trim().slice(0, 200)}`,
    );
  }
}

/** Locals of ajv that have no counterpart. */
const OWN_LOCALS = /^(?:vErrors|errors|passing\d+|ifClause\d+|missing\d+)$/;

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** `'a' + 'b' + c` → `'ab' + c` */
function foldTexts(sum: string): string {
  return sum.replace(/' \+ '/g, '');
}

function narrow(text: string): string {
  return text
    .replace(/\}\n *else /g, '} else ')
    .replace(/^ +/gm, (margin) => ' '.repeat(Math.floor(margin.length / 4) * 2 + (margin.length % 4)));
}
