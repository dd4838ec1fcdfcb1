import { isRecord } from '../../contract/index.ts';

/** The target of a reference; `undefined` if there is none. */
type Resolve = (reference: string) => unknown;

/**
 * A small schema without references whose values are all valid by the original schema: optional members that
 * are recursive or too deep are left out, lists of such values are empty, and the first finite alternative is
 * used. `undefined` if no value is finite.
 */
export function boundedSchema(schema: unknown, resolve: Resolve): Schema | undefined {
  return bounded(schema, { resolve, path: [], depth: 0, left: { steps: MOST_STEPS } });
}

// --- internal ---

type Schema = Readonly<Record<string, unknown>>;

interface Place {
  readonly resolve: Resolve;
  /** The references so far; a repeated one is a cycle. */
  readonly path: readonly string[];
  readonly depth: number;
  /** Shared by all places: when it is used up, only required members are added. */
  readonly left: { steps: number };
}

/** The limits for the depth of optional members, and for the number of schemas that are examined for them. */
const DEEPEST = 6;
const MOST_STEPS = 2_000;
/** The limit for the depth of required members. */
const DEEPEST_OF_ALL = 60;

function bounded(schema: unknown, place: Place): Schema | undefined {
  place.left.steps -= 1;
  if (!isRecord(schema)) return schema === false ? undefined : {};
  if (place.depth > DEEPEST_OF_ALL) return undefined;
  const flat = flattened(schema, place);
  if (flat === undefined) return undefined;
  const { merged, path } = flat;
  const here = { ...place, path };
  if (KNOWN.some((known) => merged[known] !== undefined)) return withoutChoices(merged);
  // An example is not used where values are made up, so it is an end only if there is no other.
  const made = boundedValue(merged, here);
  return made === undefined && STATED.some((known) => merged[known] !== undefined)
    ? withoutChoices(merged)
    : made;
}

/** Members that json-schema-faker always uses, and those that it uses if it may. */
const KNOWN = ['const', 'enum'];
const STATED = ['example', 'examples', 'default'];

function boundedValue(merged: Schema, here: Place): Schema | undefined {
  const choices = [merged['oneOf'], merged['anyOf']].find(Array.isArray) as readonly unknown[] | undefined;
  if (choices !== undefined && choices.length > 0)
    return firstThatEnds(withoutChoices(merged), choices, here);
  if (isRecord(merged['properties'])) return boundedObject(merged, merged['properties'], here);
  if (merged['items'] !== undefined) return boundedArray(merged, here);
  const isOpen = [merged['type']].flat().includes('array') && merged['prefixItems'] === undefined;
  if (isOpen) return { ...merged, items: { type: 'string' } };
  return withMap(merged, merged, here);
}

function withoutChoices({ oneOf: _one, anyOf: _any, not: _not, ...rest }: Schema): Schema {
  return rest;
}

function firstThatEnds(rest: Schema, choices: readonly unknown[], place: Place): Schema | undefined {
  for (const choice of choices) {
    const made = bounded({ allOf: [rest, choice] }, place);
    if (made !== undefined) return made;
  }
  return undefined;
}

function boundedObject(schema: Schema, properties: Schema, place: Place): Schema | undefined {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(properties)) {
    const isNeeded = required.has(name);
    if (isRecord(member) && member['writeOnly'] === true) continue;
    if (!isNeeded && (place.depth >= DEEPEST || place.left.steps <= 0)) continue;
    const made = bounded(member, { ...place, depth: place.depth + 1 });
    if (made !== undefined) kept[name] = made;
    else if (isNeeded) return undefined;
  }
  return withMap({ ...withoutChoices(schema), properties: kept }, schema, place);
}

/** A schema of an object whose further members are finite, too. */
function withMap(schema: Schema, { minProperties = 0 }: Schema, place: Place): Schema | undefined {
  const { additionalProperties: open, ...rest } = schema;
  if (!isRecord(open)) return rest;
  const isNeeded = Number(minProperties) > 0;
  if (!isNeeded && (place.depth >= DEEPEST || place.left.steps <= 0))
    return { ...rest, additionalProperties: false };
  const made = bounded(open, { ...place, depth: place.depth + 1 });
  if (made === undefined && isNeeded) return undefined;
  return { ...rest, additionalProperties: made ?? false };
}

function boundedArray(schema: Schema, place: Place): Schema | undefined {
  const { items, ...rest } = withoutChoices(schema);
  const isNeeded = Number(schema['minItems'] ?? 0) > 0;
  const made =
    isNeeded || (place.depth < DEEPEST && place.left.steps > 0)
      ? bounded(items, { ...place, depth: place.depth + 1 })
      : undefined;
  if (made !== undefined) return { ...rest, items: made };
  return isNeeded ? undefined : { ...rest, ...EMPTY };
}

/** Of a list without items json-schema-faker asks for both. */
const EMPTY = { minItems: 0, maxItems: 0 };

/** A schema with the targets of its references and its `allOf`; `undefined` for a cycle. */
function flattened(
  schema: Schema,
  { resolve, path }: Pick<Place, 'resolve' | 'path'>,
): { readonly merged: Schema; readonly path: readonly string[] } | undefined {
  const { $ref, allOf, ...own } = schema;
  let merged: Schema = own;
  let along = path;
  const parts = [
    ...(typeof $ref === 'string' ? [$ref] : []),
    ...(Array.isArray(allOf) ? (allOf as unknown[]) : []),
  ];
  for (const part of parts) {
    let member = part;
    if (typeof part === 'string') {
      if (along.includes(part)) return undefined;
      along = [...along, part];
      member = resolve(part);
    }
    if (!isRecord(member)) continue;
    const flat = flattened(member, { resolve, path: along });
    if (flat === undefined) return undefined;
    merged = both(merged, flat.merged);
    along = flat.path;
  }
  return { merged, path: along };
}

/** A schema whose values are of both. */
function both(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...other, ...one };
  const lists = (name: string): [unknown[], unknown[]] | undefined => {
    const [a, b] = [one[name], other[name]];
    return Array.isArray(a) && Array.isArray(b) ? [a, b] : undefined;
  };
  const required = lists('required');
  if (required !== undefined) merged['required'] = [...new Set(required.flat())];
  const values = lists('enum');
  if (values !== undefined) merged['enum'] = values[0].filter((value) => values[1].includes(value));
  const [a, b] = [one['properties'], other['properties']];
  if (isRecord(a) && isRecord(b)) {
    const properties: Record<string, unknown> = { ...b, ...a };
    for (const name of Object.keys(a))
      if (Object.hasOwn(b, name)) properties[name] = { allOf: [a[name], b[name]] };
    merged['properties'] = properties;
  }
  return merged;
}
