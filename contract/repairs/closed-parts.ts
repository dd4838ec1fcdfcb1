import type { PlacedObject } from '../document/object-kinds.ts';
import { followed, joinPointer, localPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/**
 * `additionalProperties: false` sees the properties of its own schema alone. In a part of `allOf` it forbids the members of
 * the other parts, so that no value with the required ones is valid. Frameworks write it on every class, also on base classes
 * and on those that extend them.
 *
 * @param extending the schemas with `allOf`
 */
export function repairClosedParts(
  root: Record<string, unknown>,
  extending: readonly PlacedObject[],
  repaired: Repaired,
): void {
  for (const { value, pointer } of extending) {
    const parts = partsOf(root, value, pointer, new Set());
    if (parts.length > 1) openParts(parts, repaired);
  }
}

// --- internal ---

interface Part {
  readonly schema: Record<string, unknown>;
  readonly pointer: string;
}

/** A schema and everything that it extends. */
function partsOf(root: unknown, given: unknown, pointer: string, seen: Set<unknown>): readonly Part[] {
  const reference = isRecord(given) ? given['$ref'] : undefined;
  const schema = followed(root, given);
  if (!isRecord(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const at = (typeof reference === 'string' ? localPointer(reference) : undefined) ?? pointer;
  const { allOf } = schema;
  const extended = (Array.isArray(allOf) ? allOf : []).flatMap((part: unknown, index) =>
    partsOf(root, part, joinPointer(at, 'allOf', index), seen),
  );
  return [{ schema, pointer: at }, ...extended];
}

function openParts(parts: readonly Part[], repaired: Repaired): void {
  const required = new Set(parts.flatMap(({ schema }) => listOf(schema['required'])));
  // A value of an extending class has the members of that class.
  const isBase = parts.some(({ schema }) => isRecord(schema['discriminator']));
  for (const { schema, pointer } of parts) {
    const { additionalProperties, patternProperties } = schema;
    if (additionalProperties !== false || patternProperties !== undefined) continue;
    const own = new Set(membersOf(schema));
    const others = parts.flatMap((part) => membersOf(part.schema)).filter((member) => !own.has(member));
    const forbidden = others.find((member) => isBase || required.has(String(member)));
    if (forbidden === undefined) continue;
    Reflect.deleteProperty(schema, 'additionalProperties');
    repaired({
      kind: 'a closed part of allOf',
      pointer: joinPointer(pointer, 'additionalProperties'),
      wrong: `additionalProperties: false forbids ${String(forbidden)}, which another part of the same allOf describes`,
      read: 'absent',
      part: 'name',
    });
  }
}

function membersOf({ properties }: Record<string, unknown>): unknown[] {
  return isRecord(properties) ? Object.keys(properties) : [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
