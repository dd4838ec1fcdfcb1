import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { localPointer, valueAt } from '../../contract/pointer.ts';
import type { ApiOperation } from '../../generator/views/api.ts';

/** Deeper than this, only what has to be there is there. */
const DEPTH = 4;

/** What a generated function takes: every parameter and the body, as the document has it or as its schemas allow. */
export function sampleInput(document: JsonObject, api: ApiOperation): Record<string, unknown> {
  const source = api.operation.requestBody?.content.find(
    ({ mediaType }) => mediaType === api.body?.content.mediaType,
  );
  const members = api.parameters
    .filter(({ parameter }) => parameter.required)
    .map(({ parameter, member }) => [member, sampleOf(document, parameter.schema)] as const);
  if (api.body === undefined) return Object.fromEntries(members);
  const shown = source?.examples[0]?.value;
  const { carriage } = api.body.content;
  const body =
    carriage === 'binary'
      ? new Blob(['sample'])
      : carriage === 'text' || carriage === 'events'
        ? 'sample'
        : (shown ?? sampleOf(document, source?.schema ?? {}));
  return Object.fromEntries([...members, ['body', body]]);
}

/** A value that a schema allows, as far as that can be seen without trying: the same one every time. */
export function sampleOf(document: JsonObject, schema: Schema, depth = 0): Json {
  if (typeof schema === 'boolean') return 'sample';
  const { $ref: reference } = schema;
  if (typeof reference === 'string') {
    const target = depth > 30 ? undefined : valueAt(document, localPointer(reference) ?? '');
    return isSchema(target) ? sampleOf(document, target, depth + 1) : null;
  }
  const given = shownBy(schema);
  if (given !== undefined) return given;
  const parts = schemasIn(schema['allOf']);
  const [branch] = [...schemasIn(schema['oneOf']), ...schemasIn(schema['anyOf'])];
  const own = ownSample(document, schema, depth);
  const samples = [...parts, ...(branch === undefined ? [] : [branch])].map((part) =>
    sampleOf(document, part, depth + 1),
  );
  const all = own === undefined ? samples : [...samples, own];
  const objects = all.filter((sample) => isObject(sample));
  if (objects.length > 0) return Object.assign({}, ...objects) as Json;
  return all[0] ?? 'sample';
}

// --- internal ---

function shownBy(schema: JsonObject): Json | undefined {
  const { enum: choices, examples } = schema;
  return (
    schema['const'] ??
    schema['example'] ??
    (Array.isArray(examples) ? (examples as readonly Json[])[0] : undefined) ??
    schema['default'] ??
    (Array.isArray(choices) ? (choices as readonly Json[])[0] : undefined)
  );
}

function ownSample(document: JsonObject, schema: JsonObject, depth: number): Json | undefined {
  const { type, properties } = schema;
  const kind =
    (Array.isArray(type) ? (type as readonly Json[]) : [type])[0] ??
    (properties === undefined ? undefined : 'object');
  if (kind === 'string') return textSample(schema);
  if (kind === 'integer' || kind === 'number') return numberSample(schema);
  if (kind === 'boolean') return true;
  if (kind === 'null') return null;
  if (kind === 'array') {
    const items = schema['items'] ?? {};
    const least = Number(schema['minItems'] ?? (depth < DEPTH ? 1 : 0));
    const count = Math.min(least, Number(schema['maxItems'] ?? least), 50);
    return Array.from({ length: count }, () =>
      isSchema(items) ? sampleOf(document, items, depth + 1) : null,
    );
  }
  if (kind !== 'object') return undefined;
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : []);
  const members = Object.entries(isObject(properties) ? properties : {});
  // An empty object has no place in an address.
  const filled = required.size > 0 ? members.filter(([name]) => required.has(name)) : members.slice(0, 1);
  if (required.size === 0 && depth >= DEPTH) return {};
  return Object.fromEntries(
    filled.flatMap(([name, inner]) =>
      isSchema(inner) ? [[name, sampleOf(document, inner, depth + 1)] as const] : [],
    ),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2024-05-04T03:02:01Z',
  date: '2024-05-04',
  time: '03:02:01Z',
  email: 'person@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};

function textSample({ format, minLength, maxLength }: JsonObject): string {
  const text = (typeof format === 'string' ? FORMATS[format] : undefined) ?? 'sample';
  const padded = text.padEnd(Math.min(Number(minLength ?? 0), 1_000), 'e');
  return typeof maxLength === 'number' ? padded.slice(0, maxLength) : padded;
}

function numberSample({ minimum, exclusiveMinimum, maximum, multipleOf }: JsonObject): number {
  const least = typeof minimum === 'number' ? minimum : Number(exclusiveMinimum ?? 0) + 1;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : undefined;
  const value = step === undefined ? least : Math.ceil(least / step) * step;
  return typeof maximum === 'number' ? Math.min(value, maximum) : value;
}

function schemasIn(value: Json | undefined): Schema[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((part) => isSchema(part)) : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value as Json);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
