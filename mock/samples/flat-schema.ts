import { isRecord, localPointer, valueAt } from '../../contract/index.ts';
import type { Json, JsonObject, Schema } from '../../contract/model.ts';

/**
 * A schema as one object: its reference followed, all parts of `allOf` merged, and the first alternative that
 * is not `null`. Several descriptions of one member are merged.
 *
 * @param root the document in which `$ref`s are resolved
 */
export function flattened(schema: Schema | undefined, root: JsonObject, depth = 0): JsonObject {
  if (!isRecord(schema) || depth > DEEPEST) return {};
  const { $ref: reference, allOf, oneOf, anyOf, ...own } = schema as JsonObject;
  const parts: JsonObject[] = [];
  const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
  if (pointer !== undefined) {
    const target = flattened(valueAt(root, pointer) as Schema | undefined, root, depth + 1);
    const name = pointer.split('/').at(-1);
    // The name of the schema suggests a value.
    parts.push(name === undefined || target['title'] !== undefined ? target : { title: name, ...target });
  }
  for (const part of listOf(allOf)) parts.push(flattened(part, root, depth + 1));
  for (const alternatives of [oneOf, anyOf]) {
    const first = listOf(alternatives).find((each) => !isRecord(each) || each['type'] !== 'null');
    if (first !== undefined) parts.push(flattened(first, root, depth + 1));
  }
  parts.push(own);
  return parts.reduce(together, {});
}

// --- internal ---

const DEEPEST = 12;

function listOf(value: Json | undefined): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Schema[]) : [];
}

function together(one: JsonObject, other: JsonObject): JsonObject {
  const both: Record<string, Json> = { ...one, ...other };
  const [before, after] = [one['properties'], other['properties']];
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    both['properties'] = Object.fromEntries(
      [...names].map((name) => {
        const found = [before, after].flatMap((each) =>
          Object.hasOwn(each, name) ? [each[name] as Json] : [],
        );
        return [name, found.length === 1 ? (found[0] ?? {}) : { allOf: found }];
      }),
    );
  }
  const required = [...listOf(one['required']), ...listOf(other['required'])].map(String);
  if (required.length > 0) both['required'] = [...new Set(required)];
  return both;
}
