import { isRecord } from '../record.ts';
import { suggest } from '../diagnostics/suggest.ts';

/** A member of a schema that is inconsistent with the others. */
export interface SchemaContradiction {
  readonly member: string;
  readonly message: string;
  readonly help: string;
}

/**
 * Inconsistent members of one schema: limits that allow no value, a default or enum values that the schema
 * refuses, limits for other types, and a required name that is a misspelt property. Each is valid JSON
 * Schema, but always a mistake. Looks only at this schema, not at those that it refers to.
 */
export function* contradictionsOf(schema: Readonly<Record<string, unknown>>): Generator<SchemaContradiction> {
  if (Object.hasOwn(schema, '$ref')) return;
  yield* crossed(schema);
  yield* idle(schema);
  yield* misfits(schema);
  yield* misspeltNames(schema);
}

// --- internal ---

const PAIRS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

function* crossed(schema: Readonly<Record<string, unknown>>): Generator<SchemaContradiction> {
  for (const [low, high] of PAIRS) {
    const [from, to] = [schema[low], schema[high]];
    if (typeof from !== 'number' || typeof to !== 'number' || from <= to) continue;
    const message = `${low} ${String(from)} is greater than ${high} ${String(to)}, so that no value is valid`;
    yield { member: low, message, help: 'correct one of the two' };
  }
}

const LIMITS: Readonly<Record<string, readonly string[]>> = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength', 'pattern'],
  array: ['minItems', 'maxItems', 'uniqueItems', 'items'],
  object: ['minProperties', 'maxProperties', 'properties', 'required'],
};

function* idle(schema: Readonly<Record<string, unknown>>): Generator<SchemaContradiction> {
  const types = typesOf(schema);
  if (types === undefined) return;
  for (const [type, limits] of Object.entries(LIMITS)) {
    if (types.includes(type) || (type === 'number' && types.includes('integer'))) continue;
    for (const member of limits) {
      if (!Object.hasOwn(schema, member)) continue;
      const message = `${member} has no effect on a value of type ${types.join(' or ')}`;
      yield { member, message, help: `correct the type, or remove ${member}` };
    }
  }
}

function* misfits(schema: Readonly<Record<string, unknown>>): Generator<SchemaContradiction> {
  const types = typesOf(schema);
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
  if (types !== undefined && values?.some((value) => value !== null && !isOf(value, types)) === true) {
    const message = `enum has values that are not of type ${types.join(' or ')}: they are never valid`;
    yield { member: 'enum', message, help: 'correct the values or the type' };
  }
  const preset = schema['default'];
  // Many programs write null for a missing default.
  if (preset === undefined || preset === null) return;
  const isListed = values === undefined || typeof preset === 'object' || values.includes(preset);
  if (isListed && (types === undefined || isOf(preset, types))) return;
  const shown = JSON.stringify(preset).slice(0, 40);
  const message = `default ${shown} is not a value that the schema allows`;
  const help = isListed ? `write a value of type ${types?.join(' or ') ?? ''}` : 'write one of enum';
  yield { member: 'default', message, help };
}

/**
 * A required name without a property, if exactly one property has a similar name and is not required itself.
 */
function* misspeltNames(schema: Readonly<Record<string, unknown>>): Generator<SchemaContradiction> {
  const { properties, required } = schema;
  if (!isRecord(properties) || !Array.isArray(required) || required.length > MOST_NAMES) return;
  const names = new Set<unknown>(required);
  const optional = Object.keys(properties).filter((name) => !names.has(name));
  if (optional.length > MOST_NAMES) return;
  for (const name of names) {
    if (typeof name !== 'string' || Object.hasOwn(properties, name)) continue;
    const meant = suggest(name, optional);
    if (meant === undefined) continue;
    const message = `required names ${JSON.stringify(name)}, which is not a property`;
    yield { member: 'required', message, help: `did you mean ${meant}?` };
  }
}

/** The limit for comparing names with each other. */
const MOST_NAMES = 200;

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

/** The types of a schema besides `null`, if it names any and none of them is misspelt. */
function typesOf({ type }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const types = [type].flat().filter((name) => name !== 'null');
  return types.length > 0 && types.every((name) => TYPES.has(name)) ? (types as string[]) : undefined;
}

function isOf(value: unknown, types: readonly string[]): boolean {
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value !== 'number') return types.includes(typeof value);
  return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
}
