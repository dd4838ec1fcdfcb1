import { mappedTags } from '../../contract/schemas/discriminator.ts';
import { kindOf } from '../../contract/schemas/wire-type.ts';
import { isObject, member } from '../exchanges/exchange.ts';
import { resolve } from './schema-document.ts';
import { countOf, smallestNumber, smallestText } from './smallest-scalar.ts';

/** How a value is chosen if a schema allows several. */
export interface ValueChoice {
  /** Whether examples and defaults of the schema are used; they can be invalid. */
  readonly examples?: boolean;
  /** The index of the branch of `oneOf` and `anyOf`; the first one is 0. */
  readonly branch?: number;
}

/**
 * A small value that is valid by a schema, as far as this module supports its keywords: an example or a
 * default if the schema has one, else only the required members. It is a suggestion for people; no verdict
 * depends on it.
 */
export function smallestValue(
  document: unknown,
  schema: unknown,
  { examples = true, branch = 0 }: ValueChoice = {},
): unknown {
  return new Maker(document, examples, branch).make(schema, 0);
}

// --- internal ---

type Schema = Readonly<Record<string, unknown>>;

/**
 * The limit for schemas that are examined altogether, because a schema may be recursive; beyond it, values
 * are empty.
 */
const MOST_SCHEMAS = 2000;

const DEEPEST = 24;

/** The keyword for the name of a branch, in schemas that this module makes. */
const DISCRIMINATED = 'x-discriminated';

class Maker {
  readonly #document: unknown;
  readonly #examples: boolean;
  readonly #branch: number;
  #left = MOST_SCHEMAS;

  constructor(document: unknown, examples: boolean, branch: number) {
    this.#document = document;
    this.#examples = examples;
    this.#branch = branch;
  }

  make(schema: unknown, depth: number): unknown {
    const whole = this.#whole(schema, depth);
    if (whole === undefined) return {};
    const told = this.#told(whole);
    if (told !== undefined) return told;
    if (listed(whole['enum']).includes(null)) return null;
    switch (typeOf(whole)) {
      case 'string':
        return smallestText(whole);
      case 'integer':
        return smallestNumber(whole, true);
      case 'number':
        return smallestNumber(whole, false);
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'array':
        return this.#items(whole, depth);
      default:
        return this.#object(whole, depth);
    }
  }

  /**
   * A schema with its reference followed, and the parts of `allOf` and one branch of a choice merged into it.
   */
  #whole(schema: unknown, depth: number): Schema | undefined {
    this.#left -= 1;
    const target = resolve(this.#document, schema);
    if (!isObject(target) || depth > DEEPEST || this.#left < 0) return undefined;
    const { allOf, anyOf, oneOf, discriminator, ...own } = target;
    const branches = [oneOf, anyOf].flatMap((list) => (listed(list).length > 0 ? [listed(list)] : []));
    const parts = [
      ...listed(allOf),
      ...branches.map((list) => {
        const branch = list[this.#branch % list.length];
        return named(branch, discriminator ?? this.#inherited(branch, depth));
      }),
    ];
    return parts.reduce<Schema>((all, part) => {
      const more = this.#whole(part, depth + 1);
      return more === undefined ? all : merged(all, more);
    }, own);
  }

  /** The discriminator of a base that a branch extends. */
  #inherited(branch: unknown, depth: number): unknown {
    const target = resolve(this.#document, branch);
    if (!isObject(target) || depth > DEEPEST) return undefined;
    const bases = listed(target['allOf']).map((base) => resolve(this.#document, base));
    const own = bases.map((base) => member(base, 'discriminator')).find((each) => each !== undefined);
    return own ?? bases.map((base) => this.#inherited(base, depth + 1)).find((each) => each !== undefined);
  }

  /** A value from the schema itself: its only value, one of the listed ones, an example of its type. */
  #told(schema: Schema): unknown {
    const { const: constant, enum: values, examples, example } = schema;
    const given = this.#examples ? [listed(examples)[0], example, schema['default']] : [];
    const allowed = listed(values);
    const fitting = given.find(
      (value) =>
        value !== undefined &&
        isOfType(value, schema['type']) &&
        (allowed.length === 0 || allowed.includes(value)),
    );
    if (constant !== undefined) return constant;
    // Another value if another branch is wanted, because a condition can depend on it.
    return fitting ?? allowed[this.#branch % Math.max(1, allowed.length)] ?? schema[DISCRIMINATED];
  }

  #items(schema: Schema, depth: number): readonly unknown[] {
    const first = listed(schema['prefixItems']);
    const { contains, minContains } = schema;
    const needed = contains === undefined ? 0 : minContains === undefined ? 1 : countOf(minContains);
    const count = Math.max(countOf(schema['minItems']), needed === 0 ? 0 : first.length + needed);
    return Array.from({ length: count }, (_, index) => {
      const plain = first[index] ?? schema['items'] ?? {};
      const isNeeded = index >= first.length && index < first.length + needed;
      const item = this.make(isNeeded ? { allOf: [plain, contains] } : plain, depth + 1);
      return schema['uniqueItems'] === true ? this.#another(item, index, schema['items']) : item;
    });
  }

  /** The same item with a difference, if items must be unique. */
  #another(item: unknown, index: number, schema: unknown): unknown {
    const allowed = listed(this.#whole(schema, DEEPEST)?.['enum']);
    if (allowed.length > 0) return allowed[index % allowed.length];
    if (index === 0) return item;
    if (typeof item === 'number') return item + index;
    return typeof item === 'string' ? `${item}${index}` : item;
  }

  #object(schema: Schema, depth: number): Schema {
    const { required, properties, minProperties } = schema;
    const needed = listed(required).filter((name) => typeof name === 'string');
    const others = isObject(properties)
      ? Object.keys(properties).filter((name) => !needed.includes(name))
      : [];
    const names = [...needed, ...others.slice(0, Math.max(0, countOf(minProperties) - needed.length))];
    return Object.fromEntries(
      names.map((name) => [name, this.make(member(properties, name) ?? {}, depth + 1)]),
    );
  }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (type !== undefined) return [type].flat()[0];
  if (['items', 'prefixItems', 'contains'].some((name) => schema[name] !== undefined)) return 'array';
  return undefined;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true;
  const own = kindOf(value);
  const types = [type].flat();
  return types.includes(own) || (own === 'number' && types.includes('integer') && Number.isInteger(value));
}

/** A branch with the name that selects it for a discriminator (OpenAPI 3.1, "Discriminator Object"). */
function named(branch: unknown, discriminator: unknown): unknown {
  const property = member(discriminator, 'propertyName');
  const reference = member(branch, '$ref');
  if (typeof property !== 'string' || typeof reference !== 'string') return branch;
  const [known = reference.split('/').at(-1)] = mappedTags(member(discriminator, 'mapping'), reference);
  return { allOf: [branch, { properties: { [property]: { [DISCRIMINATED]: known } } }] };
}

const GREATER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const LESSER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** Two schemas that both apply. */
function merged(one: Schema, other: Schema): Schema {
  const all: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const own = all[name];
    if (own === undefined) all[name] = value;
    else if (name === 'required') all[name] = [...new Set([...listed(own), ...listed(value)])];
    else if (name === 'properties' && isObject(own) && isObject(value)) all[name] = properties(own, value);
    else if (name === 'enum') all[name] = listed(own).filter((each) => listed(value).includes(each));
    else if (typeof own === 'number' && typeof value === 'number' && GREATER.has(name))
      all[name] = Math.max(own, value);
    else if (typeof own === 'number' && typeof value === 'number' && LESSER.has(name))
      all[name] = Math.min(own, value);
  }
  return all;
}

function properties(one: Schema, other: Schema): Schema {
  const both = Object.entries(other).map(([name, schema]) => [
    name,
    Object.hasOwn(one, name) ? { allOf: [one[name], schema] } : schema,
  ]);
  return { ...one, ...(Object.fromEntries(both) as Schema) };
}
