import { isRecord } from '../../contract/index.ts';
import type { Json, JsonObject, Schema } from '../../contract/model.ts';
import { referredValue } from '../../contract/pointer.ts';

/**
 * A small value that a schema is likely to accept: its example, or else only the required members. The caller
 * has to validate it, because patterns and most conditions are ignored.
 *
 * @param root the document in which `$ref`s are resolved
 */
export function schemaSample(schema: Schema | undefined, root: JsonObject, depth = 0): Json {
  if (schema === undefined || typeof schema === 'boolean' || depth > DEEPEST) return {};
  const below = (inner: unknown): Json => schemaSample(inner as Schema | undefined, root, depth + 1);
  const { $ref, examples, allOf, oneOf, anyOf, type } = schema;
  const given = (Array.isArray(examples) ? examples[0] : undefined) ?? schema['example'] ?? schema['default'];
  if (schema['const'] !== undefined) return schema['const'] as Json;
  if (given !== undefined) return given as Json;
  if (Array.isArray(schema['enum'])) return (schema['enum'][0] ?? null) as Json;
  if (typeof $ref === 'string') return below(referredValue(root, $ref));
  const choice = [oneOf, anyOf].find((list) => Array.isArray(list));
  if (choice !== undefined && type === undefined) return below((choice as readonly Json[])[0]);
  if (Array.isArray(allOf)) {
    const parts = [{ ...schema, allOf: null }, ...(allOf as readonly Json[])].map(below);
    const objects = parts.filter(isRecord) as JsonObject[];
    return objects.length === parts.length
      ? (Object.assign({}, ...objects) as JsonObject)
      : (parts.at(-1) ?? null);
  }
  switch (typeOf(schema)) {
    case 'object':
      return objectSample(schema, below);
    case 'array':
      return Array.from({ length: Math.min(numberAt(schema, 'minItems') ?? 0, MOST_ITEMS) }, (_, index) =>
        below(
          (Array.isArray(schema['prefixItems']) ? schema['prefixItems'][index] : undefined) ??
            schema['items'],
        ),
      );
    case 'integer':
    case 'number':
      return numberSample(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textSample(schema);
  }
}

// --- internal ---

const DEEPEST = 12;
const MOST_ITEMS = 8;

function typeOf({ type, properties, items }: JsonObject): unknown {
  const [first] = Array.isArray(type) ? (type as readonly Json[]).filter((each) => each !== 'null') : [type];
  if (first !== undefined && first !== null) return first;
  return isRecord(properties) ? 'object' : items === undefined ? 'string' : 'array';
}

function objectSample({ required, properties }: JsonObject, below: (inner: unknown) => Json): JsonObject {
  const members = isRecord(properties) ? properties : {};
  const names = Array.isArray(required) ? (required as readonly Json[]).map(String) : [];
  return Object.fromEntries(
    names.map((name) => [name, below(Object.hasOwn(members, name) ? members[name] : { type: 'string' })]),
  );
}

function numberSample(schema: JsonObject): number {
  const step = numberAt(schema, 'multipleOf') ?? 1;
  const above = numberAt(schema, 'exclusiveMinimum');
  const least = above === undefined ? numberAt(schema, 'minimum') : above + step;
  const most = numberAt(schema, 'maximum');
  const value = Math.ceil((least ?? 1) / step) * step;
  return most === undefined ? value : Math.min(value, most);
}

function textSample(schema: JsonObject): string {
  const format = schema['format'] ?? (schema['contentEncoding'] === 'base64' ? 'byte' : '');
  const byFormat = FORMATS[String(format)];
  if (byFormat !== undefined) return byFormat;
  const text = 'sample'.slice(0, numberAt(schema, 'maxLength'));
  return text.padEnd(Math.min(numberAt(schema, 'minLength') ?? 0, 1_000), 'x');
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2030-01-31',
  'date-time': '2030-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  iri: 'https://example.com/',
  'uri-template': '/{id}',
  'json-pointer': '/sample',
  'relative-json-pointer': '0',
  byte: 'c2FtcGxl',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function numberAt(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
}
