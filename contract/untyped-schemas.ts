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
  return describes(schema, root, 0) && !isDecided(schema, root, 0);
}

// --- internal ---

const OBJECT = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ARRAY = ['items', 'prefixItems'];
const DEEPEST = 20;

/** Whether a whole value is described there: a component, a member, an item, a body or a parameter. */
function isPlace(pointer: string): boolean {
  const tokens = parsePointer(pointer) ?? [];
  const [before, last] = tokens.slice(-2);
  return (
    ['schema', 'items', 'additionalProperties'].includes(last ?? '') ||
    ['properties', 'schemas', 'prefixItems', 'patternProperties'].includes(before ?? '')
  );
}

function describes(schema: Readonly<Record<string, unknown>>, root: unknown, depth: number): boolean {
  if ([...OBJECT, ...ARRAY].some((keyword) => schema[keyword] !== undefined)) return true;
  return depth < DEEPEST && partsOf(schema, 'allOf', root).some((part) => describes(part, root, depth + 1));
}

/** Whether something says which type the value has. */
function isDecided(schema: Readonly<Record<string, unknown>>, root: unknown, depth: number): boolean {
  if (['type', 'const', 'enum'].some((keyword) => schema[keyword] !== undefined)) return true;
  // What leads further is not followed: better no warning than a wrong one.
  if (depth >= DEEPEST) return true;
  const decides = (part: Readonly<Record<string, unknown>>): boolean => isDecided(part, root, depth + 1);
  if (partsOf(schema, 'allOf', root).some(decides)) return true;
  return ['anyOf', 'oneOf'].some((keyword) => {
    const branches = partsOf(schema, keyword, root);
    return branches.length > 0 && branches.every(decides);
  });
}

/** The schemas of a list, and with `allOf` what the schema refers to. */
function partsOf(
  schema: Readonly<Record<string, unknown>>,
  keyword: string,
  root: unknown,
): Readonly<Record<string, unknown>>[] {
  const listed = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [];
  const own = keyword === 'allOf' && typeof schema['$ref'] === 'string' ? [{ $ref: schema['$ref'] }] : [];
  return [...own, ...listed].map((part) => followed(root, part)).filter(isRecord);
}
