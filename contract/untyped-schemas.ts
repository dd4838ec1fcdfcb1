import { followed, parsePointer } from './pointer.ts';
import { isRecord } from './record.ts';

/**
 * Whether a schema describes the members of an object, or the items of an array, and takes any other value as well because
 * nothing says the type: JSON Schema asks such keywords of no value of another type. Types of code are those of the object or
 * the array, so that code which relies on them would fail on such a value.
 *
 * @param pointer of the schema; alternatives and parts of a schema are judged with the schema around them
 * @param root what references lead into
 */
export function lacksType(
  schema: Readonly<Record<string, unknown>>,
  pointer: string,
  root: unknown,
): boolean {
  // A reference alone is judged where it leads.
  if (!isPlace(pointer) || (schema['$ref'] !== undefined && Object.keys(schema).length === 1)) return false;
  return describes(schema, root) && !isDecided(schema, root);
}

// --- internal ---

type Schema = Readonly<Record<string, unknown>>;

/** How many schemas are looked at for one; a longer way would also be too deep to walk. */
const MOST_SCHEMAS = 500;

const OBJECT = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ARRAY = ['items', 'prefixItems'];

/** Whether a whole value is described there: a component, a member, an item, a body or a parameter. */
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
  if ([...OBJECT, ...ARRAY].some((keyword) => schema[keyword] !== undefined)) return true;
  return partsOf(schema, 'allOf', root).some((part) => describes(part, root, seen));
}

/**
 * Whether something says which type the value has. Each schema is looked at once: one that leads back to itself counts as decided,
 * since no warning is better than a wrong one.
 */
function isDecided(schema: Schema, root: unknown, known = new Map<Schema, boolean>()): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  if (['type', 'const', 'enum'].some((keyword) => schema[keyword] !== undefined)) return true;
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

/** The schemas of a list, and with `allOf` what the schema refers to. */
function partsOf(schema: Schema, keyword: string, root: unknown): Schema[] {
  const listed = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [];
  const own = keyword === 'allOf' && typeof schema['$ref'] === 'string' ? [{ $ref: schema['$ref'] }] : [];
  return [...own, ...listed].map((part) => followed(root, part)).filter(isRecord);
}
