import { componentsOf, type ObjectKind } from '../document/object-kinds.ts';
import type { Origins, ReferenceTarget } from './origins.ts';
import { joinPointer, localPointer, parsePointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Source } from './sources.ts';

/**
 * The components of a bundle: objects from other places, each with a name. They are added at the end, because
 * their references are relative to their own files, not to the root, which is walked first.
 */
export class NewComponents {
  readonly #root: Source;
  readonly #origins: Origins;
  /** The names given to targets, by kind and place. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Map<object, Set<string>>();
  readonly #added: {
    readonly section: Record<string, unknown>;
    readonly name: string;
    readonly value: unknown;
  }[] = [];

  constructor(root: Source, origins: Origins) {
    this.#root = root;
    this.#origins = origins;
  }

  /** Whether a target has a name already. */
  has(place: string): boolean {
    return this.#names.has(place);
  }

  /** Records the name that a target has in the document. */
  name(place: string, name: string): void {
    this.#names.set(place, name);
  }

  /** Adds the components to their sections. */
  add(): void {
    for (const { section, name, value } of this.#added) section[name] = value;
  }

  /**
   * The reference to a target in the bundle: to its own place if that has a name, else to a new component.
   */
  refer(text: string, kind: ObjectKind, target: ReferenceTarget): string {
    const section = componentsOf[kind] ?? 'schemas';
    const tokens = parsePointer(target.pointer) ?? [];
    const isNamed = tokens.length === 3 && tokens[0] === 'components' && tokens[1] === section;
    if (target.source === this.#root && (isNamed || kind !== 'schema')) {
      return localPointer(text) === target.pointer ? text : `#${encodeURI(target.pointer)}`;
    }
    const place = keyOfTarget(kind, target);
    const words = wordsFor(target, isNamed, target.source === this.#root);
    const name = this.#names.get(place) ?? this.#newComponent(section, words, target);
    this.#names.set(place, name);
    return `#${joinPointer('/components', section, name)}`;
  }

  #newComponent(section: string, wanted: Words, target: ReferenceTarget): string {
    const components = ownRecord(this.#root.value, 'components');
    const named = ownRecord(components, section);
    const taken = this.#taken.get(named) ?? new Set(Object.keys(named).map(alike));
    this.#taken.set(named, taken);
    let name = wanted.find((each) => !taken.has(alike(each))) ?? wanted[0];
    for (let count = 2; taken.has(alike(name)); count += 1) name = `${wanted[0]}_${count}`;
    taken.add(alike(name));
    this.#added.push({ section: named, name, value: target.value });
    this.#origins.remember(this.#root, joinPointer('/components', section, name), target);
    return name;
  }
}

/** The key of a target, by its kind and place. */
export function keyOfTarget(kind: ObjectKind, { source, pointer }: ReferenceTarget): string {
  return `${kind} ${source.address}#${pointer}`;
}

// --- internal ---

/** Words of a pointer that are not names. */
const STRUCTURE = new Set([
  'components',
  'schemas',
  'properties',
  'content',
  'schema',
  'items',
  '$defs',
  'definitions',
  'paths',
]);

/** Possible names for a component, the best one first. */
type Words = readonly [string, ...(readonly string[])];

/**
 * Possible names for a component: its previous name, the words of its pointer, or the name of its file. If
 * that is taken: with the name of the file, then the whole pointer.
 */
function wordsFor({ source, pointer }: ReferenceTarget, isNamed: boolean, isRoot: boolean): Words {
  const tokens = parsePointer(pointer) ?? [];
  const words = isNamed
    ? tokens.slice(-1)
    : tokens.filter((token) => !STRUCTURE.has(token) && !token.startsWith('x-')).slice(-2);
  const fileName = source.file.replace(/^.*[/\\]/, '').replace(/\.(?:ya?ml|json)$/i, '');
  const whole = tokens.slice(tokens[0] === 'components' ? 2 : 0);
  return [
    componentName(words.length > 0 ? words : [fileName]),
    ...(isRoot ? [] : [componentName([fileName, ...words])]),
    componentName(isRoot ? whole : [fileName, ...whole]),
  ];
}

function componentName(words: readonly string[]): string {
  const name = words
    .join('_')
    .normalize('NFC')
    .replace(/[^\p{ID_Continue}._-]+/gu, '_')
    .slice(0, 200);
  return /^[._-]*$/.test(name) || name === '__proto__' ? 'Component' : name;
}

/** A key that is equal for names that become the same identifier: `order_status` and `OrderStatus`. */
function alike(name: string): string {
  return name.replace(/[._-]/g, '').toLowerCase();
}

function ownRecord(parent: Record<string, unknown>, member: string): Record<string, unknown> {
  const known = Object.hasOwn(parent, member) ? parent[member] : undefined;
  if (isRecord(known)) return known;
  const created = {};
  parent[member] = created;
  return created;
}
