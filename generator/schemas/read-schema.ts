import type { Json, JsonObject, Schema } from '../../contract/index.ts';

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A schema reduced to the keywords that this generator supports, each with a value of its proper type. A
 * document can contain anything, and the libraries that follow crash on some of it.
 */
export function readSchema(schema: unknown, reading: SchemaReading): Schema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return true;
  const read = Object.fromEntries(
    Object.entries(reading.prepare(schema)).flatMap(([keyword, value]): [string, Json][] => {
      const result = READERS.get(keyword)?.(value, reading);
      return result === undefined ? [] : [[keyword, result]];
    }),
  );
  const reference = schema['$ref'] ?? schema['$dynamicRef'];
  return typeof reference === 'string' ? withReference(reading.refer(reference), read) : read;
}

export interface SchemaReading {
  /** The schema that replaces a reference. */
  readonly refer: (reference: string) => Schema;
  /** Rewrites a schema before its keywords are read. */
  readonly prepare: (schema: JsonObject) => JsonObject;
}

/** Whether a keyword does not affect which values are valid. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

/** Whether a text is a regular expression of ECMA-262; neither types nor validators can express another one. */
export function isExpression(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).source !== '';
  } catch {
    return false;
  }
}

// --- internal ---

type Reader = (value: Json, reading: SchemaReading) => Json | undefined;

/** A reference and the keywords beside it apply together (JSON Schema 2020-12, core, 8.2.3.1). */
function withReference(target: Schema, siblings: JsonObject): Schema {
  if (Object.keys(siblings).every((keyword) => ANNOTATIONS.has(keyword))) {
    return isObject(target) ? { ...siblings, ...target } : target;
  }
  const { allOf, ...others } = siblings;
  return { ...others, allOf: [target, ...(Array.isArray(allOf) ? (allOf as Schema[]) : [])] };
}

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

const asSchema: Reader = (value, reading) => readSchema(value, reading);
const asSchemas: Reader = (value, reading) =>
  Array.isArray(value) && value.length > 0
    ? value.map((schema: Json) => readSchema(schema, reading))
    : undefined;
const asSchemaMap: Reader = (value, reading) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, readSchema(schema, reading)]))
    : undefined;
const asNumber: Reader = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const asCount: Reader = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
const asText: Reader = (value) => (typeof value === 'string' ? value : undefined);
const asTrue: Reader = (value) => (value === true ? true : undefined);
const asIs: Reader = (value) => value;
const asNames: Reader = (value) => {
  const names = Array.isArray(value) ? value.filter((name: Json) => typeof name === 'string') : [];
  return names.length === 0 ? undefined : [...new Set(names)];
};
const asType: Reader = (value) => {
  const types = [...new Set(Array.isArray(value) ? (value as Json[]) : [value])];
  const known = types.filter((type) => typeof type === 'string' && TYPES.has(type));
  return known.length === 0 ? undefined : known.length === 1 ? known[0] : known;
};
const asPattern: Reader = (value) => {
  // Many documents have escapes that the flag `u` does not allow. Their patterns are checked without it.
  return typeof value === 'string' && ['u', ''].some((flags) => isExpression(value, flags))
    ? value
    : undefined;
};
const asPatternMap: Reader = (value, reading) => {
  const map = asSchemaMap(value, reading);
  if (!isObject(map)) return undefined;
  return Object.fromEntries(
    Object.entries(map).filter(([pattern]) => asPattern(pattern, reading) !== undefined),
  );
};
const asNamesMap: Reader = (value, reading) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, names]) => [name, asNames(names, reading) ?? []]))
    : undefined;

const READERS = new Map<string, Reader>([
  ['type', asType],
  ['enum', (value) => (Array.isArray(value) ? value : undefined)],
  ['const', asIs],
  ['properties', asSchemaMap],
  ['patternProperties', asPatternMap],
  ['additionalProperties', asSchema],
  ['unevaluatedProperties', asSchema],
  ['propertyNames', asSchema],
  ['required', asNames],
  ['dependentRequired', asNamesMap],
  ['dependentSchemas', asSchemaMap],
  ['minProperties', asCount],
  ['maxProperties', asCount],
  ['items', (value, reading) => (Array.isArray(value) ? undefined : readSchema(value, reading))],
  ['prefixItems', asSchemas],
  ['unevaluatedItems', asSchema],
  ['contains', asSchema],
  ['minContains', asCount],
  ['maxContains', asCount],
  ['minItems', asCount],
  ['maxItems', asCount],
  ['uniqueItems', asTrue],
  ['minLength', asCount],
  ['maxLength', asCount],
  ['pattern', asPattern],
  ['format', asText],
  ['minimum', asNumber],
  ['maximum', asNumber],
  ['exclusiveMinimum', asNumber],
  ['exclusiveMaximum', asNumber],
  ['multipleOf', (value) => (typeof value === 'number' && value > 0 ? value : undefined)],
  ['allOf', asSchemas],
  ['anyOf', asSchemas],
  ['oneOf', asSchemas],
  ['not', asSchema],
  ['if', asSchema],
  ['then', asSchema],
  ['else', asSchema],
  ['title', asText],
  ['description', asText],
  ['default', asIs],
  ['examples', (value) => (Array.isArray(value) ? value : undefined)],
  ['deprecated', asTrue],
  ['readOnly', asTrue],
  ['writeOnly', asTrue],
  ['contentEncoding', asText],
  ['contentMediaType', asText],
  [
    'discriminator',
    (value) => (isObject(value) && typeof value['propertyName'] === 'string' ? value : undefined),
  ],
]);

const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);
