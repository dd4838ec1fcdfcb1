import { jsString, jsValue } from '../printing.ts';
import { isExpression } from '../schemas/read-schema.ts';
import { automatonOf, walkText } from './automaton.ts';
import { withoutCaptures } from './pattern.ts';

/** The parts that the functions of one module share: constants and imported names. */
export class Module {
  /** The used names of the runtime. */
  readonly used = new Set<string>();
  readonly #constants = new Map<string, { readonly name: string; readonly line: string }>();
  readonly #matches = new Map<string, { readonly name: string; readonly text: string }>();
  readonly #counts = new Map<string, number>();

  /** Marks a name of the runtime as used, and returns it. */
  use(name: string): string {
    this.used.add(name);
    return name;
  }

  call(name: string, ...given: readonly string[]): string {
    return `${this.use(name)}(${given.join(', ')});`;
  }

  lines(): string[] {
    return [...this.#constants.values()].map(({ line }) => line);
  }

  values(values: readonly unknown[]): string {
    // Of objects the compiler would make a type in which each has the members of all others, such as `constructor`.
    const type = values.some((value) => typeof value === 'object' && value !== null)
      ? 'readonly unknown[]'
      : '';
    return this.#constant('values', jsValue(values), type);
  }

  names(names: readonly string[]): string {
    return this.#constant('names', jsValue(names));
  }

  set(names: readonly string[]): string {
    return this.#constant('known', `/* @__PURE__ */ new Set(${jsValue(names)})`);
  }

  list(kind: string, items: readonly string[]): string {
    return this.#constant(kind, `[${items.join(', ')}]`);
  }

  tags(branches: readonly (readonly [tag: string, validator: string])[]): string {
    const entries = branches.map(([tag, validator]) => `[${jsString(tag)}, ${validator}]`);
    return this.#constant('tags', `/* @__PURE__ */ ${this.use('byTag')}([${entries.join(', ')}])`);
  }

  pattern(source: string): string {
    const flags = isExpression(source, 'u') ? 'u' : '';
    const given = [withoutCaptures(source), flags].map(jsString).join(', ');
    return this.#constant('pattern', `/* @__PURE__ */ new RegExp(${given})`);
  }

  /** The function that tests whether a text matches. */
  matches(source: string): string {
    const known = this.#matches.get(source);
    if (known !== undefined) return known.name;
    const expression = this.pattern(source);
    const parts = automatonOf(source, isExpression(source, 'u') ? 'u' : '');
    if (parts === undefined) return `${expression}.test`;
    const table = this.#constant(
      'table',
      `/* @__PURE__ */ ${this.use('automaton')}(${jsValue(parts.moves)})`,
    );
    const name = `matches${this.#matches.size}`;
    this.#matches.set(source, { name, text: walkText(name, expression, table, parts.ends) });
    return name;
  }

  /** Functions that the others call. */
  functions(): string[] {
    return [...this.#matches.values()].map(({ text }) => text);
  }

  #constant(kind: string, text: string, type = ''): string {
    const known = this.#constants.get(text);
    if (known !== undefined) return known.name;
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    const name = `${kind}${count}`;
    this.#constants.set(text, { name, line: `const ${name}${type === '' ? '' : `: ${type}`} = ${text};` });
    return name;
  }
}
