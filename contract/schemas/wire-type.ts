import type { WireType } from '../../engine/served-api.ts';
import { schemaFrom30 } from './dialect.ts';
import { isBytes } from '../judge/body-format.ts';
import type { Document, Schema } from '../model.ts';
import { referredValue } from '../pointer.ts';
import { isRecord } from '../record.ts';

/**
 * The type of a parameter or header by its schema, for parsing its text; text if the schema does not restrict
 * it. References and parts of the schema itself, such as those of `allOf`, do not count as levels.
 *
 * @param depth the number of levels that are examined; most parameters have at most three
 * @param unknown the type to use if the schema does not restrict it
 */
export function wireType(schema: unknown, document: Document, depth = 3, unknown: WireType = TEXT): WireType {
  return typeAt(schema, {
    document,
    unknown,
    depth,
    deepest: depth,
    seen: [],
    budget: { left: MOST_SCHEMAS },
  });
}

/** Whether a wire type is only text, as for a schema without restrictions. */
export function isText({ kinds, items, first, members, rest }: WireType): boolean {
  const isPlain = (items ?? first) === undefined && members === undefined && rest === undefined;
  return isPlain && kinds.length === 1 && kinds[0] === 'string';
}

/** Whether every text is valid by a schema. */
export function allowsAnyText(schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  const said = Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword));
  return said.length === 0 || (said.length === 1 && schema['type'] === 'string');
}

/** A part of a multipart body without a restricting schema: a file if one is sent. */
export const UNKNOWN_PART: WireType = { kinds: ['string', 'bytes'] };

/** The JSON type of a value. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

// --- internal ---

interface Place {
  readonly document: Document;
  readonly unknown: WireType;
  /** The number of remaining levels, and of all levels. */
  readonly depth: number;
  readonly deepest: number;
  /** The references that led here. */
  readonly seen: readonly string[];
  /** How many more schemas are examined: a schema can contain others twice on each of many levels. */
  readonly budget: { left: number };
}

const MOST_SCHEMAS = 100_000;

function typeAt(schema: unknown, place: Place): WireType {
  return settled(saidAt(schema, place), place);
}

/** The type of a schema without types: a list if it has items, an object if it has members. */
function settled(type: WireType, { unknown }: Place): WireType {
  if (type.kinds.length > 0 || type === LOOP) return type;
  const { items, first, members, rest } = type;
  const isObject = members !== undefined || rest !== undefined;
  return {
    ...type,
    kinds: (items ?? first) !== undefined ? ['array'] : isObject ? ['object'] : unknown.kinds,
  };
}

/** The types that a schema and its parts allow; an empty set if none of them restricts the type. */
function saidAt(schema: unknown, place: Place): WireType {
  const { document, unknown, depth, seen, budget } = place;
  budget.left -= 1;
  if (depth === 0 || budget.left < 0) return unknown;
  if (!isRecord(schema)) return NOTHING;
  // Only a part of a multipart body can be bytes.
  if (isBytes(schema as Schema)) return unknown.kinds.includes('bytes') ? BYTES : TEXT;
  // On deeper levels each reference counts. Otherwise a document of many schemas would become a type with all
  // of them.
  const beside = { ...place, depth: depth === place.deepest ? depth : depth - 1 };
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = referredValue(document.root, reference);
    const followed = document.dialect === '3.0' ? schemaFrom30(target) : target;
    if (seen.includes(reference)) return looped(followed);
    return saidAt(followed, { ...beside, seen: [...seen, reference] });
  }
  const inner = (value: unknown): WireType => typeAt(value, { ...place, depth: depth - 1 });
  const { properties, items, prefixItems, additionalProperties, allOf, anyOf, oneOf } = schema;
  const parts = [
    ...(Array.isArray(allOf) ? allOf.map((part) => saidAt(part, place)) : []),
    ...[anyOf, oneOf].flat().flatMap((part) => (part === undefined ? [] : typeAt(part, place))),
  ];
  return parts.reduce(joined, {
    kinds: ownKinds(schema),
    ...(isRecord(items) ? { items: inner(items) } : {}),
    ...(Array.isArray(prefixItems) ? { first: prefixItems.map(inner) } : {}),
    ...(isRecord(properties)
      ? {
          members: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [name, inner(value)]),
          ),
        }
      : {}),
    ...(isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0
      ? { rest: inner(additionalProperties) }
      : {}),
  });
}

/** A schema that leads back to itself: its parts would be repeated without end. */
function looped(schema: unknown): WireType {
  const kinds = isRecord(schema) ? ownKinds(schema) : [];
  return kinds.length === 0 ? LOOP : { kinds };
}

/** The types of the schema itself, without its parts. */
function ownKinds(schema: Readonly<Record<string, unknown>>): WireType['kinds'] {
  const values: readonly unknown[] =
    'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : [];
  const said = [schema['type'] ?? values.map(kindOf)].flat();
  return [
    ...new Set(
      said.flatMap((kind) => KINDS.filter((known) => known === (kind === 'integer' ? 'number' : kind))),
    ),
  ];
}

/** Combines two types: either is accepted, or the members of both. */
function joined(left: WireType, right: WireType): WireType {
  const either = (one: WireType | undefined, other: WireType | undefined): WireType | undefined =>
    one && other ? joined(one, other) : (one ?? other);
  const items = either(left.items, right.items);
  const longer = (left.first?.length ?? 0) > (right.first?.length ?? 0) ? left.first : right.first;
  const first = longer?.map((_, index) => either(left.first?.[index], right.first?.[index]) ?? TEXT);
  const rest = either(left.rest, right.rest);
  const members = new Map(Object.entries(left.members ?? {}));
  for (const [name, member] of Object.entries(right.members ?? {})) {
    const known = members.get(name);
    members.set(name, known === undefined ? member : joined(known, member));
  }
  return {
    kinds: [...new Set([...left.kinds, ...right.kinds])],
    ...(items === undefined ? {} : { items }),
    ...(first === undefined ? {} : { first }),
    ...(left.members === undefined && right.members === undefined
      ? {}
      : { members: Object.fromEntries(members) }),
    ...(rest === undefined ? {} : { rest }),
  };
}

const KINDS = ['string', 'number', 'boolean', 'null', 'array', 'object', 'bytes'] as const;
const TEXT: WireType = { kinds: ['string'] };
const BYTES: WireType = { kinds: ['bytes'] };
const NOTHING: WireType = { kinds: [] };
/** A schema that leads back to itself adds no information. */
const LOOP: WireType = { kinds: [] };

const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'externalDocs',
]);
