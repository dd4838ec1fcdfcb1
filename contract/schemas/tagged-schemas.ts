import { tagBranches, tagHeirs, type NamedComponent } from './discriminator.ts';
import type { Json, JsonObject, Schema } from '../model.ts';
import { valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';

/** Whether a document uses discriminators. */
export function hasDiscriminators(root: JsonObject): boolean {
  return JSON.stringify(root).includes('"discriminator":');
}

/**
 * Schemas in which the values of discriminators select the alternatives, as in generated guards. By JSON Schema alone,
 * a value can match several classes that share their members.
 */
export function taggedSchemas(named: readonly NamedComponent[], root: JsonObject): NamedComponent[] {
  return tagHeirs(named).map(({ name, schema }) => ({ name, schema: tagged(schema, root) }));
}

/** The same for one schema that is not a component. */
export function tagged(schema: Schema, root: JsonObject): Schema {
  return rewritten(schema, (pointer) => valueAt(root, pointer)) as Schema;
}

// --- internal ---

/** Members that are not schemas. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

function rewritten(value: Json, at: (pointer: string) => unknown): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => rewritten(item, at));
  if (!isRecord(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [name, member] of Object.entries(tagBranches(value as JsonObject, at)))
    Object.defineProperty(copy, name, {
      value: DATA.has(name) ? member : rewritten(member, at),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  return copy;
}
