import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { jsString } from '../printing.ts';
import { isObject } from '../schemas/read-schema.ts';
import { referredName, type TableEntry } from '../schemas/table-entry.ts';
import { type FunctionBody, functionLines, VALIDATE, type WrittenFunction } from './function-text.ts';
import { alternativesLine, memberLines } from './members.ts';
import { Module } from './module.ts';
import { normal, SchemaNumbers } from './normal.ts';
import { recursiveFunctions } from './recursive.ts';
import { tagsOf, withoutTag } from './tags.ts';
import { noteLines, unevaluatedLines } from './unevaluated.ts';
import { itemLines, OWN, TYPE_CHECKS, typesOf, valueLines, VALUE_KEYWORDS, type Writer } from './values.ts';

/** A schema that needs a function, with the name for the function unless an equivalent schema has one. */
export interface Root {
  readonly name: string;
  readonly schema: Schema;
}

/** The parts of the guards of one API. */
export interface WrittenGuards {
  /** The function for each root, in the same order: one of these, or one of the runtime. */
  readonly validators: readonly string[];
  readonly functions: readonly string[];
  readonly constants: readonly string[];
  /** The names that they import from the runtime. */
  readonly used: ReadonlySet<string>;
}

/**
 * Functions that validate values by schemas. Each schema with more than a few keywords becomes one function,
 * regardless of how often it occurs, and a reference becomes a call: nothing is inlined at references.
 *
 * @param entries the targets of references
 * @param nameOf makes a unique name for a function from the words of the path to its schema
 */
export function writeGuards(
  entries: readonly TableEntry[],
  roots: readonly Root[],
  nameOf: (words: readonly string[]) => string,
): WrittenGuards {
  return new Guards(entries, roots, nameOf).written();
}

// --- internal ---

const PARAMETERS = "v: any, e: Failures, p = ''";

const OWN_ARGUMENTS = ['v', 'e', 'p'];

class Guards implements Writer {
  readonly module = new Module();
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #roots: readonly Root[];
  /** The names that the roots use for the schemas of references. */
  readonly #wanted: ReadonlyMap<string, string>;
  readonly #nameOf: (words: readonly string[]) => string;
  readonly #numbers = new SchemaNumbers();
  readonly #names = new Map<string, string>();
  /** Functions that are called but not written yet. */
  readonly #waiting: (() => void)[] = [];
  readonly #written: WrittenFunction[] = [];
  #calls = new Set<string>();

  constructor(
    entries: readonly TableEntry[],
    roots: readonly Root[],
    nameOf: (words: readonly string[]) => string,
  ) {
    this.#schemas = new Map(entries.map(({ name, schema }) => [name, normal(schema)]));
    this.#roots = roots.map(({ name, schema }) => ({ name, schema: normal(schema) }));
    this.#wanted = new Map(
      this.#roots.flatMap(({ name, schema }) => {
        const entry = isObject(schema) ? referredName(schema['$ref']) : undefined;
        return entry === undefined ? [] : [[entry, name] as const];
      }),
    );
    this.#nameOf = nameOf;
  }

  written(): WrittenGuards {
    const validators = this.#roots.map(({ name, schema }) => {
      const validator = this.refer(schema, [name], name);
      for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) next();
      return validator;
    });
    const recursive = recursiveFunctions(new Map(this.#written.map(({ name, calls }) => [name, calls])));
    return {
      validators,
      functions: [
        ...this.module.functions(),
        ...this.#written.flatMap((each) => functionLines(each, recursive.has(each.name), this.module)),
      ],
      constants: this.module.lines(),
      used: this.module.used,
    };
  }

  refer(schema: Schema, words: readonly string[], wanted?: string): string {
    const { target, entry } = this.#followed(schema);
    if (!isObject(target)) return this.module.use(target ? 'anything' : 'never');
    const check = plainCheck(target);
    if (check !== undefined) return this.module.use(check);
    const inside = entry === undefined ? words : [entry];
    const name = this.#nameFor(
      `${this.#numbers.of(target)}`,
      (own) => {
        this.#write(own, PARAMETERS, () => this.#body(target, inside));
      },
      () => this.#wanted.get(entry ?? '') ?? wanted ?? this.#nameOf(inside),
    );
    this.#calls.add(name);
    return name;
  }

  judge(schema: Schema, words: readonly string[], ...given: readonly string[]): readonly string[] {
    const { target } = this.#followed(schema);
    const isAny = isObject(target) ? Object.keys(target).length === 0 : target;
    return isAny ? [] : [`${this.refer(schema, words)}(${given.join(', ')});`];
  }

  note(schema: Schema, kind: 'Members' | 'Items', words: readonly string[]): string | undefined {
    const { target } = this.#followed(schema);
    if (!isObject(target)) return undefined;
    const name = this.#nameFor(
      `${kind} ${this.#numbers.of(target)}`,
      (own) => {
        this.#write(own, 'v: any, e: Failures, s: any', () => ({
          head: noteLines(target, kind, words, this),
          members: [],
        }));
      },
      () => `note${kind}${this.#nameOf(words).slice(VALIDATE.length)}`,
    );
    this.#calls.add(name);
    return name;
  }

  /** The name of the function with a key; a new function is written later. */
  #nameFor(key: string, write: (name: string) => void, make: () => string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = make();
    this.#names.set(key, name);
    this.#waiting.push(() => write(name));
    return name;
  }

  /** The final target of references that have no other content, and the last of their names. */
  #followed(schema: Schema): { readonly target: Schema; readonly entry: string | undefined } {
    let target = schema;
    let entry: string | undefined;
    for (let steps = 0; steps <= this.#schemas.size; steps += 1) {
      const name = isObject(target) ? referredName(target['$ref']) : undefined;
      if (name === undefined) return { target, entry };
      entry = name;
      target = this.#schemas.get(name) ?? true;
    }
    return { target: true, entry: undefined };
  }

  /** The statements of a schema's function. */
  #body(schema: JsonObject, words: readonly string[]): FunctionBody {
    const place = { ...OWN, words };
    const whole = this.#wholeLines(schema, words);
    const items = [...itemLines(schema, place, this), ...unevaluatedLines(schema, 'Items', words, this)];
    const members = [
      ...memberLines(schema, words, this),
      ...unevaluatedLines(schema, 'Members', words, this),
    ];
    const [first, ...others] = valueLines(schema, place, this);
    const rest = [...others, ...whole, ...items];
    if (members.length === 0) return { head: first === undefined ? rest : [first, ...rest], members };
    const [type, orType, ...more] = typesOf(schema);
    const isOnlyObject =
      type === 'object' && (orType === undefined || (orType === 'null' && more.length + rest.length === 0));
    if (first !== undefined && isOnlyObject)
      return { head: [`if (!${first.replace(/;$/, '')}) return;`, ...rest], members };
    const objects = `if (!${this.module.use('isObject')}(v)) return;`;
    return { head: [...(first === undefined ? [] : [first]), ...rest, objects], members };
  }

  /** Statements for keywords that apply other schemas to the value. */
  #wholeLines(schema: JsonObject, words: readonly string[]): string[] {
    const { module } = this;
    const { $ref, not: excluded, if: condition, discriminator } = schema;
    const lines: string[] = [];
    if ($ref !== undefined) lines.push(...this.judge({ $ref }, words, ...OWN_ARGUMENTS));
    if (excluded !== undefined)
      lines.push(module.call('not', 'v', 'e', 'p', this.refer(excluded as Schema, [...words, 'not'])));
    for (const [index, part] of ((schema['allOf'] ?? []) as Schema[]).entries())
      lines.push(...this.#partLines(part, [...words, `part ${index + 1}`]));
    if (condition !== undefined && (schema['then'] ?? schema['else']) !== undefined)
      lines.push(
        module.call(
          ...(['when', 'v', 'e', 'p'] as const),
          this.refer(condition as Schema, [...words, 'if']),
          this.refer((schema['then'] ?? true) as Schema, [...words, 'then']),
          this.refer((schema['else'] ?? true) as Schema, [...words, 'else']),
        ),
      );
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      if (schema[keyword] === undefined) continue;
      const tags = keyword === 'oneOf' ? this.#taggedLine(schema, discriminator, words) : undefined;
      lines.push(tags ?? alternativesLine(keyword, schema, { ...OWN, words }, this));
    }
    return lines;
  }

  #partLines(part: Schema, words: readonly string[]): readonly string[] {
    if (part === true) return [];
    const isValue = isObject(part) && Object.keys(part).every((keyword) => VALUE_KEYWORDS.has(keyword));
    const place = { ...OWN, words };
    if (isValue) return [...valueLines(part, place, this), ...itemLines(part, place, this)];
    return this.judge(part, words, ...OWN_ARGUMENTS);
  }

  /** A choice by the value of one member, if each branch lists its values. */
  #taggedLine(
    schema: JsonObject,
    discriminator: Json | undefined,
    words: readonly string[],
  ): string | undefined {
    const property = isObject(discriminator) ? discriminator['propertyName'] : undefined;
    if (typeof property !== 'string') return undefined;
    const branches: (readonly [tag: string, validator: string])[] = [];
    for (const [index, branch] of (schema['oneOf'] as Schema[]).entries()) {
      const tags = tagsOf(branch, property);
      if (tags.length === 0) return undefined;
      const validator = this.refer(withoutTag(branch, property), [...words, `option ${index + 1}`]);
      branches.push(...tags.map((tag) => [tag, validator] as const));
    }
    return this.module.call('tagged', 'v', 'e', 'p', jsString(property), this.module.tags(branches));
  }

  #write(name: string, parameters: string, body: () => FunctionBody): void {
    const outer = this.#calls;
    this.#calls = new Set();
    const { head, members } = body();
    this.#written.push({ name, parameters, head, members, calls: this.#calls });
    this.#calls = outer;
  }
}

/** The runtime's check for a schema that has only a type. */
function plainCheck(schema: JsonObject): string | undefined {
  const [only, ...others] = Object.keys(schema);
  if (only === undefined) return 'anything';
  const types = typesOf(schema);
  return only === 'type' && others.length === 0 && types.length === 1
    ? TYPE_CHECKS.get(types[0] ?? '')
    : undefined;
}
