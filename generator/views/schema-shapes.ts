import type { Json, Schema } from '../../contract/index.ts';
import { isObject } from '../schemas/read-schema.ts';
import type { SchemaTable } from '../schemas/schema-table.ts';
import { typeShape } from '../schemas/type-shape.ts';
import type { ApiView } from './api.ts';

/** Returns the shape of a schema of the table. Members with open values by the contract get open types. */
export function shaper(api: ApiView): (schema: Schema) => Json {
  const open = openSchemas(api);
  return (schema) => typeShape(schema, api.table, (inner) => open.get(inner));
}

/** The schema of a member of a member of an object. */
export function memberAt(schema: Schema, path: readonly string[], table: SchemaTable): Schema | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  if (!isObject(schema)) return undefined;
  if (typeof schema['$ref'] === 'string') {
    const target = table.follow(schema['$ref']);
    return target && memberAt(target.schema, path, table);
  }
  const { properties, allOf } = schema;
  if (isObject(properties) && Object.hasOwn(properties, first))
    return memberAt(properties[first] as Schema, rest, table);
  return (Array.isArray(allOf) ? (allOf as Schema[]) : [])
    .map((member) => memberAt(member, path, table))
    .find((found) => found !== undefined);
}

// --- internal ---

/** The schema objects with open sets of values by the contract, with their known values. */
function openSchemas(api: ApiView): Map<Schema, readonly string[]> {
  const { contract, table, errorBuckets } = api;
  const open = new Map<Schema, readonly string[]>();
  for (const policy of contract.sheet?.policies ?? []) {
    if (policy.kind !== 'open-values') continue;
    const named = contract.schemas.find(({ name }) => name === policy.schema);
    const entry = table.entries.find(({ name }) => name === table.nameAt(named?.pointer ?? ''));
    const schema = entry && memberAt(entry.schema, policy.property.split('.'), table);
    if (schema !== undefined) open.set(schema, policy.known);
  }
  if (errorBuckets !== undefined) {
    for (const { schema } of table.entries) {
      const bucket = memberAt(schema, [errorBuckets.bodyMember], table);
      if (isObject(bucket) && bucket['type'] === 'string')
        open.set(
          bucket,
          errorBuckets.buckets.map(({ name }) => name),
        );
    }
  }
  return open;
}
