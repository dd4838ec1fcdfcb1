import type { Json, JsonObject, Schema } from '../model.ts';
import { referredValue } from '../pointer.ts';
import { isRecord } from '../record.ts';

export type Side = 'request' | 'response';

/**
 * A schema as it applies to requests or to answers: a member that is `readOnly` is not required in a request,
 * and one that is `writeOnly` not in an answer (OpenAPI 3.0.3, "Schema Object").
 *
 * @param root the document in which `$ref`s are resolved
 */
export function ofSide(schema: Schema, side: Side, root: JsonObject): Schema {
  return withoutOther(schema, side === 'request' ? 'readOnly' : 'writeOnly', root) as Schema;
}

// --- internal ---

/** Members that are not schemas stay unchanged: a `required` in an example is not a keyword. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

function withoutOther(value: Json, otherSide: string, root: JsonObject): Json {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => withoutOther(item, otherSide, root));
  if (!isRecord(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value as JsonObject))
    Object.defineProperty(copy, name, {
      value: DATA.has(name) ? member : withoutOther(member, otherSide, root),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  // The validator does not record what a lone `if` evaluates. It does so only if a branch beside it has
  // assertions.
  if (Object.hasOwn(value, 'if')) for (const branch of ['then', 'else']) copy[branch] ??= { not: false };
  const { properties, required } = value;
  if (isRecord(properties) && Array.isArray(required))
    copy['required'] = (required as readonly Json[]).filter(
      (name) =>
        !isOther(
          Object.hasOwn(properties, String(name)) ? properties[String(name)] : undefined,
          otherSide,
          root,
        ),
    );
  return copy;
}

function isOther(schema: unknown, otherSide: string, root: JsonObject): boolean {
  for (let part = schema, hops = 0; isRecord(part) && hops < 100; hops += 1) {
    if (part[otherSide] === true) return true;
    part = referredValue(root, part['$ref']);
  }
  return false;
}
