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
export function* contradictionsOf(schema: Schema): Generator<SchemaContradiction> {
  if (Object.hasOwn(schema, '$ref')) return;
  const types = typesOf(schema);
  for (const member of Object.keys(schema)) {
    const limited = LIMITED.get(member);
    if (limited !== undefined && types !== undefined && !limited.some((type) => types.includes(type))) {
      const message = `${member} has no effect on a value of type ${types.join(' or ')}`;
      yield { member, message, help: `correct the type, or remove ${member}` };
    }
    const check = CHECKS.get(member);
    if (check !== undefined) yield* check(schema, types);
  }
}

// --- internal ---

type Schema = Readonly<Record<string, unknown>>;
type Types = readonly string[] | undefined;
type Check = (schema: Schema, types: Types) => Generator<SchemaContradiction>;

/** The types that each limit is for. */
const LIMITED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'number integer': 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    string: 'minLength maxLength pattern',
    array: 'minItems maxItems uniqueItems items',
    object: 'minProperties maxProperties properties required',
  }).flatMap(([types, limits]) => limits.split(' ').map((limit) => [limit, types.split(' ')] as const)),
);

function crossed(low: string, high: string): Check {
  return function* (schema) {
    const from = schema[low];
    const to = schema[high];
    if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return;
    const message = `${low} ${String(from)} is greater than ${high} ${String(to)}, so that no value is valid`;
    yield { member: low, message, help: 'correct one of the two' };
  };
}

const misfitsInEnum: Check = function* (schema, types) {
  if (types === undefined || !Array.isArray(schema['enum'])) return;
  if (schema['enum'].every((value: unknown) => value === null || isOf(value, types))) return;
  const message = `enum has values that are not of type ${types.join(' or ')}: they are never valid`;
  yield { member: 'enum', message, help: 'correct the values or the type' };
};

const misfitAsDefault: Check = function* (schema, types) {
  const preset = schema['default'];
  // Many programs write null for a missing default.
  if (preset === undefined || preset === null) return;
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
  const isListed = values === undefined || typeof preset === 'object' || values.includes(preset);
  if (isListed && (types === undefined || isOf(preset, types))) return;
  const shown = JSON.stringify(preset).slice(0, 40);
  const message = `default ${shown} is not a value that the schema allows`;
  const help = isListed ? `write a value of type ${types?.join(' or ') ?? ''}` : 'write one of enum';
  yield { member: 'default', message, help };
};

/**
 * A required name without a property, if exactly one property has a similar name and is not required itself.
 */
const misspeltNames: Check = function* ({ properties, required }) {
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
};

/** The limit for comparing names with each other. */
const MOST_NAMES = 200;

/** The checks of members, in which a large document has few. */
const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['minimum', crossed('minimum', 'maximum')],
  ['minLength', crossed('minLength', 'maxLength')],
  ['minItems', crossed('minItems', 'maxItems')],
  ['minProperties', crossed('minProperties', 'maxProperties')],
  ['enum', misfitsInEnum],
  ['default', misfitAsDefault],
  ['required', misspeltNames],
]);

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

/** The types of a schema besides `null`, if it names any and none of them is misspelt. */
function typesOf({ type }: Schema): Types {
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  return types.length > 0 && types.every((name) => TYPES.has(name)) ? (types as string[]) : undefined;
}

function isOf(value: unknown, types: readonly string[]): boolean {
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value !== 'number') return types.includes(typeof value);
  return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
}
