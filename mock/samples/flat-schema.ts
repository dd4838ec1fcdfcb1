import { isRecord, localPointer, valueAt } from '../../contract/index.ts';
import { apart, collected, CONDITIONS, CONTAINED } from '../../contract/schemas/conditions.ts';
import { mappedTags } from '../../contract/schemas/discriminator.ts';
import type { Json, JsonObject, Schema } from '../../contract/model.ts';

/** The keyword for the name of an alternative that a document does not map; its own values come first. */
export const TAG = 'x-tallystick-tag';

/**
 * A schema as one object: its reference followed, all parts of `allOf` merged, and one alternative that is not
 * `null`. Several descriptions of one member are merged.
 *
 * @param root the document in which `$ref`s are resolved
 * @param choice the index of the alternative; with `simplest`, one without members and items if there is one
 */
export function flattened(
  schema: Schema | undefined,
  root: JsonObject,
  choice: number | 'simplest' = 0,
  depth = 0,
): JsonObject {
  if (!isRecord(schema) || depth > DEEPEST) return {};
  const { $ref: reference, allOf, oneOf, anyOf, ...rest } = schema as JsonObject;
  const own = collected(rest) as JsonObject;
  const parts: JsonObject[] = [];
  const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
  if (pointer !== undefined) {
    const declared = valueAt(root, pointer);
    const whole = flattened(declared as Schema | undefined, root, choice, depth + 1);
    const isHeir = isRecord(declared) && declared['discriminator'] === undefined;
    const tag = isHeir ? tagOf(reference as string, whole['discriminator']) : undefined;
    const target = tag === undefined ? whole : together(whole, { properties: tag });
    const name = pointer.split('/').at(-1);
    // The name of the schema suggests a value.
    parts.push(name === undefined || target['title'] !== undefined ? target : { title: name, ...target });
  }
  for (const part of listOf(allOf)) parts.push(flattened(part, root, choice, depth + 1));
  for (const alternatives of [oneOf, anyOf]) {
    const chosen = alternative(listOf(alternatives), root, choice);
    if (chosen !== undefined && alternatives === oneOf)
      parts.push(apart(listOf(oneOf), chosen) as JsonObject);
    if (chosen !== undefined)
      parts.push(flattened(named(chosen, own['discriminator']), root, choice, depth + 1));
  }
  parts.push(own);
  return parts.reduce(together, {});
}

/** Two schemas that both apply. */
export function together(one: JsonObject, other: JsonObject): JsonObject {
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
  for (const name of [CONDITIONS, CONTAINED]) {
    const all = [...listOf(one[name]), ...listOf(other[name])];
    if (all.length > 0) both[name] = all;
  }
  return both;
}

// --- internal ---

const DEEPEST = 12;

function alternative(
  all: readonly Schema[],
  root: JsonObject,
  choice: number | 'simplest',
): Schema | undefined {
  if (choice === 'simplest') {
    const simple = all.find((each) => SIMPLE.has(flattened(each, root, 0, DEEPEST - 3)['type']));
    if (simple !== undefined) return simple;
  }
  const others = all.filter((each) => !isRecord(each) || each['type'] !== 'null');
  return others[(choice === 'simplest' ? 0 : choice) % others.length];
}

const SIMPLE: ReadonlySet<unknown> = new Set(['null', 'string', 'number', 'integer', 'boolean']);

/** An alternative with the name that selects it for a discriminator (OpenAPI 3.1, "Discriminator Object"). */
function named(chosen: Schema, discriminator: Json | undefined): Schema {
  const reference = isRecord(chosen) ? chosen['$ref'] : undefined;
  const tag = typeof reference === 'string' ? tagOf(reference, discriminator) : undefined;
  return tag === undefined ? chosen : ({ allOf: [chosen, { properties: tag }] } as Schema);
}

/** The property that selects a schema for a discriminator: by its mapping, else by the name of the schema. */
function tagOf(reference: string, discriminator: Json | undefined): JsonObject | undefined {
  const property = isRecord(discriminator) ? discriminator['propertyName'] : undefined;
  if (!isRecord(discriminator) || typeof property !== 'string') return undefined;
  const [mapped] = mappedTags(discriminator['mapping'], reference);
  return {
    [property]: mapped === undefined ? { [TAG]: reference.split('/').at(-1) ?? '' } : { enum: [mapped] },
  };
}

function listOf(value: Json | undefined): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Schema[]) : [];
}
