import { jsString } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { Json } from '../../contract/index.ts';
import { type Expression, readExpression, readFunction, type Statement, unknownCode } from './ajv-code.ts';
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
export function translate(emitted: EmittedFunction, around: Surroundings): string {
  const translating = new Translating(around, emitted.isStatic);
  const body = printed(withoutUnread(translating.statements(readFunction(emitted.text))), '  ');
  const parameter = (name: string): string => (new RegExp(`\\b${name}\\b`).test(body) ? name : `_${name}`);
  const name = around.validator(emitted.ajvName) ?? '';
  return `function ${name}(${parameter('data')}: any, ${parameter('failures')}: Failures): void {\n${body}}`;
}

// --- internal ---

/** Locals of ajv that have no counterpart. */
const WITHOUT_COUNTERPART = /^(?:vErrors|errors|passing\d+|ifClause\d+|missing\d+)$/;

class Translating {
  readonly #around: Surroundings;
  readonly #isStatic: boolean;
  #calls = 0;

  constructor(around: Surroundings, isStatic: boolean) {
    this.#around = around;
    this.#isStatic = isStatic;
  }

  statements(list: readonly Statement[]): Statement[] {
    return list.flatMap((statement) => this.#statement(statement));
  }

  #statement(statement: Statement): Statement[] {
    switch (statement.kind) {
      case 'jump':
        return /^(?:break|continue)/.test(statement.text) ? [statement] : [];
      case 'block':
        return [{ kind: 'block', body: this.statements(statement.body) }];
      case 'declaration': {
        const { name, value } = statement;
        return this.#isLeftOut(name)
          ? []
          : [{ ...statement, value: value === undefined ? undefined : this.#translated(value) }];
      }
      case 'expression':
        // `vErrors = …`, `validate1.errors = …`: what ajv keeps in two places stands in one list here.
        return OWN_ASSIGNMENT.test(statement.text)
          ? []
          : [{ kind: 'expression', text: this.#translated(statement.text) }];
      case 'if': {
        const asks = /^[\w.]+\.dynamic(?:Props|Items)$/.test(statement.condition);
        return asks && this.#isStatic ? [] : (this.#call(statement) ?? [this.#if(statement)]);
      }
      case 'for':
        return [{ kind: 'for', head: this.#head(statement.head), body: this.statements(statement.body) }];
    }
  }

  #isLeftOut(name: string): boolean {
    return WITHOUT_COUNTERPART.test(name) || (this.#isStatic && /^evaluated\d+$/.test(name));
  }

  #if({ condition, then, otherwise }: Statement & { readonly kind: 'if' }): Statement {
    const others = otherwise === undefined ? undefined : this.#statement(otherwise);
    return {
      kind: 'if',
      otherwise: others === undefined || others.length === 1 ? others?.[0] : { kind: 'block', body: others },
      condition: this.#translated(condition),
      then: this.statements(then),
    };
  }

  /** What stands in the brackets of a loop. */
  #head(head: string): string {
    const [, declared, kind, looped] = /^(const \w+) (of|in) (.*)$/.exec(head) ?? [];
    if (looped !== undefined) return `${declared} ${kind} ${this.#translated(looped)}`;
    const [, name, from, to, step] = /^let (\w+)=([^;]+); ([^;]+); ([^;]+)$/.exec(head) ?? [];
    if (name === undefined || from === undefined || to === undefined || step === undefined)
      throw unknownCode(head);
    return `let ${name} = ${[from, to, step].map((part) => this.#translated(part)).join('; ')}`;
  }

  /** `if(!(validate1(data.x, {instancePath: …}))){ …its errors are taken over… }` */
  #call({ condition, otherwise }: Statement & { readonly kind: 'if' }): Statement[] | undefined {
    if (!condition.includes('{instancePath')) return undefined;
    const asked = readExpression(condition);
    const call = asked.kind === 'prefix' ? bare(asked.operand) : asked;
    const validator = call.kind === 'call' ? this.#validatorOf(call.callee) : undefined;
    if (call.kind !== 'call' || validator === undefined) return undefined;
    const [value, context] = call.given;
    if (value === undefined || context?.kind !== 'object') throw unknownCode(condition);

    const pointer = this.#pointerOf(context);
    const run: Statement = { kind: 'expression', text: this.#run(call.callee, validator, value) };
    const found = otherwise === undefined ? [] : this.statements(bodyOf(otherwise));
    if (pointer === "''" && found.length === 0) return [run];
    const count = `count${this.#calls++}`;
    const when = (operator: string, then: readonly Statement[]): Statement => ({
      kind: 'if',
      condition: `failures.length ${operator} ${count}`,
      then,
      otherwise: undefined,
    });
    return [
      { kind: 'declaration', keyword: 'const', name: count, value: 'failures.length' },
      run,
      ...(pointer === "''"
        ? []
        : [
            when('>', [
              {
                kind: 'expression',
                text: `${this.#around.use('below')}(${pointer}, failures, ${count})`,
              },
            ]),
          ]),
      ...(found.length === 0 ? [] : [when('===', found)]),
    ];
  }

  /** The call itself; one that can lead back to where it stands is bounded. */
  #run(callee: Expression, validator: string, value: Expression): string {
    const ajvName = functionOf(callee) ?? '';
    if (!this.#around.isRecursive(ajvName)) return `${validator}(${this.#print(value)}, failures)`;
    const evaluated = this.#around.isDynamic(ajvName) ? this.#around.evaluated(ajvName) : undefined;
    const given = [
      validator,
      this.#print(value),
      'failures',
      ...(evaluated === undefined ? [] : [evaluated]),
    ];
    return `${this.#around.use('recurse')}(${given.join(', ')})`;
  }

  #validatorOf(callee: Expression): string | undefined {
    const ajvName = functionOf(callee);
    return ajvName === undefined ? undefined : this.#around.validator(ajvName);
  }

  /** The pointer below the value of the function itself that `instancePath` says, as code. */
  #pointerOf({ members }: Expression & { readonly kind: 'object' }): string {
    const path = members.find(([key]) => key === 'instancePath')?.[1];
    if (path === undefined) return "''";
    const [own, ...parts] = summands(path);
    if (own?.kind !== 'name' || own.name !== 'instancePath') throw unknownCode('an instancePath');
    return foldTexts(parts.map((part) => this.#print(part)).join(' + ')) || "''";
  }

  #translated(text: string): string {
    return this.#print(readExpression(text));
  }

  #print(expression: Expression): string {
    switch (expression.kind) {
      case 'string':
        return jsString(expression.value);
      case 'literal':
        return expression.text;
      case 'name':
        return expression.name === 'errors' ? 'failures.length' : this.#around.use(expression.name);
      case 'member':
        return this.#knownAccess(expression) ?? `${this.#print(expression.of)}.${expression.name}`;
      case 'element':
        return (
          this.#knownAccess(expression) ?? `${this.#print(expression.of)}[${this.#print(expression.index)}]`
        );
      case 'call':
        return (
          this.#knownCall(expression) ??
          `${this.#print(expression.callee)}(${this.#printAll(expression.given)})`
        );
      case 'prefix':
        return `${expression.operator}${expression.operator === 'typeof' ? ' ' : ''}${this.#print(expression.operand)}`;
      case 'postfix':
        return `${this.#print(expression.operand)}${expression.operator}`;
      case 'binary':
        return this.#printBinary(expression);
      case 'conditional':
        return [
          `${this.#print(expression.condition)} ?`,
          `${this.#print(expression.then)} :`,
          this.#print(expression.otherwise),
        ].join(' ');
      case 'list':
        return `[${this.#printAll(expression.items)}]`;
      case 'object': {
        const members = expression.members.map(([key, value]) => `${key}: ${this.#print(value)}`);
        return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
      }
      case 'parentheses':
        return `(${this.#print(expression.inner)})`;
    }
  }

  #printAll(list: readonly Expression[]): string {
    return list.map((item) => this.#print(item)).join(', ');
  }

  #printBinary(expression: Expression & { readonly kind: 'binary' }): string {
    const { operator, left, right } = expression;
    // What is missing is said by the message.
    if (left.kind === 'name' && /^missing\d+$/.test(left.name)) return 'true';
    if (operator !== '+') return `${this.#print(left)} ${operator} ${this.#print(right)}`;
    return foldTexts(
      summands(expression)
        .map((part) => this.#print(part))
        .join(' + '),
    );
  }

  /** What stands for a known call. */
  #knownCall({ callee, given }: Expression & { readonly kind: 'call' }): string | undefined {
    if (callee.kind === 'name')
      return this.#around.helper(callee.name) === 'equal'
        ? `${this.#around.use('isEqual')}(${this.#printAll(given)})`
        : undefined;
    if (callee.kind !== 'member') return undefined;
    const { of: on, name } = callee;
    // `func0.call(schema0.properties, key0)`: whether a name is one of those.
    if (name === 'call' && on.kind === 'name' && this.#around.helper(on.name) === 'own') {
      const [object, key] = given;
      const members = object && this.#schemaValue(object);
      return isObject(members) && key !== undefined
        ? `${this.#around.set(Object.keys(members))}.has(${this.#print(key)})`
        : `Object.hasOwn(${this.#printAll(given)})`;
    }
    // `key0.replace(/~/g, "~0").replace(/\//g, "~1")`
    const inner = name === 'replace' && on.kind === 'call' ? on.callee : undefined;
    return inner?.kind === 'member' && inner.name === 'replace'
      ? `${this.#around.use('token')}(${this.#print(inner.of)})`
      : undefined;
  }

  #knownAccess(access: Expression & { readonly kind: 'member' | 'element' }): string | undefined {
    const value = this.#schemaValue(access);
    if (value !== undefined) return this.#around.constant(value);
    if (access.kind !== 'member' || access.name !== 'evaluated') return undefined;
    const owner = access.of.kind === 'member' ? access.of.of : access.of;
    const name = owner.kind === 'name' ? this.#around.evaluated(owner.name) : undefined;
    if (name === undefined) throw unknownCode('.evaluated of what is no validator');
    return name;
  }

  /** A value inside of a schema that ajv holds. */
  #schemaValue(access: Expression): Json | undefined {
    if (access.kind === 'name') return this.#around.schema(access.name);
    if (access.kind !== 'member' && access.kind !== 'element') return undefined;
    const parent = this.#schemaValue(access.of);
    if (typeof parent !== 'object' || parent === null) return undefined;
    const key = access.kind === 'member' ? access.name : keyOf(access.index);
    return key !== undefined && Object.hasOwn(parent, key)
      ? (parent as Readonly<Record<string, Json>>)[key]
      : undefined;
  }
}

/** What ajv does for the two places in which it keeps errors. */
const OWN_ASSIGNMENT = /^(?:(?:vErrors|errors|passing\d+|ifClause\d+|missing\d+)|[\w.]+\.errors) \+?= /;

/** ajv's name of a function that is called, itself or by a wrapper. */
function functionOf(callee: Expression): string | undefined {
  if (callee.kind === 'name') return callee.name;
  return callee.kind === 'member' && callee.name === 'validate' && callee.of.kind === 'name'
    ? callee.of.name
    : undefined;
}

function keyOf(index: Expression): string | undefined {
  if (index.kind === 'string') return index.value;
  return index.kind === 'literal' && /^\d+$/.test(index.text) ? index.text : undefined;
}

function summands(expression: Expression): Expression[] {
  return expression.kind === 'binary' && expression.operator === '+'
    ? [...summands(expression.left), ...summands(expression.right)]
    : [expression];
}

function bare(expression: Expression): Expression {
  return expression.kind === 'parentheses' ? bare(expression.inner) : expression;
}

function bodyOf(statement: Statement): readonly Statement[] {
  return statement.kind === 'block' ? statement.body : [statement];
}

/** `'a' + 'b' + c` → `'ab' + c` */
function foldTexts(sum: string): string {
  return sum.replace(/(?<!\\)' \+ '/g, '').replace(/^'' \+ (?=')/, '');
}

/** Statements as lines. */
function printed(statements: readonly Statement[], margin: string): string {
  return statements.map((statement) => `${margin}${printedOne(statement, margin)}\n`).join('');
}

function printedOne(statement: Statement, margin: string): string {
  const block = (body: readonly Statement[]): string => `{\n${printed(body, `${margin}  `)}${margin}}`;
  switch (statement.kind) {
    case 'jump':
    case 'expression':
      return `${statement.text};`;
    case 'declaration': {
      const { keyword, name, value } = statement;
      // Some begin to exist inside of a block and are used outside, some are objects that get members later.
      const type = keyword === 'var' || value === undefined ? ': any' : '';
      return `${keyword} ${name}${type}${value === undefined ? '' : ` = ${value}`};`;
    }
    case 'block':
      return block(statement.body);
    case 'for':
      return `for (${statement.head}) ${block(statement.body)}`;
    case 'if': {
      const { condition, then, otherwise } = statement;
      const others = otherwise === undefined ? '' : ` else ${printedOne(otherwise, margin)}`;
      return `if (${condition}) ${block(then)}${others}`;
    }
  }
}
