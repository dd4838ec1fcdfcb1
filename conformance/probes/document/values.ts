import { essenceOf, isJson } from '../../../contract/judge/body-format.ts';
import { isRecord, valueAt } from '../../../contract/index.ts';
import type { Json, JsonObject, MediaType, Operation, Parameter, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { propertiesOf } from '../../../contract/schemas/schema-parts.ts';
import type { Fixtures } from '../../target/fixtures.ts';
import { smallestValue } from '../../schemas/smallest-value.ts';
import type { ValueChoice } from '../../schemas/smallest-value.ts';
import type { OwnApi } from '../own-api.ts';
import { sentContent } from '../own-api.ts';
import { inOrder } from './ordered-times.ts';
import { hasAll, namesOthers, withIds, withoutReferences } from './references.ts';
import { bodyForm, isForm } from './wire-body.ts';
import type { BodyForm } from './wire-body.ts';

/** A value for a parameter, and whether it was given or generated. */
export interface Candidate {
  readonly value: Json;
  readonly isMadeUp: boolean;
}

/** The value of a parameter in the fixtures file: for this operation, or for all. */
export function fixedValue(fixtures: Fixtures, operation: Operation, { name }: Parameter): Json | undefined {
  const { parameters = {} } = fixtures;
  for (const key of fixtureKeysOf(operation, name))
    if (Object.hasOwn(parameters, key)) return parameters[key];
  return undefined;
}

/** The keys of `parameters` in the fixtures file that give a parameter its value: for this operation, or for all. */
export function fixtureKeysOf({ id }: Operation, name: string): readonly string[] {
  return [`${id}.${name}`, name];
}

/**
 * The examples of the document, the values that the schema lists, and finally a value that is valid by the
 * schema.
 */
export function documentedValues(api: OwnApi, parameter: Parameter): readonly Candidate[] {
  const { pointer, schema } = parameter;
  const declared = valueAt(api.root, pointer);
  const told: unknown[] = [];
  if (isRecord(declared)) {
    told.push(declared['example']);
    for (const example of isRecord(declared['examples']) ? Object.values(declared['examples']) : [])
      told.push(isRecord(example) ? example['value'] : undefined);
  }
  const fits = (value: unknown): value is Json =>
    value !== undefined && isSpelt(parameter, value) && api.misfits(parameter, value).length === 0;
  const isSent = (value: unknown): value is Json => fits(value) && !isEmpty(parameter, value);
  const said = [...told, ...namedBy(api, schema)].filter(isSent);
  const isNeeded = parameter.in === 'path' || parameter.required;
  const wanted = isNeeded ? filled(api, schema) : schema;
  // A parameter without restrictions is sent as text.
  const madeUp =
    madeBy((choice) => smallestValue(api.root, wanted, choice), isSent) ??
    (isSent('text') ? 'text' : undefined);
  return [
    ...said.slice(0, MOST_EXAMPLES).map((value) => ({ value, isMadeUp: false })),
    ...(madeUp === undefined ? [] : [{ value: madeUp, isMadeUp: true }]),
  ];
}

/**
 * The body of a call: from the fixtures file, an example of the document, or generated from the schema;
 * `undefined` if none is valid.
 */
export function bodyFor(
  api: OwnApi,
  operation: Operation,
  fixtures: Fixtures,
): (BodyForm & { readonly value: Json }) | undefined {
  const { bodies = {} } = fixtures;
  const isGiven = Object.hasOwn(bodies, operation.id);
  const given = isGiven ? (bodies[operation.id] as Json) : undefined;
  const content = given === undefined ? sentContent(operation) : contentOfGiven(api, operation, given);
  if (content === undefined) return undefined;
  const form = bodyForm(api, content, given);
  if (given !== undefined) return { ...form, value: given };
  const isFitting = (value: Json): boolean => isValid(api, content, value);
  const unbound = (value: Json): Json =>
    withIds(
      withoutReferences(api, operation, value, isFitting),
      fixtures.made?.[operation.id] ?? [],
      isFitting,
    );
  for (const { value } of content.examples)
    if (isValid(api, content, value)) return { ...form, value: unbound(value) };
  // Only a person knows the content of another text, such as CSV.
  if (/^text\/(?!plain)/i.test(form.mediaType)) return undefined;
  // A form without members is not a body.
  const schema = isForm(content.mediaType) ? filledForm(api, content.schema ?? {}) : content.schema;
  const rich = richest(api, content);
  if (rich !== undefined) return { ...form, value: unbound(rich) };
  for (const choice of CHOICES) {
    const made = smallestValue(api.root, schema ?? {}, choice) as Json;
    const own = withoutReadOnly(api, content.schema, made);
    const value = [inOrder(own), own, made].find((one) => isValid(api, content, one));
    if (value === undefined) continue;
    const isEmptyForm = isForm(content.mediaType) && isRecord(value) && Object.keys(value).length === 0;
    const other = { text: 'text' };
    return { ...form, value: isEmptyForm && isValid(api, content, other) ? other : unbound(value) };
  }
  return undefined;
}

/**
 * Bodies by the other alternatives of a schema than those that the usual body has, without the things that a run does not
 * make; none if the fixtures file has a body.
 */
export function alternativesOf(
  api: OwnApi,
  operation: Operation,
  { bodies, made }: Fixtures,
): readonly Json[] {
  const content = sentContent(operation);
  if (content === undefined || Object.hasOwn(bodies ?? {}, operation.id)) return [];
  // Alternatives of a member can be facts that a server sets itself, such as a state.
  if (alternativesIn(api, content).length === 0) return [];
  const isFitting = (value: Json): boolean => isValid(api, content, value);
  const ids = made?.[operation.id] ?? [];
  const found = new Map<string, Json>();
  for (let branch = 0; branch < CHOICES.length; branch += 1)
    for (const choice of [{ branch }, { branch, examples: false }]) {
      const value = smallestValue(api.root, content.schema ?? {}, choice) as Json;
      const own = inOrder(withoutReadOnly(api, content.schema, value));
      if (hasNothing(own) || hasAll(own) || !isFitting(own)) continue;
      const bound = withIds(withoutReferences(api, operation, own, isFitting), ids, isFitting);
      if (!namesOthers(api, operation, bound, ids)) found.set(JSON.stringify(bound), bound);
      break;
    }
  // The first alternative is the usual one.
  return [...found.values()].slice(1, 1 + MOST_ALTERNATIVES);
}

/** The schemas of which a whole body has one. */
export function alternativesIn(api: OwnApi, content: MediaType | undefined): readonly Schema[] {
  const described = followed(api.root, content?.schema);
  return isRecord(described) ? ([described['oneOf'] ?? described['anyOf'] ?? []].flat() as Schema[]) : [];
}

/** Whether a value is a valid request body by the document. */
export function isValid(api: OwnApi, content: MediaType, value: Json): boolean {
  const found = api.bodies.judge('request', content, value);
  return Array.isArray(found) && found.length === 0;
}

/** The schema of a list or of an object with at least one item or member. */
export function filled(api: Pick<OwnApi, 'root'>, schema: Parameter['schema']): Parameter['schema'] {
  if (!isRecord(schema)) return schema;
  const { $ref: reference, type, properties, minItems = 1 } = schema;
  const inner =
    typeof reference === 'string' && reference.startsWith('#/')
      ? valueAt(api.root, reference.slice(1))
      : undefined;
  if (isRecord(inner)) return filled(api, inner as Parameter['schema']);
  if (type === 'array') return { ...schema, minItems: Math.max(1, Number(minItems)) };
  const [first] = isRecord(properties) ? Object.keys(properties) : [];
  return type === 'object' && first !== undefined && schema['required'] === undefined
    ? { ...schema, required: [first] }
    : schema;
}

/** How a body that the user may have given is serialised; `undefined` if the operation takes none. */
export function formOfGiven(api: OwnApi, operation: Operation, given: Json): BodyForm | undefined {
  const content = contentOfGiven(api, operation, given);
  return content && bodyForm(api, content, given);
}

// --- internal ---

/** The type of a body that the user gave: a text that is no value of the JSON body is one of another type. */
function contentOfGiven(api: OwnApi, operation: Operation, given: Json): MediaType | undefined {
  const contents = operation.requestBody?.content ?? [];
  const usual = sentContent(operation) ?? contents[0];
  const isAsJson = (content: MediaType): boolean => isJson(essenceOf(bodyForm(api, content).mediaType));
  if (usual === undefined || typeof given !== 'string' || !isAsJson(usual) || isValid(api, usual, given))
    return usual;
  return contents.find((content) => !isAsJson(content)) ?? usual;
}

/** Of alternatives of which one is a list, a thing, or else a list with one: an empty list asks for nothing. */
function richest(api: OwnApi, content: MediaType): Json | undefined {
  const alternatives = alternativesIn(api, content);
  const isList = (schema: Schema): boolean => {
    const own = followed(api.root, schema);
    return isRecord(own) && [own['type']].flat().includes('array');
  };
  if (!alternatives.some(isList)) return undefined;
  return alternatives
    .toSorted((one, other) => Number(isList(one)) - Number(isList(other)))
    .flatMap((schema) =>
      CHOICES.map((choice) => smallestValue(api.root, filled(api, schema) ?? {}, choice) as Json),
    )
    .flatMap((value) => [inOrder(withoutReadOnly(api, content.schema, value)), value])
    .find((value) => !hasNothing(value) && isValid(api, content, value));
}

function hasNothing(value: Json): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** The same for a form, in which lists without items are missing: each required list has an item. */
function filledForm(api: Pick<OwnApi, 'root'>, schema: Schema): Schema {
  const whole = filled(api, schema);
  if (!isRecord(whole) || !isRecord(whole['properties']) || !Array.isArray(whole['required'])) return whole;
  const required = new Set<unknown>(whole['required']);
  const properties = Object.entries(whole['properties']).map(([name, inner]) => {
    const isList = required.has(name) && isRecord(inner) && inner['type'] === 'array';
    return [name, isList ? filled(api, inner as Schema) : inner];
  });
  return { ...whole, properties: Object.fromEntries(properties) as JsonObject };
}

const MOST_EXAMPLES = 2;

/** Of each operation: each is a call that makes something. */
export const MOST_ALTERNATIVES = 3;

/**
 * In this order: examples inside a schema can be invalid, and another branch than the first may also match.
 */
const CHOICES: readonly ValueChoice[] = [
  {},
  { examples: false },
  { branch: 1 },
  { branch: 1, examples: false },
  { branch: 2, examples: false },
  { branch: 3, examples: false },
  { branch: 4, examples: false },
];

/** The first valid value. */
function madeBy(
  make: (choice: ValueChoice) => unknown,
  isFitting: (value: unknown) => value is Json,
): Json | undefined {
  for (const choice of CHOICES) {
    const value = make(choice);
    if (isFitting(value)) return value;
  }
  return undefined;
}

/**
 * Whether a parameter can be serialised: no style supports objects inside lists and objects (OpenAPI 3.1,
 * "Style Values").
 */
function isSpelt({ in: place, mediaType }: Parameter, value: unknown): boolean {
  // Other characters have no meaning in a header (RFC 9110, section 5.5).
  if (place === 'header' && typeof value === 'string' && !/^[ -~]*$/.test(value)) return false;
  if (mediaType !== undefined || value === null || typeof value !== 'object') return true;
  return Object.values(value).every((inner) => inner === null || typeof inner !== 'object');
}

/** Read-only members do not belong in a request (OpenAPI 3.1, "Fixed Fields": `readOnly`). */
function withoutReadOnly(api: OwnApi, schema: Schema | undefined, value: Json): Json {
  if (!isRecord(value)) return value;
  const made = new Set(
    propertiesOf(schema, api.root).flatMap(([name, property]) => {
      const described = followed(api.root, property);
      return isRecord(described) && described['readOnly'] === true ? [name] : [];
    }),
  );
  return Object.fromEntries(Object.entries(value).filter(([name]) => !made.has(name))) as Json;
}

/** An empty path segment would change the path, and an empty list is the same as no parameter. */
function isEmpty({ in: place, required }: Parameter, value: unknown): boolean {
  if (value === '') return true;
  return (
    (place === 'path' || required) &&
    (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0)
  );
}

function namedBy(api: OwnApi, schema: unknown): readonly unknown[] {
  if (!isRecord(schema)) return [];
  const { examples, example, default: fallback, const: only, enum: values, $ref: reference } = schema;
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
  const inner =
    typeof reference === 'string' && reference.startsWith('#/')
      ? valueAt(api.root, reference.slice(1))
      : undefined;
  const own = [...list(examples), example, fallback, only, ...list(values)];
  return inner === undefined || !isRecord(inner)
    ? own
    : [...own, ...list(inner['examples']), inner['example'], inner['default'], ...list(inner['enum'])];
}
