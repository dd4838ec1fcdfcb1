import type { Json } from '../../contract/index.ts';
import { jsString, jsValue } from '../printing.ts';
import { withoutCaptures } from './pattern.ts';
import { recursiveFunctions } from './recursive.ts';

/** What the functions in ajv's text refer to beside themselves. */
export interface Surroundings {
  /** The name of our validator for a function of ajv's. */
  validator(ajvName: string): string | undefined;
  /** The constant that says what a validator has looked at, for `unevaluatedProperties` elsewhere. */
  evaluated(ajvName: string): string | undefined;
  /** Whether a function of ajv's can lead back to itself. */
  isRecursive(ajvName: string): boolean;
  /** Whether only a run of a function of ajv's shows which members it has looked at. */
  isDynamic(ajvName: string): boolean;
  /** A schema that ajv holds. */
  schema(ajvName: string): Json | undefined;
  /** What a function that ajv holds does: whether a member is an object's own, or whether two values are the same. */
  helper(ajvName: string): 'own' | 'equal' | undefined;
  /** The name of a constant with this value, made once. */
  constant(value: Json): string;
  /** The name of a set with these texts, made once. */
  set(texts: readonly string[]): string;
  /** Notes that a name is used, and gives it back. */
  use(name: string): string;
}

/** One function as ajv wrote it. */
export interface EmittedFunction {
  readonly ajvName: string;
  readonly text: string;
  /** Whether it is known beforehand which members it looks at. */
  readonly isStatic: boolean;
}

/** ajv's text, taken apart: it has one statement after the other, each of a known kind. */
export class EmittedText implements Surroundings {
  readonly functions: EmittedFunction[] = [];
  readonly #nameOf: (index: number) => string;
  readonly #positions = new Map<string, number>();
  readonly #wrappers = new Map<string, string>();
  readonly #schemas = new Map<string, Json>();
  readonly #helpers = new Map<string, 'own' | 'equal'>();
  readonly #evaluated = new Map<string, string>();
  readonly #constants = new Map<string, { readonly name: string; readonly line: string }>();
  readonly #used = new Set<string>();
  readonly #recursive: ReadonlySet<string>;

  /**
   * @param nameOf the name of the validator at a position
   * @throws {Error} when ajv emits what is not known here
   */
  constructor(text: string, nameOf: (index: number) => string) {
    this.#nameOf = nameOf;
    for (const statement of text.split(STATEMENT).map((piece) => piece.trim())) {
      if (statement !== '' && statement !== '"use strict";') this.#read(statement);
    }
    const calls = this.functions.map(({ ajvName, text }) => [ajvName, this.#callsIn(text)] as const);
    this.#recursive = recursiveFunctions(new Map(calls));
  }

  position(ajvName: string): number {
    const position = this.#positions.get(ajvName);
    if (position === undefined) throw new Error(`ajv emitted the function ${ajvName} for no schema`);
    return position;
  }

  /** The declaration of what a validator has looked at, where another one asks. */
  evaluatedLine(ajvName: string): string | undefined {
    const value = this.#evaluated.get(ajvName);
    const name = `${this.validator(ajvName) ?? ''}Evaluated`;
    return value === undefined || !this.#used.has(name) ? undefined : `const ${name}: any = ${value};`;
  }

  /** Declarations of what validators use. */
  constants(): string[] {
    return [...this.#constants.values()].filter(({ name }) => this.#used.has(name)).map(({ line }) => line);
  }

  isUsed(name: string): boolean {
    return this.#used.has(name);
  }

  validator(ajvName: string): string | undefined {
    const position = this.#positions.get(this.#wrappers.get(ajvName) ?? ajvName);
    return position === undefined ? undefined : this.#nameOf(position);
  }

  evaluated(ajvName: string): string | undefined {
    const validator = this.validator(ajvName);
    return validator === undefined ? undefined : this.use(`${validator}Evaluated`);
  }

  isRecursive(ajvName: string): boolean {
    return this.#recursive.has(this.#wrappers.get(ajvName) ?? ajvName);
  }

  isDynamic(ajvName: string): boolean {
    return DYNAMIC.test(this.#evaluated.get(this.#wrappers.get(ajvName) ?? ajvName) ?? '');
  }

  schema(ajvName: string): Json | undefined {
    return this.#schemas.get(ajvName);
  }

  helper(ajvName: string): 'own' | 'equal' | undefined {
    return this.#helpers.get(ajvName);
  }

  constant(value: Json): string {
    const text = jsValue(value);
    return this.#constant(text, 'value', (name) => `const ${name}: any = ${text};`);
  }

  set(texts: readonly string[]): string {
    const text = `new Set(${jsValue(texts)})`;
    return this.#constant(text, 'known', (name) => `const ${name} = /* @__PURE__ */ ${text};`);
  }

  use(name: string): string {
    this.#used.add(name);
    return name;
  }

  /** The functions that a function calls, itself included where it does. */
  #callsIn(text: string): ReadonlySet<string> {
    const [head = ''] = text.split('\n', 1);
    const body = text.slice(head.length);
    return new Set(
      [...body.matchAll(/\b(validate\d+)\(|\b(wrapper\d+)\.validate\(/g)].map(
        ([, own, wrapper = '']) => own ?? this.#wrappers.get(wrapper) ?? '',
      ),
    );
  }

  #constant(key: string, kind: string, line: (name: string) => string): string {
    const known = this.#constants.get(key);
    if (known !== undefined) return this.use(known.name);
    const name = `${kind}${this.#constants.size}`;
    this.#constants.set(key, { name, line: line(name) });
    return this.use(name);
  }

  #read(statement: string): void {
    const [, ajvName = ''] = /^function (\w+)\(/.exec(statement) ?? [];
    if (ajvName !== '') {
      this.functions.push({ ajvName, text: statement, isStatic: true });
      return;
    }
    const [whole, declared, assigned, value = ''] =
      /^(?:(?:export )?const (\w+)|(\w+)\.evaluated) = ([\s\S]*);$/.exec(statement) ?? [];
    if (assigned !== undefined) {
      this.#readEvaluated(assigned, value);
    } else if (whole === undefined || declared === undefined || !this.#readConstant(declared, value)) {
      throw new Error(`ajv emitted what is not known here: ${statement.slice(0, 200)}`);
    }
  }

  #readEvaluated(ajvName: string, value: string): void {
    this.#evaluated.set(ajvName, jsValue(JSON.parse(value)));
    const index = this.functions.findIndex((each) => each.ajvName === ajvName);
    const found = this.functions[index];
    if (found !== undefined) this.functions[index] = { ...found, isStatic: !this.isDynamic(ajvName) };
  }

  /** Whether the constant is of a known kind. */
  #readConstant(name: string, value: string): boolean {
    if (/^v\d+$/.test(name)) {
      this.#positions.set(value, Number(name.slice(1)));
    } else if (/^schema\d+$/.test(name)) {
      this.#schemas.set(name, JSON.parse(value) as Json);
    } else if (/^wrapper\d+$/.test(name)) {
      this.#wrappers.set(name, /^\{validate: (\w+)\}$/.exec(value)?.[1] ?? '');
    } else if (/^pattern\d+$/.test(name)) {
      const [, source = '""', flags = '""'] =
        /^new RegExp\(("(?:[^"\\]|\\.)*"), ("\w*")\)$/.exec(value) ?? [];
      const pattern = jsString(withoutCaptures(JSON.parse(source) as string));
      const line = `const ${name} = /* @__PURE__ */ new RegExp(${pattern}, ${jsString(JSON.parse(flags) as string)});`;
      this.#constants.set(name, { name, line });
    } else if (/^func\d+$/.test(name) && value === 'Object.prototype.hasOwnProperty') {
      this.#helpers.set(name, 'own');
    } else if (/^func\d+$/.test(name) && value.includes('ajv/dist/runtime/equal')) {
      this.#helpers.set(name, 'equal');
    } else {
      return false;
    }
    return true;
  }
}

// --- internal ---

const DYNAMIC = /\bdynamic(?:Props|Items): true/;

/** Where the next statement of ajv's text begins: inside of functions no line begins so. */
const STATEMENT =
  /^(?=function validate\d|export const v\d|const (?:schema|pattern|func|wrapper)\d+ = |validate\d+\.evaluated = \{)/m;
