import { isRecord, localPointer, valueAt } from '../../contract/index.ts';
import { mappedTags } from '../../contract/schemas/discriminator.ts';
import type { JsonObject, Schema } from '../../contract/model.ts';
import { propertiesOf } from '../../contract/schemas/schema-parts.ts';

/** The alternatives of a schema, without null; none if it has none. */
export function alternativesOf(schema: Schema | undefined, root: JsonObject): readonly Schema[] {
  const { oneOf, anyOf } = followedTo(schema, root) ?? {};
  const listed = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return (listed as readonly Schema[]).filter((each) => !isRecord(each) || each['type'] !== 'null');
}

/**
 * The index of the alternative of a schema that a value with the given members has: by the discriminator, else one that contradicts
 * the fewest members; 0 if the schema has no alternatives.
 *
 * @param nth which one of several that fit equally well
 */
export function alternativeOf(
  schema: Schema | undefined,
  root: JsonObject,
  given: JsonObject,
  nth = 0,
): number {
  const { discriminator } = followedTo(schema, root) ?? {};
  const alternatives = alternativesOf(schema, root);
  const property = isRecord(discriminator) ? discriminator['propertyName'] : undefined;
  const tag = typeof property === 'string' ? given[property] : undefined;
  const named = alternatives.findIndex((each) => {
    const reference = isRecord(each) ? each['$ref'] : undefined;
    if (tag === undefined || typeof reference !== 'string' || !isRecord(discriminator)) return false;
    const tags = mappedTags(discriminator['mapping'], reference);
    return tags.length > 0 ? tags.includes(String(tag)) : reference.split('/').at(-1) === tag;
  });
  if (named >= 0) return named;
  const faults = alternatives.map((each) => contradictions(each, root, given));
  const fewest = Math.min(...faults);
  const fitting = faults.flatMap((count, index) => (count === fewest ? [index] : []));
  return fitting[nth % fitting.length] ?? 0;
}

// --- internal ---

function followedTo(schema: Schema | undefined, root: JsonObject, depth = 0): JsonObject | undefined {
  if (!isRecord(schema)) return undefined;
  const { $ref: reference } = schema as JsonObject;
  const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
  return pointer === undefined || depth > DEEPEST
    ? (schema as JsonObject)
    : followedTo(valueAt(root, pointer) as Schema | undefined, root, depth + 1);
}

const DEEPEST = 12;

/** How many given members an alternative does not have, or has with another value. */
function contradictions(schema: Schema, root: JsonObject, given: JsonObject): number {
  const properties = propertiesOf(schema, root);
  return Object.entries(given).filter(([name, value]) => {
    const own = properties.filter(([each]) => each === name);
    return (
      own.length === 0 ||
      own.some(([, each]) => {
        const { const: only, enum: values } = isRecord(each) ? each : {};
        return (
          (only !== undefined && only !== value) ||
          (Array.isArray(values) && !(values as readonly unknown[]).includes(value))
        );
      })
    );
  }).length;
}
