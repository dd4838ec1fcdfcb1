import { componentsOf, isReference, type ObjectKind, securedObjects, walkObjects } from '../object-kinds.ts';
import { joinPointer, localPointer, parsePointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/** Renames components whose names contain characters that OpenAPI does not allow, such as `Page«Order»`. */
export function repairNames(root: Record<string, unknown>, repaired: Repaired): void {
  const renamed = new Map<string, string>();
  const { components } = root;
  if (!isRecord(components)) return;
  for (const section of Object.values(componentsOf)) {
    const named = components[section];
    if (!isRecord(named)) continue;
    const names = Object.keys(named);
    if (names.every((name) => ALLOWED.test(name) || name.startsWith('x-'))) continue;
    const entries = names.map(
      (name) => [name, ALLOWED.test(name) || name.startsWith('x-') ? name : freeName(name, named)] as const,
    );
    if (new Set(entries.map(([, read]) => read)).size < entries.length) continue;
    const values = entries.map(([name, read]) => [read, named[name]] as const);
    for (const name of names) Reflect.deleteProperty(named, name);
    for (const [read, value] of values) named[read] = value;
    for (const [name, read] of entries) {
      if (name === read) continue;
      const pointer = joinPointer('/components', section, name);
      const renamedTo = joinPointer('/components', section, read);
      renamed.set(pointer, renamedTo);
      repaired({
        kind: 'the name of a component',
        pointer,
        wrong: `${JSON.stringify(name)} has characters that a name cannot have`,
        read,
        part: 'name',
        renamedTo,
      });
    }
  }
  if (renamed.size > 0) follow(root, renamed);
}

// --- internal ---

const ALLOWED = /^[a-zA-Z0-9._-]+$/;

function freeName(name: string, named: Readonly<Record<string, unknown>>): string {
  const words = name.split(/[^a-zA-Z0-9._-]+/).filter((word) => word !== '');
  const wanted = words.length === 0 ? 'Component' : words.join('_');
  let free = wanted;
  for (let count = 2; Object.hasOwn(named, free); count += 1) free = `${wanted}_${String(count)}`;
  return free;
}

/** Updates all references to the old name. */
function follow(root: Record<string, unknown>, renamed: ReadonlyMap<string, string>): void {
  const read = (reference: string): string => {
    const pointer = localPointer(reference);
    const tokens = (pointer === undefined ? undefined : parsePointer(pointer)) ?? [];
    const component = joinPointer('', ...tokens.slice(0, 3));
    const name = renamed.get(component);
    return name === undefined ? reference : `#${encodeURI(joinPointer(name, ...tokens.slice(3)))}`;
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
