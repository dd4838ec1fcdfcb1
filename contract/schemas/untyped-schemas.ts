import { followed, parsePointer } from '../pointer.ts';
import { isRecord } from '../record.ts';

/**
 * Whether a schema describes the members of an object, or the items of an array, without a type. By JSON
 * Schema, such a schema also accepts any value of another type. Generated types are those of the object or
 * array, so code that relies on them would fail for such a value.
 *
 * @param pointer of the schema; alternatives and parts of a schema are judged together with the enclosing
 * schema
 * @param root the document in which references are resolved
 */
export function lacksType(
  schema: Readonly<Record<string, unknown>>,
  pointer: string,
  root: unknown,
): boolean {
  // A schema that is only a reference is judged at its target.
  if (schema['$ref'] !== undefined && Object.keys(schema).length === 1) return false;
  return !isDecided(schema, root) && describes(schema, root) && isPlace(pointer);
}

// --- internal ---

type Schema = Readonly<Record<string, unknown>>;

/** The limit for schemas that are examined for one schema. A longer chain would also be too deep to walk. */
const MOST_SCHEMAS = 500;

const DESCRIBING = [
  ...['properties', 'required', 'additionalProperties', 'patternProperties'],
  ...['items', 'prefixItems'],
];
const DECIDING = ['type', 'const', 'enum'];

/** Whether the pointer is that of a whole value: a component, a member, an item, a body or a parameter. */
function isPlace(pointer: string): boolean {
  const tokens = parsePointer(pointer) ?? [];
  const [before, last] = tokens.slice(-2);
  return (
    ['schema', 'items', 'additionalProperties'].includes(last ?? '') ||
    ['properties', 'schemas', 'prefixItems', 'patternProperties'].includes(before ?? '')
  );
}

function describes(schema: Schema, root: unknown, seen = new Set<Schema>()): boolean {
  if (seen.has(schema) || seen.size >= MOST_SCHEMAS) return false;
  seen.add(schema);
  if (DESCRIBING.some((keyword) => schema[keyword] !== undefined)) return true;
  return partsOf(schema, 'allOf', root).some((part) => describes(part, root, seen));
}

/**
 * Whether the type of the value is restricted. Each schema is examined once. A schema that leads back to
 * itself counts as restricted, because a missing warning is better than a wrong one.
 */
function isDecided(schema: Schema, root: unknown, known = new Map<Schema, boolean>()): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  if (DECIDING.some((keyword) => schema[keyword] !== undefined)) return true;
  if (known.size >= MOST_SCHEMAS) return true;
  known.set(schema, true);
  const decides = (part: Schema): boolean => isDecided(part, root, known);
  const isIt =
    partsOf(schema, 'allOf', root).some(decides) ||
    ['anyOf', 'oneOf'].some((keyword) => {
      const branches = partsOf(schema, keyword, root);
      return branches.length > 0 && branches.every(decides);
    });
  known.set(schema, isIt);
  return isIt;
}

/** The schemas of a list, and with `allOf` the target of the schema's reference. */
function partsOf(schema: Schema, keyword: string, root: unknown): Schema[] {
  const listed = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [];
  const own = keyword === 'allOf' && typeof schema['$ref'] === 'string' ? [{ $ref: schema['$ref'] }] : [];
  return [...own, ...listed].map((part) => followed(root, part)).filter(isRecord);
}
