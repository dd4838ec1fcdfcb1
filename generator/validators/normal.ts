import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { BYTES } from '../schemas/parts.ts';
import { isAnnotation, isObject } from '../schemas/read-schema.ts';

/** A schema reduced to the keywords that decide which values are valid. */
export function normal(schema: Schema): Schema {
  if (!isObject(schema)) return schema;
  const isBinary = schema[BYTES] === true;
  const kept = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (isBinary && ['type', 'format', 'contentMediaType'].includes(keyword)) return [];
    return isAnnotation(keyword) ? [] : [[keyword, withSubschemas(keyword, value, normal)]];
  });
  const result = Object.fromEntries(kept);
  return onlyPart(result) ?? result;
}

/** The value of a keyword, with a function applied to each schema directly inside it. */
export function withSubschemas(keyword: string, value: Json, change: (schema: Schema) => Json): Json {
  if (MAPS.has(keyword) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [name, change(schema as Schema)]),
    );
  if (LISTS.has(keyword) && Array.isArray(value))
    return value.map((schema: Json) => change(schema as Schema));
  return SINGLE.has(keyword) ? change(value as Schema) : value;
}

/** Gives equivalent schemas the same number. */
export class SchemaNumbers {
  readonly #byText = new Map<string, number>();
  readonly #byObject = new WeakMap<object, number>();

  of(schema: Schema): number {
    if (!isObject(schema)) return schema ? -1 : -2;
    const known = this.#byObject.get(schema);
    if (known !== undefined) return known;
    const shallow = Object.entries(schema).map(([keyword, value]) => [
      keyword,
      withSubschemas(keyword, value, (inner) => this.of(inner)),
    ]);
    const text = JSON.stringify(shallow.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)));
    const number = this.#byText.get(text) ?? this.#byText.size;
    this.#byText.set(text, number);
    this.#byObject.set(schema, number);
    return number;
  }
}

// --- internal ---

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SINGLE = new Set([
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]);

/** The content of a schema that consists only of a list with one schema. */
function onlyPart(schema: JsonObject): Schema | undefined {
  const [[keyword, value] = ['', null], ...others] = Object.entries(schema);
  const isList = ['allOf', 'anyOf', 'oneOf'].includes(keyword) && Array.isArray(value) && value.length === 1;
  return isList && others.length === 0 ? ((value as Json[])[0] as Schema) : undefined;
}
