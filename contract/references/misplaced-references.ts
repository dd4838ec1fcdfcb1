import {
  childOf,
  componentsOf,
  isMapName,
  type ObjectKind,
  type PlacedObject,
} from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';

/** A `$ref` in a position for which OpenAPI defines no references. Bundlers follow these too. */
export interface MisplacedReference {
  /** The object or list whose member is `{ $ref }`. */
  readonly owner: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly reference: string;
  /** The name of the member. */
  readonly pointer: string;
  /** Whether the target is plain text, such as the Markdown of a description. */
  readonly isText: boolean;
  /**
   * Whether the position is that of an example, where `$ref` is ordinary data unless it names an existing
   * file.
   */
  readonly isData: boolean;
  /** What OpenAPI has in this position; `undefined` if it does not know the member. */
  readonly position: { readonly kind: ObjectKind; readonly isList: boolean } | undefined;
}

/**
 * The references at positions for which OpenAPI defines none, among the members of an object and of its maps
 * and lists.
 */
export function misplacedReferences({ kind, value, pointer }: PlacedObject): readonly MisplacedReference[] {
  const found: MisplacedReference[] = [];
  const look = (
    owner: MisplacedReference['owner'],
    key: string | number,
    at: string,
    position?: MisplacedReference['position'],
  ): boolean => {
    const member = (owner as Record<string | number, unknown>)[key];
    if (!isRecord(member) || typeof member['$ref'] !== 'string') return false;
    const isText = TEXTS.has(String(key));
    const isData = EXAMPLES.has(String(key));
    if (isData && fileReference(member) === undefined) return false;
    const pointer = joinPointer(at, key);
    found.push({ owner, key, reference: member['$ref'], pointer, isText, isData, position });
    return true;
  };
  for (const [name, member] of Object.entries(value)) {
    const children = childOf(kind, name);
    if (children === undefined) {
      if (MISPLACED_SCHEMAS[kind]?.includes(name) === true) continue;
      if (name.startsWith('x-') || name === '$ref' || name === 'discriminator') continue;
      if (EXAMPLES.has(name)) look(value, name, pointer);
      else if (!DATA.has(name) && !look(value, name, pointer) && kind === 'document')
        lookBelow(member, name, pointer, look);
      continue;
    }
    const isOne = typeof children === 'string';
    const inner = isOne ? children : 'map' in children ? children.map : children.list;
    const isList = !isOne && 'list' in children;
    if ((!isOne || !isReferable(inner)) && look(value, name, pointer, { kind: inner, isList })) continue;
    if (isOne || isReferable(inner) || typeof member !== 'object' || member === null) continue;
    const entries = member as MisplacedReference['owner'];
    for (const key of Array.isArray(entries) ? entries.keys() : Object.keys(entries))
      look(entries, key, joinPointer(pointer, name), { kind: inner, isList: false });
  }
  return found;
}

/** A schema in a place that OpenAPI has for none. */
export interface MisplacedSchema {
  readonly kind: 'schema';
  readonly value: unknown;
  readonly pointer: string;
}

/**
 * The schemas beside the place for them: the `schema` of a response and of a request body, and the members of a
 * schema in a media type, a parameter or a header. Repairs move them later, when their references are resolved.
 */
export function misplacedSchemas({ kind, value, pointer }: PlacedObject): readonly MisplacedSchema[] {
  return (MISPLACED_SCHEMAS[kind] ?? []).flatMap((name) => {
    const member = value[name];
    const at = joinPointer(pointer, name);
    if (SCHEMA_MAPS.has(name) || Array.isArray(member)) {
      const inner = typeof member === 'object' && member !== null ? Object.entries(member) : [];
      return inner.map(([key, schema]) => ({
        kind: 'schema' as const,
        value: schema as unknown,
        pointer: joinPointer(at, key),
      }));
    }
    return isRecord(member) ? [{ kind: 'schema' as const, value: member, pointer: at }] : [];
  });
}

/** Options for copying a value into another file. */
export interface CopyOptions {
  /** Whether the members of the value are names of a map, such as `properties`, and not keywords. */
  readonly isMap: boolean;
  /** Rewrites a reference so that the other file can use it. */
  readonly moved: (reference: string) => string;
  /** Whether a reference at the position of an example names a file; otherwise it is data. */
  readonly isFile: (reference: string) => boolean;
}

/** A copy of a value for another file, with references that lead to the same places from there. */
export function movedValue(value: unknown, move: CopyOptions): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => movedValue(item, { ...move, isMap: false }));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      // A text in a map is a reference in the place of the whole map.
      move.isMap && typeof inner !== 'string'
        ? movedValue(inner, { ...move, isMap: false })
        : movedMember(name, inner, move),
    ]),
  );
}

// --- internal ---

const OF_SCHEMAS = ['items', 'additionalProperties', 'properties', 'allOf', 'anyOf', 'oneOf'];
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties']);

const MISPLACED_SCHEMAS: Partial<Record<ObjectKind, readonly string[]>> = {
  response: ['schema'],
  'request body': ['schema', ...OF_SCHEMAS],
  'media type': OF_SCHEMAS,
  parameter: OF_SCHEMAS,
  header: OF_SCHEMAS,
};

function movedMember(name: string, inner: unknown, move: CopyOptions): unknown {
  if (typeof inner === 'string') return name === '$ref' ? move.moved(inner) : inner;
  if (name === 'discriminator' && isRecord(inner)) return movedDiscriminator(inner, move);
  if (EXAMPLES.has(name)) {
    const reference = fileReference(inner);
    return reference !== undefined && move.isFile(reference) ? { $ref: move.moved(reference) } : inner;
  }
  // In a schema, examples are a list of values.
  const isData = DATA.has(name) && (name !== 'examples' || !isRecord(inner));
  return isData ? inner : movedValue(inner, { ...move, isMap: isMapName(name) });
}

/** The values of a mapping are references, or names of schemas. */
function movedDiscriminator(discriminator: Record<string, unknown>, { moved }: CopyOptions): unknown {
  const { mapping } = discriminator;
  if (!isRecord(mapping)) return discriminator;
  const targets = Object.entries(mapping).map(([tag, target]) => [
    tag,
    typeof target === 'string' && /[/#.]/.test(target) ? moved(target) : target,
  ]);
  return { ...discriminator, mapping: Object.fromEntries(targets) as unknown };
}

/** The file that an object refers to, if the reference is its only member. */
function fileReference(member: unknown): string | undefined {
  const reference = isRecord(member) && Object.keys(member).length === 1 ? member['$ref'] : undefined;
  return typeof reference === 'string' && A_FILE.test(reference) ? reference : undefined;
}

const TEXTS = new Set(['description', 'summary']);

const EXAMPLES = new Set(['example', 'value']);

const A_FILE = /^[^#]+\.(?:json|ya?ml)(?:#.*)?$/i;

/** Members that contain data, in which `$ref` is an ordinary name. */
const DATA = new Set(['example', 'examples', 'value', 'default', 'const']);

type Look = (owner: MisplacedReference['owner'], key: string | number, at: string) => boolean;

/** Objects at the root, such as info and tags, for which `object-kinds.ts` has no kind. */
function lookBelow(member: unknown, name: string, at: string, look: Look): void {
  if (typeof member !== 'object' || member === null) return;
  const pointer = joinPointer(at, name);
  const owner = member as MisplacedReference['owner'];
  for (const key of Array.isArray(owner) ? owner.keys() : Object.keys(owner)) {
    if (String(key).startsWith('x-') || look(owner, key, pointer)) continue;
    lookBelow((owner as Record<string | number, unknown>)[key], String(key), pointer, look);
  }
}

function isReferable(kind: ObjectKind): boolean {
  return componentsOf[kind] !== undefined;
}
