import type { PlacedObject } from '../document/object-kinds.ts';
import { followed, joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { innerObjects } from '../document/inner-objects.ts';
import type { Repaired } from './repair-list.ts';

/**
 * A `$ref` instead of a whole map, such as `content` or `properties`. OpenAPI allows references only for
 * single objects.
 *
 * @param root the document, which has to contain the target and everything that the target refers to
 */
export function repairMapReferences(
  root: unknown,
  { value, pointer }: PlacedObject,
  repaired: Repaired,
): void {
  for (const name of MAPS) {
    const map = value[name];
    if (!isRecord(map) || typeof map['$ref'] !== 'string' || Object.keys(map).length > 1) continue;
    const target = followed(root, map);
    if (!isRecord(target) || !canReplace(root, target, value)) continue;
    value[name] = target;
    repaired({
      kind: 'a $ref in the place of a map',
      pointer: joinPointer(pointer, name, '$ref'),
      wrong: `${name} is a $ref, and OpenAPI has references only to single objects`,
      read: `the members of ${map['$ref']}`,
    });
  }
}

// --- internal ---

const MAPS = ['content', 'properties', 'responses', 'headers', 'examples', 'encoding', 'callbacks', 'links'];

/** Whether every reference in a value has a target in the document, and the holder is not in the value. */
function canReplace(root: unknown, target: unknown, holder: object): boolean {
  const inner = innerObjects(target);
  return !inner.has(holder) && [...inner].every((each) => !isBroken(root, each));
}

function isBroken(root: unknown, value: unknown): boolean {
  const { $ref } = value as { readonly $ref?: unknown };
  return typeof $ref === 'string' && followed(root, value) === undefined;
}
