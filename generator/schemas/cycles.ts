import type { Json, Schema } from '../../contract/index.ts';
import { isObject } from './read-schema.ts';
import type { TableEntry } from './table-entry.ts';

/**
 * Breaks cycles of schemas that are defined only by themselves, such as `A: { $ref: A }` or `A: allOf: [B]`,
 * `B: anyOf: [A]`: neither a type nor a validator can express them. A cycle through a property or an item is
 * allowed.
 */
export function breakCycles(entries: readonly TableEntry[]): TableEntry[] {
  const schemas = new Map(entries.map(({ name, schema }) => [name, schema]));
  const state = new Map<string, 'open' | 'done'>();

  const settle = (name: string): void => {
    const schema = schemas.get(name);
    if (schema === undefined || state.has(name)) return;
    state.set(name, 'open');
    schemas.set(
      name,
      replaceDirect(schema, (target) => {
        settle(target);
        return state.get(target) === 'open';
      }),
    );
    state.set(name, 'done');
  };
  for (const { name } of entries) settle(name);
  return entries.map(({ name }) => ({ name, schema: schemas.get(name) ?? true }));
}

// --- internal ---

const DIRECT = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/**
 * Replaces references by `true` if they are reached without entering a value and `closes` returns true for
 * them.
 */
function replaceDirect(schema: Schema, closes: (name: string) => boolean): Schema {
  if (!isObject(schema)) return schema;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    return closes(reference.slice('#/components/schemas/'.length)) ? true : schema;
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      DIRECT.has(keyword)
        ? inDirect(value, closes)
        : keyword === DIRECT_MAP && isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inDirect(inner, closes)]))
          : value,
    ]),
  );
}

/** Subschemas in a map that apply to the whole value. */
const DIRECT_MAP = 'dependentSchemas';

function inDirect(value: Json, closes: (name: string) => boolean): Json {
  return Array.isArray(value)
    ? value.map((schema: Json) => replaceDirect(schema as Schema, closes))
    : replaceDirect(value as Schema, closes);
}
