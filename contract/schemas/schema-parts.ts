import type { Json, JsonObject, Schema } from '../model.ts';
import { localPointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';

/**
 * A schema with everything that it refers to and is composed of.
 *
 * @param composed `all`: only parts that apply to every value, `any`: alternatives too
 */
export function partsOf(
  schema: Schema | undefined,
  root: Json,
  composed: 'all' | 'any',
): ReadonlySet<JsonObject> {
  const parts = new Set<JsonObject>();
  const add = (part: unknown): void => {
    if (isRecord(part)) parts.add(part as JsonObject);
  };
  add(schema);
  // Iterating a set also visits elements that are added during the loop, and each only once.
  for (const part of parts) {
    const { $ref: reference } = part;
    const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
    if (pointer !== undefined) add(valueAt(root, pointer));
    for (const keyword of composed === 'all' ? ['allOf'] : ['allOf', 'anyOf', 'oneOf']) {
      const others = part[keyword];
      if (Array.isArray(others)) others.forEach(add);
    }
  }
  return parts;
}

/** The properties of a schema by name; several schemas if several parts describe one. */
export function propertiesOf(schema: Schema | undefined, root: Json): readonly (readonly [string, Schema])[] {
  return [...partsOf(schema, root, 'any')].flatMap(({ properties }) =>
    isRecord(properties) ? (Object.entries(properties) as [string, Schema][]) : [],
  );
}

/** The schemas of a property, by its dotted path; a property whose own name has dots comes first. */
export function propertyAt(schema: Schema | undefined, path: string, root: Json): readonly Schema[] {
  const own = propertiesOf(schema, root).flatMap(([name, inner]) => (name === path ? [inner] : []));
  if (own.length > 0) return own;
  let reached: readonly Schema[] = schema === undefined ? [] : [schema];
  for (const name of path.split('.'))
    reached = reached.flatMap((around) =>
      propertiesOf(around, root).flatMap(([member, inner]) => (member === name ? [inner] : [])),
    );
  return reached;
}

/** Whether a schema describes a property, by its dotted path, that a value may leave out. */
export function mayLack(schema: Schema | undefined, path: string, root: Json): boolean {
  if (propertyAt(schema, path, root).length === 0) return false;
  const names = path.split('.');
  return names.some((name, depth) => {
    const owners = depth === 0 ? [schema] : propertyAt(schema, names.slice(0, depth).join('.'), root);
    const required = owners.flatMap((owner) =>
      [...partsOf(owner, root, 'all')].flatMap((part) => part['required'] ?? []),
    );
    return !required.flat().includes(name);
  });
}
