import { isObject, member } from '../../../exchanges/exchange.ts';
import { resolve } from '../../../schemas/schema-document.ts';
import { smallestValue } from '../../../schemas/smallest-value.ts';

/** A body that violates a schema in one place. */
export interface SchemaNegative {
  readonly body: Readonly<Record<string, unknown>>;
  /** Such as `/steps: a string in place of integer`. */
  readonly says: string;
}

/**
 * Bodies that violate an object schema by construction: each takes a body that is expected to be valid and
 * violates one keyword of one member. Unsupported schemas give none: a doubtful negative would accuse a
 * conforming server.
 */
export function negatives(
  document: unknown,
  schema: unknown,
  valid: unknown,
  most: number,
): readonly SchemaNegative[] {
  const target = resolve(document, schema);
  if (!isObject(target) || !isPlain(target) || !isObject(valid)) return [];
  const byPlace = new Map<string, SchemaNegative[]>();
  let count = 0;
  for (const negative of negativesOf(document, target, valid)) {
    if ((count += 1) > MOST_FOUND) break;
    const place = negative.says.split(':', 1)[0] ?? '';
    byPlace.set(place, [...(byPlace.get(place) ?? []), negative]);
  }
  return spread([...byPlace.values()], most);
}

/** A valid body with only the required members; `undefined` if its validity is uncertain. */
export function requiredOnly(document: unknown, schema: unknown, valid: unknown): unknown {
  const target = resolve(document, schema);
  if (!isObject(target) || !isPlain(target) || !isObject(valid)) return undefined;
  if (target['minProperties'] !== undefined) return undefined;
  const required = requiredOf(target);
  return Object.fromEntries(Object.entries(valid).filter(([name]) => required.includes(name)));
}

/** Whether a schema allows members that it does not name. */
export function isOpenObject(document: unknown, schema: unknown): boolean {
  const target = resolve(document, schema);
  if (target === true) return true;
  if (!isObject(target) || !isPlain(target)) return false;
  const { additionalProperties, propertyNames, maxProperties, patternProperties } = target;
  const open = additionalProperties === undefined || additionalProperties === true;
  return (
    open && propertyNames === undefined && maxProperties === undefined && patternProperties === undefined
  );
}

// --- internal ---

type JsonRecord = Readonly<Record<string, unknown>>;

function* negativesOf(document: unknown, schema: JsonRecord, valid: JsonRecord): Generator<SchemaNegative> {
  for (const name of requiredOf(schema)) {
    if (!Object.hasOwn(valid, name)) continue;
    const { [name]: _, ...rest } = valid;
    yield { body: rest, says: `/${name}: left out` };
    // A body that is not empty without it.
    if (Object.keys(rest).length === 0 && isOpenObject(document, schema))
      yield { body: { tallystick_other: true }, says: `/${name}: left out together with another member` };
  }
  const properties = Object.entries(propertiesOf(schema));
  for (const isDeep of [false, true])
    for (const [name, raw] of properties) {
      const found = isDeep
        ? inside(document, raw, MOST_LEVELS)
        : violations(document, plainOf(document, raw));
      for (const { value, says } of found)
        yield { body: { ...valid, [name]: value }, says: `/${name}${says}` };
    }
  if (schema['additionalProperties'] === false) {
    yield {
      body: { ...valid, tallystick_unknown: 1 },
      says: '/tallystick_unknown: where no more members are allowed',
    };
  }
}

const MOST_LEVELS = 4;
const MOST_FOUND = 2000;

/** One of each list in turn; if there are more lists than that, of lists from all parts of the schema. */
function spread(lists: readonly (readonly SchemaNegative[])[], most: number): readonly SchemaNegative[] {
  const step = (lists.length - 1) / Math.max(1, most - 1);
  const chosen =
    lists.length <= most
      ? lists
      : Array.from({ length: most }, (_, index) => lists[Math.round(index * step)] ?? []);
  const longest = Math.max(0, ...chosen.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => chosen.flatMap((list) => list.slice(turn, turn + 1)))
    .flat()
    .slice(0, most);
}

/** A schema that this module supports; without keywords for one that it does not. */
function plainOf(document: unknown, raw: unknown): JsonRecord {
  const schema = resolve(document, raw);
  return isObject(schema) && isPlain(schema) ? schema : {};
}

/** Values that are invalid in one nested place; the members beside it are small and as valid as possible. */
function* inside(
  document: unknown,
  raw: unknown,
  levels: number,
): Generator<{ value: unknown; says: string }> {
  if (levels === 0) return;
  const schema = plainOf(document, raw);
  const types = [schema['type']].flat();
  const small = smallestValue(document, schema);
  const beside = isObject(small) ? small : {};
  const places = [
    ...(types.includes('object')
      ? Object.entries(propertiesOf(schema)).map(([name, within]) => ({
          within,
          says: `/${name}`,
          around: (value: unknown): unknown => ({ ...beside, [name]: value }),
        }))
      : []),
    ...(types.includes('array') && isObject(schema['items'])
      ? [{ within: schema['items'], says: '/0', around: (value: unknown): unknown => [value] }]
      : []),
  ];
  for (const { within, says, around } of places)
    for (const one of [
      ...violations(document, plainOf(document, within)),
      ...inside(document, within, levels - 1),
    ])
      yield { value: around(one.value), says: `${says}${one.says}` };
}

/** No keyword that makes the rest of the schema conditional. */
function isPlain(schema: JsonRecord): boolean {
  const others = [
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'dependentRequired',
    'dependentSchemas',
    'dependencies',
    'unevaluatedProperties',
    '$dynamicRef',
  ];
  return others.every((name) => schema[name] === undefined);
}

function requiredOf(schema: unknown): readonly string[] {
  const required = member(schema, 'required');
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function propertiesOf(schema: unknown): JsonRecord {
  const properties = member(schema, 'properties');
  return isObject(properties) ? properties : {};
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1.5,
  boolean: true,
  object: {},
  array: [],
};

/** An enumeration that contains null may be intended to allow it. */
function isNoEnumeration({ enum: values, const: only }: JsonRecord): boolean {
  return only === undefined && !(Array.isArray(values) && values.includes(null));
}

/** What a type is mistaken for by some parsers, where it is not allowed. */
const LIKE: Readonly<Record<string, unknown>> = { integer: '1', number: '0.5', boolean: 'true' };

/** The gross ones last: few servers accept them, and a run sends only some. */
function* violations(document: unknown, schema: JsonRecord): Generator<{ value: unknown; says: string }> {
  const types = [schema['type']].flat().filter((type): type is string => typeof type === 'string');
  const [only] = types.length === 1 ? types : [];
  yield* beyondBounds(document, schema, only);
  if (only === 'integer') yield { value: 1.5, says: ': 1.5 in place of an integer' };
  const like = LIKE[only ?? ''];
  if (only !== undefined && like !== undefined)
    yield { value: like, says: `: ${JSON.stringify(like)} in place of ${only}` };
  if (types.length > 0) {
    const allowed = types.includes('integer') ? [...types, 'number'] : types;
    const other = Object.keys(SAMPLES).find((type) => !allowed.includes(type));
    if (other !== undefined)
      yield { value: SAMPLES[other], says: `: a ${other} in place of ${types.join(' or ')}` };
    if (only !== undefined && only !== 'null' && schema['nullable'] !== true && isNoEnumeration(schema))
      yield { value: null, says: `: null in place of ${only}` };
    // Both are objects in JavaScript.
    if (only === 'array') yield { value: {}, says: ': an object in place of array' };
    if (only === 'object') yield { value: [], says: ': a list in place of object' };
  }
}

/** Values of the right type that the keywords of a schema exclude. */
function* beyondBounds(
  document: unknown,
  schema: JsonRecord,
  type: string | undefined,
): Generator<{ value: unknown; says: string }> {
  const { enum: values, minimum, maximum, minLength, maxItems, items } = schema;
  if (Array.isArray(values)) {
    const [other] = values.map(inOtherCase).filter((value) => !values.includes(value));
    if (other !== undefined) yield { value: other, says: `: ${other}, in other case` };
    if (!values.includes('tallystick'))
      yield { value: 'tallystick', says: ': a value outside its enumeration' };
  }
  const isNumeric = type === 'integer' || type === 'number';
  if (isNumeric && typeof maximum === 'number' && maximum + 1 > maximum)
    yield { value: maximum + 1, says: `: above ${maximum}` };
  if (isNumeric && typeof minimum === 'number' && minimum - 1 < minimum)
    yield { value: minimum - 1, says: `: below ${minimum}` };
  if (type === 'string' && typeof minLength === 'number' && minLength > 0)
    yield { value: '', says: `: shorter than ${minLength}` };
  if (type === 'array' && typeof maxItems === 'number' && maxItems < 50) {
    const item = items === undefined ? null : smallestValue(document, items);
    yield { value: Array.from({ length: maxItems + 1 }, () => item), says: `: more than ${maxItems} items` };
  }
}

function inOtherCase(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.toUpperCase() === value ? value.toLowerCase() : value.toUpperCase();
}
