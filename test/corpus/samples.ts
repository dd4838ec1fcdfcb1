import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { localPointer, valueAt } from '../../contract/pointer.ts';
import type { ApiOperation } from '../../generator/views/api.ts';
import { numberSample, textSample } from './scalar-samples.ts';

/** Deeper than this, only what has to be there is there. */
const DEPTH = 4;

/** Deeper than this, there is nothing. */
const DEEPEST = 24;

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
  const { bodyFormat } = api.body.content;
  const body =
    bodyFormat === 'binary'
      ? new Blob(['sample'])
      : bodyFormat === 'text' || bodyFormat === 'events'
        ? 'sample'
        : (shown ?? sampleOf(document, source?.schema ?? {}));
  const isLines = bodyFormat === 'lines' || bodyFormat === 'sequence';
  return Object.fromEntries([...members, ['body', isLines && !Array.isArray(body) ? [body] : body]]);
}

/** A value that a schema allows, as far as that can be seen without trying: the same one every time. */
export function sampleOf(document: JsonObject, schema: Schema): Json {
  return sampled(schema, { document, depth: 0, trail: [] });
}

// --- internal ---

interface Place {
  readonly document: JsonObject;
  readonly depth: number;
  /** The references that led here. */
  readonly trail: readonly string[];
}

function inside(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}

function sampled(schema: Schema, place: Place): Json {
  if (typeof schema === 'boolean') return 'sample';
  if (place.depth > DEEPEST) return null;
  const { $ref: reference } = schema;
  if (typeof reference === 'string') {
    const found = followed(reference, place);
    return found === undefined ? null : sampled(found.schema, found.place);
  }
  const given = shownBy(schema);
  if (given !== undefined) return given;
  const { parts, tags, passed } = partsOf(schema, place);
  const shown = parts.map((part) => shownBy(part)).filter((sample) => sample !== undefined);
  const [first] = shown;
  if (first !== undefined && !isObject(first)) return first;
  const whole = merged(parts);
  const own = ownSample(whole, { ...place, trail: [...place.trail, ...passed] });
  const objects = [own, ...shown].filter((sample) => isObject(sample));
  if (objects.length === 0) return own === undefined ? 'sample' : own;
  return Object.assign({}, ...objects, Object.fromEntries(tags)) as Json;
}

function followed(reference: string, place: Place): { schema: JsonObject; place: Place } | undefined {
  const times = place.trail.filter((passed) => passed === reference).length;
  const target = times > 1 ? undefined : valueAt(place.document, localPointer(reference) ?? '');
  if (!isObject(target)) return undefined;
  return { schema: target, place: inside({ ...place, trail: [...place.trail, reference] }) };
}

type Tag = readonly [property: string, value: string];

interface Parts {
  readonly parts: readonly JsonObject[];
  readonly tags: readonly Tag[];
  /** The references that led to parts. */
  readonly passed: readonly string[];
}

/**
 * The schema, what it is made of, and of its alternatives one: without references, each to be kept to.
 *
 * @param isWhole it is no base of another schema
 */
function partsOf(schema: JsonObject, place: Place, isWhole = true): Parts {
  const parts: JsonObject[] = [schema];
  const tags: Tag[] = [];
  const passed: string[] = [];
  const take = (part: Schema, isAlternative: boolean): void => {
    if (!isObject(part)) return;
    const { $ref: reference } = part;
    const found = typeof reference === 'string' ? followed(reference, place) : { schema: part, place };
    if (found === undefined || place.depth > DEEPEST) return;
    const inner = partsOf(found.schema, inside(found.place), isAlternative);
    parts.push(...inner.parts);
    tags.push(...inner.tags);
    passed.push(...(typeof reference === 'string' ? [reference] : []), ...inner.passed);
  };
  const base = discriminatorOf(schema);
  const alternatives = [...schemasIn(schema['oneOf']), ...schemasIn(schema['anyOf'])];
  const branch = chosen(alternatives, place);
  for (const part of schemasIn(schema['allOf'])) {
    take(part, false);
    const parent = discriminatorOf(resolved(part, place));
    const self = place.trail.at(-1);
    // A child of the base that tells its children apart.
    if (parent !== undefined && self !== undefined) tags.push([parent.property, tagFor(self, parent)]);
  }
  if (branch !== undefined) {
    take(branch, true);
    const reference = isObject(branch) ? branch['$ref'] : undefined;
    if (base !== undefined && typeof reference === 'string' && !hasTag(branch, base.property, place))
      tags.push([base.property, tagFor(reference, base)]);
  } else if (base !== undefined && isWhole) {
    // A base without alternatives: one of its children by name.
    const [entry] = Object.entries(base.mapping);
    const isPassed = entry !== undefined && place.trail.includes(pointerOf(entry[1]));
    if (entry !== undefined && !isPassed) {
      take({ $ref: pointerOf(entry[1]) }, true);
      tags.push([base.property, entry[0]]);
    }
  }
  return { parts, tags, passed };
}

/** Something else than null, and nothing that leads in a circle, where there is a choice. */
function chosen(alternatives: readonly Schema[], { trail }: Place): Schema | undefined {
  const ways = alternatives.filter((branch) => !isObject(branch) || !trail.includes(String(branch['$ref'])));
  return ways.find((branch) => !isObject(branch) || branch['type'] !== 'null') ?? ways[0] ?? alternatives[0];
}

interface Discriminator {
  readonly property: string;
  readonly mapping: Readonly<Record<string, string>>;
}

function discriminatorOf(schema: Schema | undefined): Discriminator | undefined {
  const said = isObject(schema) ? schema['discriminator'] : undefined;
  if (!isObject(said) || typeof said['propertyName'] !== 'string') return undefined;
  const { mapping } = said;
  const known = Object.entries(isObject(mapping) ? mapping : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { property: said['propertyName'], mapping: Object.fromEntries(known) };
}

/** The value that stands for a schema: the mapped one, else its name. */
function tagFor(reference: string, { mapping }: Discriminator): string {
  const mapped = Object.entries(mapping).find(([, target]) => pointerOf(target) === reference);
  return mapped?.[0] ?? reference.slice(reference.lastIndexOf('/') + 1);
}

/** A mapping may name a schema or refer to it. */
function pointerOf(target: string): string {
  return target.includes('/') || target.includes('#') ? target : `#/components/schemas/${target}`;
}

/** Whether a schema says by itself what its tag is. */
function hasTag(schema: Schema, property: string, place: Place): boolean {
  const { properties } = resolved(schema, place) ?? {};
  const member = isObject(properties) ? resolved(properties[property] as Schema, place) : undefined;
  return member !== undefined && ('const' in member || 'enum' in member);
}

function resolved(schema: Schema | undefined, place: Place): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref: reference } = schema;
  return typeof reference === 'string' ? followed(reference, place)?.schema : schema;
}

/** All parts merged. If two describe one member, both apply. */
function merged(parts: readonly JsonObject[]): JsonObject {
  const required = new Set<Json>();
  const properties = new Map<string, Json[]>();
  for (const part of parts) {
    if (Array.isArray(part['required'])) for (const name of part['required']) required.add(name);
    for (const [name, schema] of Object.entries(isObject(part['properties']) ? part['properties'] : {}))
      properties.set(name, [...(properties.get(name) ?? []), schema]);
  }
  const members = [...properties].map(([name, schemas]): [string, Json] => [
    name,
    schemas.length === 1 ? (schemas[0] ?? true) : { allOf: schemas },
  ]);
  // What a schema says of itself stands first, and counts more than what it is made of.
  const whole = Object.assign({}, ...parts.toReversed()) as JsonObject;
  return {
    ...whole,
    ...(members.length > 0 ? { properties: Object.fromEntries(members) } : {}),
    required: [...required],
  };
}

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

function ownSample(schema: JsonObject, place: Place): Json | undefined {
  const { type, properties, items, required } = schema;
  const hasMembers = properties !== undefined || (Array.isArray(required) && required.length > 0);
  const kinds = (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter((kind) => kind !== 'null');
  const kind =
    kinds[0] ??
    (hasMembers ? 'object' : items === undefined ? (type === undefined ? undefined : 'null') : 'array');
  if (kind === 'string') return textSample(schema);
  if (kind === 'integer' || kind === 'number') return numberSample(schema);
  if (kind === 'boolean') return true;
  if (kind === 'null') return null;
  if (kind === 'array') return listSample(schema, place);
  if (kind === 'object') return objectSample(schema, place);
  return 'pattern' in schema || 'format' in schema ? textSample(schema) : undefined;
}

function listSample(schema: JsonObject, place: Place): Json {
  const { items = {}, minItems, maxItems, uniqueItems } = schema;
  const first = schemasIn(schema['prefixItems']);
  const least = Math.max(Number(minItems ?? (place.depth < DEPTH ? 1 : 0)), first.length);
  const count = Math.min(least, Number(maxItems ?? least), 50);
  return Array.from({ length: count }, (_, index): Json => {
    const item = first[index] ?? items;
    if (!isSchema(item)) return null;
    const sample = sampled(item, inside(place));
    return uniqueItems === true && index > 0 ? another(sample, item, index, place) : sample;
  });
}

/** A value of the same kind that is not the same. */
function another(sample: Json, schema: Schema, index: number, place: Place): Json {
  const { enum: choices } = resolved(schema, place) ?? {};
  if (Array.isArray(choices)) return (choices as readonly Json[])[index] ?? sample;
  if (typeof sample === 'string') return `${sample}${String(index)}`;
  return typeof sample === 'number' ? sample + index : sample;
}

function objectSample(schema: JsonObject, place: Place): Json {
  const { properties, minProperties, additionalProperties } = schema;
  const required = (schema['required'] as readonly string[] | undefined) ?? [];
  const members = isObject(properties) ? properties : {};
  const least = Number(minProperties ?? 0);
  // An empty object has no place in an address.
  const usual = required.length === 0 && place.depth < DEPTH ? 1 : 0;
  const names = new Set(required);
  for (const name of Object.keys(members)) if (names.size < Math.max(least, usual)) names.add(name);
  for (let index = 1; names.size < least; index += 1) names.add(`member${String(index)}`);
  return Object.fromEntries(
    [...names].map((name) => {
      const member = members[name] ?? (isSchema(additionalProperties) ? additionalProperties : true);
      return [name, isSchema(member) ? sampled(member, inside(place)) : null];
    }),
  );
}

function schemasIn(value: Json | undefined): Schema[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((part) => isSchema(part)) : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
