import type { WireType } from '../engine/served-api.ts';
import { schemaFrom30 } from './dialect.ts';
import { isBytes } from './carriage.ts';
import type { Document, Schema } from './model.ts';
import { localPointer, valueAt } from './pointer.ts';
import { isRecord } from './record.ts';

/**
 * What the text of a parameter or header can stand for by its schema; text where it does not say. Looks three levels
 * deep: parameters nest no deeper.
 *
 * @param unknown what is read where the schema does not say
 */
export function wireType(schema: unknown, document: Document, depth = 3, unknown: WireType = TEXT): WireType {
  if (!isRecord(schema) || depth === 0) return unknown;
  if (isBytes(schema as Schema)) return BYTES;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const pointer = localPointer(reference);
    const target = pointer === undefined ? undefined : valueAt(document.root, pointer);
    const followed = document.dialect === '3.0' ? schemaFrom30(target) : target;
    return wireType(followed, document, depth - 1, unknown);
  }
  const inner = (value: unknown): WireType => wireType(value, document, depth - 1, unknown);
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map(inner) : [];
  });
  const values: readonly unknown[] =
    'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : [];
  const said = [schema['type'] ?? values.map(kindOf)].flat();
  const kinds = new Set([
    ...said.flatMap((kind) => KINDS.filter((known) => known === (kind === 'integer' ? 'number' : kind))),
    ...branches.flatMap((branch) => branch.kinds),
  ]);
  const items = isRecord(schema['items'])
    ? inner(schema['items'])
    : branches.find((branch) => branch.items)?.items;
  const members = isRecord(schema['properties'])
    ? Object.fromEntries(Object.entries(schema['properties']).map(([name, value]) => [name, inner(value)]))
    : branches.find((branch) => branch.members)?.members;
  return {
    kinds: kinds.size === 0 ? unknown.kinds : [...kinds],
    ...(items === undefined ? {} : { items }),
    ...(members === undefined ? {} : { members }),
  };
}

/** Whether a wire type is text and nothing else, as it is where nothing is said. */
export function isText({ kinds, items, members }: WireType): boolean {
  return kinds.length === 1 && kinds[0] === 'string' && items === undefined && members === undefined;
}

/** Whether every text is valid by a schema. */
export function allowsAnyText(schema: Schema): boolean {
  if (typeof schema === 'boolean') return schema;
  const said = Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword));
  return said.length === 0 || (said.length === 1 && schema['type'] === 'string');
}

/** A member of a form of which a schema says nothing: a file where it comes as one. */
export const UNKNOWN_MEMBER: WireType = { kinds: ['string', 'bytes'] };

// --- internal ---

const KINDS = ['string', 'number', 'boolean', 'null', 'array', 'object', 'bytes'] as const;
const TEXT: WireType = { kinds: ['string'] };
const BYTES: WireType = { kinds: ['bytes'] };

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'externalDocs',
]);
