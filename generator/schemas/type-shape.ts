import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { commentOf } from './comments.ts';
import { BYTES } from './parts.ts';
import { isObject } from './read-schema.ts';
import type { SchemaTable } from './schema-table.ts';
import { referredName } from './table-entry.ts';

/**
 * The type of a schema's values, in the small subset of JSON Schema that openapi-typescript turns into sound
 * types: every object uses one of `$ref`, `allOf`, `anyOf` or the keywords of a single type. Text of the
 * document that the library would print (comments, literals) is passed as `x-` members, which our own hooks
 * print.
 */
export interface TypeShape {
  readonly [keyword: string]: Json;
}

/** One of these JSON values; `open` allows other strings too, and keeps the known ones in completions. */
export function literalShape(values: readonly Json[], open = false): Json {
  // TypeScript has no literal for a number beyond those of JavaScript.
  const literals = values.map((value): TypeShape =>
    typeof value === 'number' && !Number.isFinite(value)
      ? { type: 'number' }
      : { type: 'x-literal', 'x-value': value },
  );
  return unionShape(open ? [...literals, OTHER_STRING] : literals);
}

/** A named type, of this module or of the platform. */
export function namedShape(name: string): TypeShape {
  return { type: 'x-name', 'x-name': name };
}

/** A generic type of the runtime with these arguments. */
export function genericShape(name: string, ...of: readonly Json[]): TypeShape {
  return { type: 'x-generic', 'x-generic': name, 'x-of': of };
}

/** Every type that can be sent as bytes: a Blob, a buffer, a view of one, a stream. */
export const SENT_BYTES = "Exclude<NonNullable<RequestInit['body']>, string | FormData | URLSearchParams>";

/** A union. Nested unions are flattened, and duplicates are removed. */
export function unionShape(shapes: readonly Json[]): Json {
  const flat = shapes.flatMap((shape) =>
    isObject(shape) && Array.isArray(shape['anyOf']) ? (shape['anyOf'] as Json[]) : [shape],
  );
  if (flat.length === 1) return flat[0] as Json;
  const distinct = [...new Map(flat.map((shape) => [JSON.stringify(shape), shape])).values()];
  const [only, ...more] = distinct;
  if (only === undefined) return false;
  return more.length === 0 ? only : { anyOf: distinct };
}

/** @param openValues the known values of properties with an open set, by their schema objects */
export function typeShape(
  schema: Schema,
  table: SchemaTable,
  openValues: (schema: Schema) => readonly string[] | undefined,
): Json {
  return new Shaping(table, openValues).shape(schema, NOTHING);
}

/** The names of types that a shape refers to. */
export function namesIn(shape: Json): string[] {
  if (Array.isArray(shape)) return shape.flatMap((inner: Json) => namesIn(inner));
  if (!isObject(shape)) return [];
  if (shape['type'] === 'x-name') return isPlatform(String(shape['x-name'])) ? [] : [String(shape['x-name'])];
  return Object.values(shape).flatMap((inner) => namesIn(inner));
}

/** The same shape with other names for the types that it refers to. */
export function renamedShape(shape: Json, named: (name: string) => string): Json {
  if (Array.isArray(shape)) return shape.map((inner: Json) => renamedShape(inner, named));
  if (!isObject(shape)) return shape;
  const { type } = shape;
  if (type === 'x-literal') return shape;
  if (type === 'x-name') return { ...shape, 'x-name': named(String(shape['x-name'])) };
  const isAny =
    type === 'object' && shape['properties'] === undefined && shape['additionalProperties'] === undefined;
  if (isAny) return { ...shape, type: 'x-name', 'x-name': named(ANY_OBJECT) };
  return Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, renamedShape(inner, named)]));
}

/** Whether a name is a type of the platform, not of the document. */
export function isPlatform(name: string): boolean {
  return PLATFORM.test(name);
}

/** The generic types of the runtime that a shape uses. */
export function genericsIn(shape: Json): string[] {
  if (Array.isArray(shape)) return shape.flatMap((inner: Json) => genericsIn(inner));
  if (!isObject(shape)) return [];
  const own = shape['type'] === 'x-generic' ? [String(shape['x-generic'])] : [];
  return [...own, ...Object.values(shape).flatMap((inner) => genericsIn(inner))];
}

// --- internal ---

/** The properties that an enclosing schema describes, for branches that only list the required ones. */
type Properties = ReadonlyMap<string, Schema>;

class Shaping {
  readonly #table: SchemaTable;
  readonly #openValues: (schema: Schema) => readonly string[] | undefined;
  #isInDescribed = false;

  constructor(table: SchemaTable, openValues: (schema: Schema) => readonly string[] | undefined) {
    this.#table = table;
    this.#openValues = openValues;
  }

  shape(schema: Schema, enclosing: Properties): Json {
    if (!isObject(schema)) return schema;
    const { $ref: reference } = schema;
    if (typeof reference === 'string') {
      const name = referredName(reference);
      return name === undefined ? {} : namedShape(name);
    }
    const known = this.#openValues(schema);
    if (known !== undefined) return literalShape(known, true);

    const properties = this.#propertiesOf(schema, enclosing);
    const extended = subschemas(schema['allOf']).map((member) => this.shape(member, properties));
    const unions = [schema['anyOf'], schema['oneOf']]
      .map(subschemas)
      .filter((branches) => branches.length > 0)
      .map((branches) => this.#union(branches, properties));
    const parts = [...extended, this.#core(schema, properties), ...unions].filter(saysSomething);
    const [only, ...more] = parts;
    if (only === undefined) return {};
    if (parts.includes(false)) return false;
    return more.length === 0 ? only : { allOf: parts };
  }

  #core(schema: JsonObject, properties: Properties): Json {
    const types = typesOf(schema);
    if (schema['const'] !== undefined) return literalShape([schema['const']]);
    if (Array.isArray(schema['enum'])) {
      const values = (schema['enum'] as Json[]).filter(
        (value) => types.length === 0 || types.some((type) => isOfType(value, type)),
      );
      // A union of thousands of members is too much for a compiler.
      if (values.length <= MOST_LITERALS) return literalShape(values);
    }
    const named = types.length > 0 ? types : impliedTypes(schema);
    if (named.length === 0) return {};
    const alternatives = named.map((type) => this.#single(type, schema, properties));
    return alternatives.every(saysSomething) ? unionShape(alternatives) : {};
  }

  #single(type: string, schema: JsonObject, properties: Properties): Json {
    switch (type) {
      case 'object':
        return this.#object(schema, properties);
      case 'array':
        return this.#array(schema);
      case 'string':
        return schema[BYTES] === true ? namedShape('Blob') : { type };
      default:
        return { type };
    }
  }

  #object(schema: JsonObject, enclosing: Properties): Json {
    const own = membersOf(schema['properties']);
    const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
    const { additionalProperties } = schema;
    const rest: Schema = isObject(additionalProperties) ? additionalProperties : true;
    // A required property without a description still exists.
    const named = new Map(own);
    for (const name of required) {
      if (!named.has(name)) named.set(name, enclosing.get(name) ?? rest);
    }
    const shaped = [...named].map(([name, property]): [string, Json] => [
      name,
      own.has(name) ? this.#property(property) : this.#described(property),
    ]);
    const index = this.#index(
      schema,
      shaped.map(([, shape]) => shape),
      shaped.length > required.size,
    );
    if (shaped.length === 0 && index === undefined) {
      return hasComposition(schema) ? {} : { type: 'object' };
    }
    return {
      type: 'object',
      ...(shaped.length === 0 ? {} : { properties: Object.fromEntries(shaped) }),
      ...(required.size === 0 ? {} : { required: [...required] }),
      ...(index === undefined ? {} : { additionalProperties: index }),
    };
  }

  /**
   * A required property that an enclosing schema describes, if any. Its own description is read without
   * enclosing properties, because it may refer back to itself, and each property to all others.
   */
  #described(schema: Schema): Json {
    if (this.#isInDescribed) return true;
    this.#isInDescribed = true;
    const shape = this.#property(schema);
    this.#isInDescribed = false;
    return shape;
  }

  #property(schema: Schema): Json {
    const shape = this.shape(schema, NOTHING);
    // Only an object can have a comment.
    if (!isObject(schema) || !isObject(shape)) return shape;
    return {
      ...shape,
      ...(schema['readOnly'] === true ? { readOnly: true } : {}),
      'x-comment': commentOf(schema),
    };
  }

  /** The type of undeclared members; `undefined` if no index signature is to be written. */
  #index(schema: JsonObject, named: readonly Json[], someOptional: boolean): Json | undefined {
    const { additionalProperties: additional, patternProperties } = schema;
    const patterns = [...membersOf(patternProperties).values()];
    if (additional === true || (patterns.length > 0 && additional === undefined)) return true;
    const others = [...(isObject(additional) ? [additional] : []), ...patterns].map((other) =>
      this.shape(other, NOTHING),
    );
    if (others.length === 0) return undefined;
    if (others.some((other) => !saysSomething(other))) return true;
    // A signature covers the named members too.
    const all = [
      ...others,
      ...named.map(withoutComment),
      ...(someOptional && named.length > 0 ? [namedShape('undefined')] : []),
    ];
    return all.some((other) => !saysSomething(other)) ? true : unionShape(all);
  }

  #array(schema: JsonObject): Json {
    const { items, prefixItems } = schema;
    const item = isSchema(items) ? this.shape(items, NOTHING) : {};
    if (!Array.isArray(prefixItems)) return { type: 'x-array', 'x-item': item };
    const { minItems: least = 0, maxItems: most = Infinity } = schema as Readonly<Record<string, number>>;
    const first = (prefixItems as Schema[]).slice(0, most).map((prefix) => this.shape(prefix, NOTHING));
    const isClosed = items === false || most <= prefixItems.length;
    return { type: 'x-tuple', 'x-first': first, 'x-least': least, 'x-rest': isClosed ? false : item };
  }

  #union(branches: readonly Schema[], properties: Properties): Json {
    const shapes = branches
      .map((branch) => this.shape(branch, properties))
      .filter((shape) => shape !== false);
    if (!shapes.every(saysSomething)) return {};
    const hasKnown = branches.some((branch) => this.#hasKnownStrings(branch));
    return unionShape(
      hasKnown ? shapes.map((shape) => (isPlainString(shape) ? OTHER_STRING : shape)) : shapes,
    );
  }

  /** Whether a schema lists strings: beside any other string, editors still complete them. */
  #hasKnownStrings(schema: Schema, depth = 0): boolean {
    if (!isObject(schema) || depth > 8) return false;
    const { $ref, const: value, enum: values = [value ?? null] } = schema;
    if (typeof $ref === 'string')
      return this.#hasKnownStrings(this.#table.follow($ref)?.schema ?? true, depth + 1);
    return (values as readonly Json[]).some((one) => typeof one === 'string');
  }

  /** The properties of a schema and of the schemas that it extends. */
  #propertiesOf(schema: JsonObject, enclosing: Properties, depth = 0): Properties {
    const found = new Map(enclosing);
    if (depth > 8) return found;
    for (const member of subschemas(schema['allOf'])) {
      const target =
        isObject(member) && typeof member['$ref'] === 'string'
          ? this.#table.follow(member['$ref'])?.schema
          : member;
      if (isObject(target))
        this.#propertiesOf(target, NOTHING, depth + 1).forEach((property, name) => found.set(name, property));
    }
    membersOf(schema['properties']).forEach((property, name) => found.set(name, property));
    return found;
  }
}

const ANY_OBJECT = 'Record<string, unknown>';
const PLATFORM = /^(?:Blob|Record<.*|null|undefined|never|unknown|Response\[.*|Exclude<.*)$/;
const NOTHING: Properties = new Map();
const MOST_LITERALS = 1000;
const OTHER_STRING: TypeShape = { type: 'x-other-string' };

function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  return (Array.isArray(type) ? (type as Json[]) : [type]).filter((name) => typeof name === 'string');
}

/** Documents often leave out `type` if the other keywords imply it. */
function impliedTypes(schema: JsonObject): string[] {
  if (
    ['properties', 'additionalProperties', 'patternProperties', 'required'].some(
      (keyword) => schema[keyword] !== undefined,
    )
  )
    return ['object'];
  if (['items', 'prefixItems'].some((keyword) => schema[keyword] !== undefined)) return ['array'];
  return schema[BYTES] === true ? ['string'] : [];
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function hasComposition(schema: JsonObject): boolean {
  return ['allOf', 'anyOf', 'oneOf'].some((keyword) => subschemas(schema[keyword]).length > 0);
}

/** Whether a shape restricts anything: `true` and `{}` do not. */
export function saysSomething(shape: Json): boolean {
  if (shape === true) return false;
  if (!isObject(shape)) return true;
  return Object.keys(shape).some((keyword) => keyword !== 'x-comment' && keyword !== 'readOnly');
}

function isPlainString(shape: Json): boolean {
  return isObject(shape) && shape['type'] === 'string' && Object.keys(shape).length === 1;
}

function withoutComment(shape: Json): Json {
  if (!isObject(shape)) return shape;
  const { 'x-comment': _comment, readOnly: _readOnly, ...rest } = shape;
  void _comment;
  void _readOnly;
  return rest;
}

function membersOf(value: Json | undefined): Map<string, Schema> {
  return new Map(isObject(value) ? (Object.entries(value) as [string, Schema][]) : []);
}

function subschemas(value: Json | undefined): Schema[] {
  return Array.isArray(value) ? (value as Schema[]) : [];
}

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}
