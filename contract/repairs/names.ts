import {
  componentsOf,
  isReference,
  type ObjectKind,
  securedObjects,
  walkObjects,
} from '../document/object-kinds.ts';
import { joinPointer, localPointer, parsePointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/**
 * Renames components whose names contain characters that OpenAPI does not allow, such as `Page«Order»`. Letters and
 * digits of any script stay, because identifiers can have them.
 */
export function repairNames(root: Record<string, unknown>, repaired: Repaired): void {
  const renamed = new Map<string, string>();
  const { components } = root;
  if (!isRecord(components)) return;
  for (const section of Object.values(componentsOf)) {
    const named = components[section];
    if (!isRecord(named)) continue;
    const names = Object.keys(named);
    if (names.every((name) => isAsciiName(name) || name.startsWith('x-'))) continue;
    const taken = new Set(names.filter((name) => readName(name) === name));
    const entries = names.map((name) => [name, freeName(name, taken)] as const);
    const values = entries.map(([name, read]) => [read, named[name]] as const);
    for (const name of names) Reflect.deleteProperty(named, name);
    for (const [read, value] of values) named[read] = value;
    for (const [name, read] of entries) {
      if (isAsciiName(name) || name.startsWith('x-')) continue;
      const pointer = joinPointer('/components', section, name);
      const renamedTo = joinPointer('/components', section, read);
      renamed.set(pointer, renamedTo);
      repaired({
        kind: 'the name of a component',
        pointer,
        wrong: `${JSON.stringify(name)} has characters that a name cannot have`,
        read: read === name ? 'a name with letters of another script' : read,
        part: 'name',
        ...(read === name ? {} : { renamedTo }),
      });
    }
  }
  if (renamed.size > 0) follow(root, renamed);
}

/** Whether OpenAPI allows the name of a component. */
export function isAsciiName(name: string): boolean {
  return /^[a-zA-Z0-9._-]+$/.test(name);
}

// --- internal ---

/** A name with the characters of identifiers alone, in the form that compilers compare. */
function readName(name: string): string {
  if (isAsciiName(name) || name.startsWith('x-')) return name;
  const words = name
    .normalize('NFC')
    .split(/[^\p{ID_Continue}._-]+/u)
    .filter((word) => word !== '');
  return words.length === 0 ? 'Component' : words.join('_');
}

function freeName(name: string, taken: Set<string>): string {
  const wanted = readName(name);
  if (wanted === name) return name;
  let free = wanted;
  for (let count = 2; taken.has(free); count += 1) free = `${wanted}_${String(count)}`;
  taken.add(free);
  return free;
}

/** Updates all references to the old name. */
function follow(root: Record<string, unknown>, renamed: ReadonlyMap<string, string>): void {
  const read = (reference: string): string => {
    const pointer = localPointer(reference);
    const tokens = (pointer === undefined ? undefined : parsePointer(pointer)) ?? [];
    const component = joinPointer('', ...tokens.slice(0, 3));
    const name = renamed.get(component);
    if (name === undefined) return reference;
    // Letters of other scripts are not escaped, so that a reference has one form.
    return `#${encodeURI(joinPointer(name, ...tokens.slice(3))).replaceAll(/(?:%[89A-F][0-9A-F])+/g, decodeURIComponent)}`;
  };
  const seen = new Map<object, Set<ObjectKind>>();
  for (const object of walkObjects({ kind: 'document', value: root, pointer: '' })) {
    const kinds = seen.get(object.value) ?? new Set();
    seen.set(object.value, kinds.add(object.kind));
    if (isReference(object)) object.value['$ref'] = read(String(object.value['$ref']));
    const mapping = isRecord(object.value['discriminator'])
      ? object.value['discriminator']['mapping']
      : undefined;
    if (object.kind !== 'schema' || !isRecord(mapping)) continue;
    for (const [tag, reference] of Object.entries(mapping))
      if (typeof reference === 'string') mapping[tag] = read(reference);
  }
  repairRequirements(root, renamed);
}

/** Security requirements name their schemes without a `$ref`. */
function repairRequirements(root: Record<string, unknown>, renamed: ReadonlyMap<string, string>): void {
  const read = (owner: Record<string, unknown>): void => {
    if (!Array.isArray(owner['security'])) return;
    owner['security'] = owner['security'].map((requirement: unknown) =>
      isRecord(requirement)
        ? Object.fromEntries(
            Object.entries(requirement).map(([name, scopes]) => {
              const pointer = renamed.get(joinPointer('/components/securitySchemes', name));
              return [parsePointer(pointer ?? '')?.at(-1) ?? name, scopes];
            }),
          )
        : requirement,
    );
  };
  for (const { value } of securedObjects(root)) read(value);
}
