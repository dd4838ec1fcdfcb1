import { canonical } from '../../contract/canonical-json.ts';
import {
  apart,
  collected,
  CONDITIONS,
  CONTAINED,
  others,
  settledScalar,
  unmet,
} from '../../contract/schemas/conditions.ts';
import { holds, memberSchemas } from '../../contract/schemas/holds.ts';
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

/** So deep, a schema is read for its own keywords. */
const SHALLOW = DEEPEST - 4;

const MOST_ROUNDS = 4;

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
    let whole = this.#whole(schema, depth);
    if (whole === undefined) return {};
    let value = this.#made(whole, depth);
    // What a condition adds can meet another condition.
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const lacking = unmet(this.#document, whole, value);
      if (lacking.length === 0) break;
      whole = lacking.reduce<Schema>((all, part) => merged(all, this.#whole(part, depth + 1) ?? {}), whole);
      value = this.#made(whole, depth);
    }
    return isObject(value) || Array.isArray(value) ? value : settledScalar(this.#document, whole, value);
  }

  #made(whole: Schema, depth: number): unknown {
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
    const { allOf, anyOf, oneOf, discriminator, ...rest } = target;
    const { $ref: reference, ...beside } = isObject(schema) ? schema : {};
    const isExtended = reference !== undefined && Object.keys(beside).length > 0;
    const siblings = isExtended ? this.#whole(beside, depth + 1) : undefined;
    const choices = listed(oneOf);
    const apartFrom = apart(choices, choices[this.#branch % choices.length]);
    const own = merged(merged(siblings ?? {}, collected(rest)), apartFrom);
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
    const contained = listed(schema[CONTAINED]) as readonly Schema[];
    const needed = contained.flatMap(({ contains, minContains }) =>
      Array.from({ length: minContains === undefined ? 1 : countOf(minContains) }, () => contains),
    );
    const count = Math.max(
      countOf(schema['minItems']),
      needed.length === 0 ? 0 : first.length + needed.length,
    );
    const items: unknown[] = [];
    for (let index = 0; index < count; index += 1) {
      const plain = first[index] ?? schema['items'] ?? {};
      // As many as are needed, and no more where there is a most.
      const own = needed[index - first.length];
      const full = contained.filter(({ contains, maxContains }) => {
        const found = items.filter((item) => holds(this.#document, contains, item)).length;
        return maxContains !== undefined && found >= Number(maxContains);
      });
      const parts = [...(own === undefined ? [] : [own]), ...full.map(({ contains }) => ({ not: contains }))];
      const item = this.make(parts.length === 0 ? plain : { allOf: [plain, ...parts] }, depth + 1);
      items.push(schema['uniqueItems'] === true ? this.#another(item, items, plain) : item);
    }
    return items;
  }

  /** The same item with a difference, if an item like it is there already. */
  #another(item: unknown, before: readonly unknown[], schema: unknown): unknown {
    const known = new Set(before.map((each) => canonical(each)));
    const isNew = (one: unknown): boolean => !known.has(canonical(one)) && holds(this.#document, schema, one);
    if (isNew(item)) return item;
    if (!isObject(item)) return others(this.#whole(schema, SHALLOW) ?? {}, item).find(isNew) ?? item;
    const changed = Object.entries(item).flatMap(([name, value]) => {
      const [own] = memberSchemas(this.#whole(schema, 0) ?? {}, name);
      return others(this.#whole(own, SHALLOW) ?? {}, value).map((other) => ({ ...item, [name]: other }));
    });
    return changed.find(isNew) ?? item;
  }

  #object(schema: Schema, depth: number): Schema {
    const { required, properties, minProperties } = schema;
    const needed = listed(required).filter((name) => typeof name === 'string');
    const further = Object.keys(isObject(properties) ? properties : {}).filter(
      (name) => !needed.includes(name) && member(properties, name) !== false,
    );
    const least = countOf(minProperties);
    const names = [...needed, ...further.slice(0, Math.max(0, least - needed.length))];
    if (names.length < least) names.push(...this.#names(schema, names, least - names.length));
    return Object.fromEntries(
      names.map((name) => [name, this.make({ allOf: memberSchemas(schema, name) }, depth + 1)]),
    );
  }

  /** Names for members that a schema does not list. */
  #names(schema: Schema, known: readonly string[], count: number): readonly string[] {
    const { propertyNames, patternProperties, additionalProperties } = schema;
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    const isOpen = additionalProperties !== false || patterns.length === 0;
    const form = { type: 'string', ...(isOpen ? {} : { pattern: patterns[0] }) };
    const list = {
      type: 'array',
      items: { allOf: [form, propertyNames ?? {}, { not: { enum: known } }] },
      ...{ minItems: count, uniqueItems: true },
    };
    return (this.make(list, DEEPEST - 2) as readonly unknown[]).map(String);
  }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function typeOf(schema: Schema): unknown {
  const { type } = schema;
  if (type !== undefined) return [type].flat()[0];
  if (['items', 'prefixItems', CONTAINED].some((name) => schema[name] !== undefined)) return 'array';
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
    else if (name === CONDITIONS || name === CONTAINED) all[name] = [...listed(own), ...listed(value)];
    else if (name === 'type') all[name] = commonTypes(own, value);
    else if (name === 'required') all[name] = [...new Set([...listed(own), ...listed(value)])];
    else if (name === 'properties' && isObject(own) && isObject(value)) all[name] = properties(own, value);
    else if (name === 'enum') all[name] = listed(own).filter((each) => listed(value).includes(each));
    else if (name === 'pattern' && own !== value)
      all[CONDITIONS] = [...listed(all[CONDITIONS]), { if: true, then: { pattern: value } }];
    else if (typeof own === 'number' && typeof value === 'number' && GREATER.has(name))
      all[name] = Math.max(own, value);
    else if (typeof own === 'number' && typeof value === 'number' && LESSER.has(name))
      all[name] = Math.min(own, value);
  }
  return all;
}

/** The types that two schemas allow; an integer is a number. */
function commonTypes(one: unknown, other: unknown): unknown {
  const [own, others] = [[one].flat(), [other].flat()];
  const isIn = (types: readonly unknown[], type: unknown): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const both = [...own.filter((type) => isIn(others, type)), ...others.filter((type) => isIn(own, type))];
  return both.length === 0 ? one : [...new Set(both)];
}

function properties(one: Schema, other: Schema): Schema {
  const both = Object.entries(other).map(([name, schema]) => [
    name,
    Object.hasOwn(one, name) ? { allOf: [one[name], schema] } : schema,
  ]);
  return { ...one, ...(Object.fromEntries(both) as Schema) };
}
