/**
 * Reads the code that ajv writes, and no other: a line for each statement, a small set of expressions. A compiler would
 * read it as well, and takes most of the time that a large document needs.
 */

/** A statement; what stands in it is code as text. */
export type Statement =
  | {
      readonly kind: 'declaration';
      readonly keyword: string;
      readonly name: string;
      readonly value: string | undefined;
    }
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'jump'; readonly text: string }
  | {
      readonly kind: 'if';
      readonly condition: string;
      readonly then: readonly Statement[];
      readonly otherwise: Statement | undefined;
    }
  | { readonly kind: 'for'; readonly head: string; readonly body: readonly Statement[] }
  | { readonly kind: 'block'; readonly body: readonly Statement[] };

export type Expression =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'string'; readonly value: string }
  /** Code that stays as it is. */
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'element'; readonly of: Expression; readonly index: Expression }
  | { readonly kind: 'call'; readonly callee: Expression; readonly given: readonly Expression[] }
  | { readonly kind: 'prefix'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'postfix'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Expression])[] }
  | { readonly kind: 'parentheses'; readonly inner: Expression };

/** @throws {Error} for what ajv is not known to write */
export function unknownCode(text: string): Error {
  return new Error(`ajv emitted what is not known here: ${text.trim().slice(0, 200)}`);
}

/** The statements of a function. */
export function readFunction(text: string): readonly Statement[] {
  const lines = text.trim().split('\n');
  if (!/^function \w+\(.*\)\{$/.test(lines[0] ?? '')) throw unknownCode(text);
  const reader = new StatementReader(lines, 1);
  const body = reader.block();
  if (!reader.isAtEnd) throw unknownCode(text);
  return body;
}

export function readExpression(text: string): Expression {
  return new ExpressionReader(text).whole();
}

// --- internal ---

class StatementReader {
  readonly #lines: readonly string[];
  #at: number;

  constructor(lines: readonly string[], at: number) {
    this.#lines = lines;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  /** Statements as far as the bracket that closes the block, which is read as well. */
  block(): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      const line = this.#lines[this.#at++];
      if (line === undefined) throw unknownCode(this.#lines[0] ?? '');
      if (line === '}') return statements;
      if (line !== '') statements.push(this.#statement(line));
    }
  }

  #statement(line: string): Statement {
    if (line.startsWith('if(') && line.endsWith('){')) return this.#if(line.slice(3, -2));
    if (line.startsWith('for(') && line.endsWith('){'))
      return { kind: 'for', head: line.slice(4, -2), body: this.block() };
    if (!line.endsWith(';')) throw unknownCode(line);
    const text = line.slice(0, -1);
    if (/^(?:return\b|break\b|continue\b|\/\*)/.test(text)) return { kind: 'jump', text };
    const [whole, keyword = '', name = '', value] = DECLARATION.exec(text) ?? [];
    return whole === undefined ? { kind: 'expression', text } : { kind: 'declaration', keyword, name, value };
  }

  #if(condition: string): Statement {
    const then = this.block();
    const next = this.#lines[this.#at];
    if (next?.startsWith('else ') !== true) return { kind: 'if', condition, then, otherwise: undefined };
    this.#at += 1;
    const otherwise: Statement =
      next === 'else {' ? { kind: 'block', body: this.block() } : this.#statement(next.slice('else '.length));
    return { kind: 'if', condition, then, otherwise };
  }
}

const DECLARATION = /^(let|const|var) ([\w$]+)(?: ?= ?(.*))?$/;

/** How strongly operators bind. */
const BINARY: ReadonlyMap<string, number> = new Map([
  ...['=', '+=', '-='].map((operator) => [operator, 1] as const),
  ['||', 3],
  ['&&', 4],
  ...['===', '!==', '==', '!='].map((operator) => [operator, 5] as const),
  ...['<', '>', '<=', '>=', 'in', 'instanceof'].map((operator) => [operator, 6] as const),
  ...['+', '-'].map((operator) => [operator, 7] as const),
  ...['*', '/', '%'].map((operator) => [operator, 8] as const),
]);
const CONDITIONAL = 2;

const TOKEN =
  /\s*(?:([A-Za-z_$][\w$]*)|(\d[\w.]*(?:(?<=e)[+-]\d+)?)|("(?:[^"\\]|\\.)*")|('(?:[^'\\]|\\.)*'|\/~\/g|\/\\\/\/g)|([!=]==?|&&|\|\||[<>]=|\+\+|--|[+-]=|[-+*/%<>=!?:.,()[\]{}]))/y;

class ExpressionReader {
  readonly #text: string;
  readonly #token = new RegExp(TOKEN);
  /** The token that comes next; its text is empty at the end. */
  #kind: 'word' | 'number' | 'string' | 'literal' | 'sign' | 'end' = 'end';
  #next = '';

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  whole(): Expression {
    const found = this.#expression(0);
    if (this.#kind !== 'end') throw unknownCode(this.#text);
    return found;
  }

  #advance(): void {
    const at = this.#token.lastIndex;
    const [, word, number, string, literal, sign] = this.#token.exec(this.#text) ?? [];
    if (word !== undefined) [this.#kind, this.#next] = ['word', word];
    else if (number !== undefined) [this.#kind, this.#next] = ['number', number];
    else if (string !== undefined) [this.#kind, this.#next] = ['string', string];
    else if (literal !== undefined) [this.#kind, this.#next] = ['literal', literal];
    else if (sign !== undefined) [this.#kind, this.#next] = ['sign', sign];
    else if (this.#text.slice(at).trim() === '') [this.#kind, this.#next] = ['end', ''];
    else throw unknownCode(this.#text);
  }

  #take(): string {
    const text = this.#next;
    this.#advance();
    return text;
  }

  #expect(sign: string): void {
    if (this.#kind !== 'sign' || this.#take() !== sign) throw unknownCode(this.#text);
  }

  #isAt(sign: string): boolean {
    return this.#next === sign && this.#kind === 'sign';
  }

  #skip(sign: string): boolean {
    if (!this.#isAt(sign)) return false;
    this.#advance();
    return true;
  }

  /** An expression of operators that bind more strongly than that. */
  #expression(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      if (this.#isAt('?') && least < CONDITIONAL) {
        this.#advance();
        const then = this.#expression(0);
        this.#expect(':');
        left = { kind: 'conditional', condition: left, then, otherwise: this.#expression(1) };
        continue;
      }
      const strength = this.#kind === 'sign' || this.#kind === 'word' ? BINARY.get(this.#next) : undefined;
      if (strength === undefined || strength <= least) return left;
      const operator = this.#take();
      const right = this.#expression(strength === 1 ? 0 : strength);
      left = { kind: 'binary', operator, left, right };
    }
  }

  #unary(): Expression {
    if (this.#isAt('!') || this.#isAt('-') || (this.#kind === 'word' && this.#next === 'typeof'))
      return { kind: 'prefix', operator: this.#take(), operand: this.#unary() };
    let left = this.#primary();
    for (;;) {
      if (this.#skip('.')) {
        if (this.#kind !== 'word') throw unknownCode(this.#text);
        left = { kind: 'member', of: left, name: this.#take() };
      } else if (this.#skip('[')) {
        left = { kind: 'element', of: left, index: this.#expression(0) };
        this.#expect(']');
      } else if (this.#skip('(')) {
        left = { kind: 'call', callee: left, given: this.#listTo(')') };
      } else if (this.#isAt('++') || this.#isAt('--')) {
        left = { kind: 'postfix', operator: this.#take(), operand: left };
      } else {
        return left;
      }
    }
  }

  #primary(): Expression {
    const kind = this.#kind;
    const text = this.#take();
    if (kind === 'word') return { kind: 'name', name: text };
    if (kind === 'string')
      return {
        kind: 'string',
        value: text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1),
      };
    if (kind === 'number' || kind === 'literal') return { kind: 'literal', text };
    if (text === '(') {
      const inner = this.#expression(0);
      this.#expect(')');
      return { kind: 'parentheses', inner };
    }
    if (text === '[') return { kind: 'list', items: this.#listTo(']') };
    if (text === '{') return { kind: 'object', members: this.#members() };
    throw unknownCode(this.#text);
  }

  #listTo(end: string): Expression[] {
    const items: Expression[] = [];
    while (!this.#skip(end)) {
      items.push(this.#expression(0));
      if (!this.#isAt(end)) this.#expect(',');
    }
    return items;
  }

  #members(): (readonly [string, Expression])[] {
    const members: (readonly [string, Expression])[] = [];
    while (!this.#skip('}')) {
      const isComputed = this.#skip('[');
      const key = this.#take();
      if (isComputed) this.#expect(']');
      const value: Expression = this.#skip(':') ? this.#expression(0) : { kind: 'name', name: key };
      members.push([isComputed ? `[${key}]` : key, value]);
      if (!this.#isAt('}')) this.#expect(',');
    }
    return members;
  }
}
