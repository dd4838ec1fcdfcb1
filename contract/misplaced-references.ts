import { childOf, componentsOf, type ObjectKind, type PlacedObject } from './object-kinds.ts';
import { joinPointer } from './pointer.ts';
import { isRecord } from './record.ts';

/** A `$ref` where OpenAPI has no references, which bundlers follow nevertheless. */
export interface MisplacedReference {
  /** The object or list with the member that is `{ $ref }`. */
  readonly owner: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly reference: string;
  /** Of the member. */
  readonly pointer: string;
  /** Whether the file that it names is a text, such as the Markdown of a description. */
  readonly isText: boolean;
  /** Whether it is in the place of an example, where `$ref` is a name like others unless there is such a file. */
  readonly isData: boolean;
}

/** Members of an object, and of its maps and lists, that are references although OpenAPI has none there. */
export function misplacedReferences({ kind, value, pointer }: PlacedObject): readonly MisplacedReference[] {
  const found: MisplacedReference[] = [];
  const look = (owner: MisplacedReference['owner'], key: string | number, at: string): boolean => {
    const member = (owner as Record<string | number, unknown>)[key];
    if (!isRecord(member) || typeof member['$ref'] !== 'string') return false;
    const isText = TEXTS.has(String(key));
    const isData = EXAMPLES.has(String(key));
    if (isData && (Object.keys(member).length > 1 || !A_FILE.test(member['$ref']))) return false;
    found.push({ owner, key, reference: member['$ref'], pointer: joinPointer(at, key), isText, isData });
    return true;
  };
  for (const [name, member] of Object.entries(value)) {
    const children = childOf(kind, name);
    if (children === undefined) {
      if (name.startsWith('x-') || name === '$ref' || name === 'discriminator') continue;
      if (EXAMPLES.has(name)) look(value, name, pointer);
      else if (!DATA.has(name) && !look(value, name, pointer) && kind === 'document')
        lookBelow(member, name, pointer, look);
      continue;
    }
    const isOne = typeof children === 'string';
    const inner = isOne ? children : 'map' in children ? children.map : children.list;
    if ((!isOne || !isReferable(inner)) && look(value, name, pointer)) continue;
    if (isOne || isReferable(inner) || typeof member !== 'object' || member === null) continue;
    const entries = member as MisplacedReference['owner'];
    for (const key of Array.isArray(entries) ? entries.keys() : Object.keys(entries))
      look(entries, key, joinPointer(pointer, name));
  }
  return found;
}

/** The new text of a reference; in the place of an example it may be data. */
export type Moved = (reference: string, isData?: true) => string;

/**
 * A copy of a value that stands in another file from now on: its references are read from there.
 *
 * @param moved gives a reference its new text
 */
export function movedValue(value: unknown, moved: Moved): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => movedValue(item, moved));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === '$ref' && typeof inner === 'string') return [name, moved(inner)];
      if (DATA.has(name)) return [name, movedExample(name, inner, moved)];
      if (name === 'mapping' && isRecord(inner))
        return [
          name,
          Object.fromEntries(
            Object.entries(inner).map(([tag, target]) => [
              tag,
              typeof target === 'string' && /[/#.]/.test(target) ? moved(target) : target,
            ]),
          ),
        ];
      return [name, movedValue(inner, moved)];
    }),
  );
}

// --- internal ---

/** A literal stays as it is; what names a file names it from the new place. */
function movedExample(name: string, inner: unknown, moved: Moved): unknown {
  if (name === 'examples') return movedExamples(inner, moved);
  const reference = isRecord(inner) && Object.keys(inner).length === 1 ? inner['$ref'] : undefined;
  return EXAMPLES.has(name) && typeof reference === 'string' && A_FILE.test(reference)
    ? { $ref: moved(reference, true) }
    : inner;
}

function movedExamples(inner: unknown, moved: Moved): unknown {
  if (!isRecord(inner)) return inner;
  return Object.fromEntries(
    Object.entries(inner).map(([name, example]) => [name, movedValue(example, moved)]),
  );
}

const TEXTS = new Set(['description', 'summary']);

const EXAMPLES = new Set(['example', 'value']);

const A_FILE = /^[^#]+\.(?:json|ya?ml)(?:#.*)?$/i;

/** Members that hold data, in which `$ref` is a name like others. */
const DATA = new Set(['example', 'examples', 'value', 'default', 'const']);

type Look = (owner: MisplacedReference['owner'], key: string | number, at: string) => boolean;

/** Info, tags and other objects at the root that have no kind. */
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
