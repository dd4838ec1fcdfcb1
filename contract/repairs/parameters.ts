import { singular } from '../text/singular.ts';
import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';
import { repairStyle } from './styles.ts';
import { COLLECTION_FORMATS, OF_A_SCHEMA } from './swagger.ts';

/** The positions of parameters and of keys. */
export const POSITIONS: ReadonlySet<string> = new Set(['query', 'header', 'path', 'cookie']);

/** The members of a parameter other than its schema. */
export function repairParameter({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const position = value['in'];
  if (typeof position === 'string' && !POSITIONS.has(position) && POSITIONS.has(positionNamed(position))) {
    value['in'] = positionNamed(position);
    const at = joinPointer(pointer, 'in');
    repaired({
      kind: 'the name of a position',
      pointer: at,
      wrong: `in cannot be ${JSON.stringify(position)}`,
      read: String(value['in']),
    });
  }
  if (value['in'] === 'path' && value['required'] !== true && value['required'] !== 'true') {
    value['required'] = true;
    const wrong = `the path parameter ${String(value['name'])} is not required`;
    repaired({ kind: 'a path parameter that is not required', pointer, wrong, read: 'required: true' });
  }
  if (typeof value['style'] === 'string' && Object.hasOwn(COLLECTION_FORMATS, value['style'])) {
    value['collectionFormat'] = value['style'];
    delete value['style'];
  }
  const format = COLLECTION_FORMATS[String(value['collectionFormat'])];
  if (format !== undefined) {
    const at = joinPointer(pointer, 'collectionFormat');
    repaired({
      kind: 'a member of Swagger 2.0',
      pointer: at,
      wrong: 'collectionFormat is not a member of OpenAPI 3',
      read: JSON.stringify(format),
      part: 'name',
    });
    delete value['collectionFormat'];
    for (const [name, read] of Object.entries(format)) value[name] ??= read;
  }
  repairStyle(value, pointer, repaired);
}

/** A header is named by its key. */
export function repairHeader({ value, pointer }: PlacedObject, repaired: Repaired): void {
  if (value['in'] !== undefined && value['in'] !== 'header') return;
  for (const name of ['name', 'in']) {
    if (!Object.hasOwn(value, name)) continue;
    Reflect.deleteProperty(value, name);
    const at = joinPointer(pointer, name);
    repaired({
      kind: 'a name in a header',
      pointer: at,
      wrong: `a header has no member ${name}`,
      read: 'absent: its name is the key',
      part: 'name',
    });
  }
}

/** Parameters and headers have a schema or content. */
export function repairContentOrSchema({ kind, value, pointer }: PlacedObject, repaired: Repaired): void {
  const moved = OF_A_SCHEMA.filter((name) => Object.hasOwn(value, name));
  const { schema } = value;
  if (isRecord(schema) && moved.length > 0 && moved.every((name) => !Object.hasOwn(schema, name))) {
    // OpenAPI 3.0 would ignore them beside a $ref.
    const own = Object.fromEntries(moved.map((name) => [name, value[name]]));
    value['schema'] =
      typeof schema['$ref'] === 'string' ? { allOf: [schema], ...own } : { ...schema, ...own };
    for (const name of moved) {
      Reflect.deleteProperty(value, name);
      repaired({
        kind: 'a member of a schema beside it',
        pointer: joinPointer(pointer, name),
        wrong: `${name} is beside the schema`,
        read: 'a member of the schema',
        part: 'name',
      });
    }
    return;
  }
  if (Object.hasOwn(value, 'schema') || Object.hasOwn(value, 'content')) return;
  value['schema'] = Object.fromEntries(moved.map((name) => [name, value[name]]));
  for (const name of moved) Reflect.deleteProperty(value, name);
  const { name: parameter } = value;
  const what =
    kind === 'header'
      ? 'the header'
      : typeof parameter === 'string'
        ? `the parameter ${parameter}`
        : 'a parameter';
  if (moved.length === 0) {
    repaired({
      kind: `a ${kind} without a schema`,
      pointer,
      wrong: `${what} has neither schema nor content`,
      read: 'any value',
    });
  } else {
    const wrong = `${moved.join(', ')} of ${what} ${moved.length === 1 ? 'is' : 'are'} outside its schema`;
    repaired({ kind: 'a schema in the form of Swagger 2.0', pointer, wrong, read: 'its schema' });
  }
}

// --- internal ---

/** A position in other capitals, or in the plural. */
function positionNamed(text: string): string {
  return singular(text.trim().toLowerCase());
}
