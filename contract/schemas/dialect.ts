import type { Json, JsonObject, Schema } from '../model.ts';
import { isRecord } from '../record.ts';

/**
 * Converts a schema of OpenAPI 3.0 to JSON Schema 2020-12. `nullable` becomes a type or an alternative
 * `null`, also beside `allOf: [{ $ref }]`, which many documents write; exclusive bounds become numbers;
 * `example` becomes `examples`. References lose the members beside them, because 3.0 ignores these.
 */
export function schemaFrom30(schema: unknown): Schema {
  if (typeof schema === 'boolean') return schema;
  if (!isRecord(schema)) return {};
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  const converted: [string, Json][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    switch (keyword) {
      case 'nullable':
        break;
      case 'minimum':
      case 'maximum':
        if (schema[EXCLUSIVE[keyword]] !== true) converted.push([keyword, value as Json]);
        break;
      case 'exclusiveMinimum':
      case 'exclusiveMaximum': {
        const bound = schema[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
        if (typeof value === 'number') converted.push([keyword, value]);
        else if (value === true && typeof bound === 'number') converted.push([keyword, bound]);
        break;
      }
      case 'example':
        if (!Object.hasOwn(schema, 'examples')) converted.push(['examples', [value as Json]]);
        break;
      default:
        converted.push([keyword, subschemas(keyword, value)]);
    }
  }
  const result: JsonObject = Object.fromEntries(converted);
  return schema['nullable'] === true ? orNull(result) : result;
}

/** The same schema with `null` allowed. Annotations stay at the top, where readers look for them. */
export function orNull(schema: JsonObject): Schema {
  const { type } = schema;
  // A type beside a composition does not let null through the other parts.
  const isWhole = !['allOf', 'anyOf', 'oneOf'].some((keyword) => Array.isArray(schema[keyword]));
  if (isWhole && (typeof type === 'string' || Array.isArray(type))) {
    const types = [type].flat() as readonly Json[];
    const open: JsonObject = { ...schema, type: [...new Set<Json>([...types, 'null'])] };
    const { enum: values } = schema;
    return Array.isArray(values) && !values.includes(null) ? { ...open, enum: [...values, null] } : open;
  }
  const {
    title,
    description,
    default: standard,
    deprecated,
    examples,
    readOnly,
    writeOnly,
    ...asserted
  } = schema;
  if (Object.keys(asserted).length === 0) return schema;
  const annotations = { title, description, default: standard, deprecated, examples, readOnly, writeOnly };
  const outside = Object.entries(annotations).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  return { ...Object.fromEntries(outside), anyOf: [onlyMember(asserted), { type: 'null' }] };
}

// --- internal ---

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

function subschemas(keyword: string, value: unknown): Json {
  switch (keyword) {
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return Array.isArray(value) ? value.map(schemaFrom30) : (value as Json);
    case 'properties':
    case 'patternProperties':
    case 'dependentSchemas':
    case '$defs':
    case 'definitions':
      return isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, schemaFrom30(schema)]))
        : (value as Json);
    case 'items':
      return Array.isArray(value) ? (value as Json) : schemaFrom30(value);
    case 'not':
    case 'if':
    case 'then':
    case 'else':
    case 'contains':
    case 'propertyNames':
    case 'additionalProperties':
    case 'unevaluatedItems':
    case 'unevaluatedProperties':
      return schemaFrom30(value);
    default:
      return value as Json;
  }
}

/** `allOf` with a single reference is equivalent to the reference. */
function onlyMember(schema: JsonObject): JsonObject {
  const { allOf } = schema;
  const [first, ...others] = Array.isArray(allOf) ? allOf : [];
  return Object.keys(schema).length === 1 && isRecord(first) && others.length === 0
    ? (first as JsonObject)
    : schema;
}
