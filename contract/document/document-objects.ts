import { schemaFrom30 } from '../schemas/dialect.ts';
import type { Document, Json, JsonObject, Schema } from '../model.ts';
import { valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';

/** An object of a document, and its place after references are followed. */
export interface Found {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** References were checked when the document was loaded: none of them is dangling or circular. */
export function follow({ root }: Document, raw: unknown, at: string): Found {
  let value = record(raw);
  let pointer = at;
  for (let reference = value['$ref']; typeof reference === 'string'; reference = value['$ref']) {
    pointer = decodeURIComponent(reference.replace(/^#/, ''));
    value = record(valueAt(root, pointer));
  }
  return { value, pointer };
}

/** A schema in the dialect of OpenAPI 3.1. */
export function schemaOf({ dialect }: Document, schema: unknown): Schema {
  if (dialect === '3.0') return schemaFrom30(schema);
  return typeof schema === 'boolean' || isRecord(schema) ? (schema as Schema) : {};
}

/** An object; an empty one for any other value. */
export function record(value: unknown): JsonObject {
  return isRecord(value) ? (value as JsonObject) : {};
}

/** The members of an object; none for any other value. */
export function entries(value: unknown): [string, Json][] {
  return Object.entries(record(value));
}

/** The items of a list; none for any other value. */
export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
