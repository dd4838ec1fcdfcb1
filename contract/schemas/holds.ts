import { canonical } from '../canonical-json.ts';
import { boundedPattern } from '../judge/bounded-pattern.ts';
import type { JsonObject } from '../model.ts';
import { localPointer, valueAt } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { kindOf } from './wire-type.ts';

/**
 * Whether a schema accepts a value, by the keywords that conditions are usually written with. It chooses what is made
 * up for a schema; no verdict depends on it. Formats and `unevaluated…` are not looked at.
 *
 * @param root the document in which `$ref`s are resolved
 */
export function holds(
  root: unknown,
  schema: unknown,
  value: unknown,
  budget = { left: MOST_SCHEMAS },
): boolean {
  budget.left -= 1;
  if (!isRecord(schema) || budget.left < 0) return schema !== false;
  const { $ref: reference } = schema;
  const inner = (part: unknown, of: unknown = value): boolean => holds(root, part, of, budget);
  const pointer = typeof reference === 'string' ? localPointer(reference) : undefined;
  if (pointer !== undefined && !inner(valueAt(root, pointer))) return false;
  const { allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = schema;
  return (
    isAmong(schema, value) &&
    fits(schema, value) &&
    listed(allOf).every((part) => inner(part)) &&
    (anyOf === undefined || listed(anyOf).some((part) => inner(part))) &&
    (oneOf === undefined || listed(oneOf).filter((part) => inner(part)).length === 1) &&
    (not === undefined || !inner(not)) &&
    (condition === undefined || inner((inner(condition) ? then : otherwise) ?? true)) &&
    (!Array.isArray(value) || hasItems(schema as JsonObject, value as unknown[], inner)) &&
    (!isRecord(value) || hasMembers(schema as JsonObject, value, inner))
  );
}

/** Whether a text matches a pattern; false if the pattern is not a regular expression, or takes too long. */
export function isMatch(pattern: string, text: string): boolean {
  try {
    return boundedPattern(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

// --- internal ---

/** A schema may contain itself, also several times. */
const MOST_SCHEMAS = 1_000;

type Inner = (part: unknown, of: unknown) => boolean;

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function isAmong({ type, const: only, enum: values }: Record<string, unknown>, value: unknown): boolean {
  const kind = kindOf(value);
  const types = [type].flat();
  const isOfType = types.includes(kind) || (types.includes('integer') && Number.isInteger(value));
  const isSame = (other: unknown): boolean => canonical(other) === canonical(value);
  return (
    (type === undefined || isOfType) &&
    (only === undefined || isSame(only)) &&
    (!Array.isArray(values) || values.some(isSame))
  );
}

/** Bounds, by the kind of the value. */
function fits(schema: Record<string, unknown>, value: unknown): boolean {
  const at = (name: string, otherwise: number): number =>
    typeof schema[name] === 'number' ? schema[name] : otherwise;
  const within = (size: number, of: string): boolean =>
    size >= at(`min${of}`, 0) && size <= at(`max${of}`, Infinity);
  if (typeof value === 'number') {
    const steps = value / at('multipleOf', value);
    return (
      value >= at('minimum', -Infinity) &&
      value <= at('maximum', Infinity) &&
      value > at('exclusiveMinimum', -Infinity) &&
      value < at('exclusiveMaximum', Infinity) &&
      (value === 0 || Math.abs(steps - Math.round(steps)) < 1e-8)
    );
  }
  const { pattern } = schema;
  if (typeof value === 'string')
    return within([...value].length, 'Length') && (typeof pattern !== 'string' || isMatch(pattern, value));
  if (Array.isArray(value)) return within(value.length, 'Items');
  return !isRecord(value) || within(Object.keys(value).length, 'Properties');
}

function hasItems(schema: JsonObject, value: readonly unknown[], inner: Inner): boolean {
  const { prefixItems, items, contains, minContains, maxContains, uniqueItems } = schema;
  const first = listed(prefixItems);
  const found = contains === undefined ? 0 : value.filter((item) => inner(contains, item)).length;
  return (
    value.every((item, index) => inner(first[index] ?? items ?? true, item)) &&
    (contains === undefined ||
      (found >= Number(minContains ?? 1) && found <= Number(maxContains ?? Infinity))) &&
    (uniqueItems !== true || new Set(value.map((item) => canonical(item))).size === value.length)
  );
}

function hasMembers(schema: JsonObject, value: Record<string, unknown>, inner: Inner): boolean {
  const { required, propertyNames, dependentRequired, dependentSchemas } = schema;
  const has = (name: unknown): boolean => Object.hasOwn(value, String(name));
  const needed = Object.entries(isRecord(dependentRequired) ? dependentRequired : {});
  const dependent = Object.entries(isRecord(dependentSchemas) ? dependentSchemas : {});
  return (
    listed(required).every(has) &&
    needed.every(([name, others]) => !has(name) || listed(others).every(has)) &&
    dependent.every(([name, part]) => !has(name) || inner(part, value)) &&
    Object.entries(value).every(
      ([name, member]) =>
        memberSchemas(schema, name).every((part) => inner(part, member)) &&
        (propertyNames === undefined || inner(propertyNames, name)),
    )
  );
}

/** The schemas that a member has to be valid by: its own, those of its pattern, or that of other members. */
export function memberSchemas(schema: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const own = isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = Object.entries(isRecord(patternProperties) ? patternProperties : {});
  const found = [...own, ...patterns.flatMap(([pattern, part]) => (isMatch(pattern, name) ? [part] : []))];
  return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
}
