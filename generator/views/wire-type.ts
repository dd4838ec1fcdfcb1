import type { Json, Schema } from '../../contract/index.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';

export interface WireType {
  readonly kinds: readonly string[];
  readonly items?: WireType;
  readonly members?: Readonly<Record<string, WireType>>;
}

/** What text can stand for by a schema; text where it does not say. */
export function wireType(schema: Schema, table: SchemaTable, depth: number): WireType {
  if (!isObject(schema) || depth === 0) return { kinds: ['string'] };
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const target = table.follow(reference);
    return target === undefined ? { kinds: ['string'] } : wireType(target.schema, table, depth - 1);
  }
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? (list as Schema[]).map((inner) => wireType(inner, table, depth - 1)) : [];
  });
  const values: readonly Json[] =
    'const' in schema ? [schema['const'] ?? null] : Array.isArray(schema['enum']) ? schema['enum'] : [];
  const said = [schema['type'] ?? values.map(kindOf)].flat().map(String);
  const kinds = new Set(
    [...said, ...branches.flatMap((branch) => branch.kinds)].map((kind) =>
      kind === 'integer' ? 'number' : kind,
    ),
  );
  const items = isObject(schema['items'])
    ? wireType(schema['items'], table, depth - 1)
    : branches.find((branch) => branch.items)?.items;
  const properties = isObject(schema['properties'])
    ? Object.fromEntries(
        Object.entries(schema['properties']).map(([name, inner]) => [
          name,
          wireType(inner as Schema, table, depth - 1),
        ]),
      )
    : branches.find((branch) => branch.members)?.members;
  return {
    kinds: kinds.size === 0 ? ['string'] : [...kinds],
    ...(items === undefined ? {} : { items }),
    ...(properties === undefined ? {} : { members: properties }),
  };
}

/** Any text passes. */
export function saysNothing(schema: Schema): boolean {
  if (!isObject(schema)) return schema;
  const said = Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword));
  return said.length === 0 || (said.length === 1 && schema['type'] === 'string');
}

// --- internal ---

function kindOf(value: Json): string {
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
