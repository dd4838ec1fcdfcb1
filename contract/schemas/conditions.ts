import { textOfPattern } from '../judge/pattern-text.ts';
import { isRecord } from '../record.ts';
import { holds } from './holds.ts';

/** The keyword for the conditions of a schema, in schemas that are merged to make a value. */
export const CONDITIONS = 'x-conditions';

/** The keyword for what a list has to contain, in the same schemas. */
export const CONTAINED = 'x-contained';

type Schema = Readonly<Record<string, unknown>>;

interface Condition {
  readonly if: unknown;
  readonly then?: unknown;
  readonly else?: unknown;
}

/**
 * A schema whose conditions can be merged with those of another one: each is an entry of a list. So are the keywords
 * `contains` and `not`.
 */
export function collected(schema: Schema): Schema {
  const {
    if: condition,
    then,
    else: otherwise,
    dependentRequired,
    dependentSchemas,
    not,
    contains,
    ...rest
  } = schema;
  const { minContains, maxContains, ...own } = rest;
  const present = (name: string): Schema => ({ type: 'object', required: [name] });
  const conditions: Condition[] = [
    ...(condition === undefined ? [] : [{ if: condition, then, else: otherwise }]),
    ...entriesOf(dependentRequired).map(([name, names]) => ({
      if: present(name),
      then: { required: names },
    })),
    ...entriesOf(dependentSchemas).map(([name, part]) => ({ if: present(name), then: part })),
    ...(not === undefined ? [] : [{ if: not, then: false }]),
  ];
  return {
    ...own,
    ...(conditions.length === 0 ? {} : { [CONDITIONS]: conditions }),
    ...(contains === undefined ? {} : { [CONTAINED]: [{ contains, minContains, maxContains }] }),
  };
}

/** A single value that is valid by one alternative of `oneOf` must not be valid by another. */
export function apart(alternatives: readonly unknown[], chosen: unknown): Schema {
  const rest = alternatives.filter((each) => each !== chosen);
  return rest.length === 0 ? {} : collected({ not: { type: SINGLE, anyOf: rest } });
}

/** What a value lacks by the conditions of a schema: schemas that it has to be made by, too. */
export function unmet(root: unknown, schema: Schema, value: unknown): readonly unknown[] {
  return listOf<Condition>(schema[CONDITIONS]).flatMap((condition) => {
    const part = partFor(root, condition, value);
    if (holds(root, part, value)) return [];
    return part === false ? contraries(root, condition.if, value) : [part];
  });
}

/** Another value of the same kind that a schema and its conditions accept, or else the value itself. */
export function settledScalar(root: unknown, schema: Schema, value: unknown): unknown {
  const { [CONDITIONS]: conditions, ...own } = schema;
  const isGood = (one: unknown): boolean =>
    holds(root, own, one) &&
    listOf<Condition>(conditions).every((condition) => holds(root, partFor(root, condition, one), one));
  if (conditions === undefined || isGood(value)) return value;
  return others(schema, value).find(isGood) ?? value;
}

/** Values beside another one, the nearest first. */
export function others(
  { enum: values, type, multipleOf, pattern }: Schema,
  value: unknown,
): readonly unknown[] {
  if (Array.isArray(values)) return values as unknown[];
  const step = typeof multipleOf === 'number' ? multipleOf : 1;
  const near =
    typeof value === 'number'
      ? STEPS.flatMap((count) => [value + count * step, value - count * step])
      : typeof value === 'string'
        ? [`${value}1`, `a${value}`, value.slice(1), 'a', 'B', '1', `${value}${value}`, '']
        : [];
  const ofTypes = [type].flat().flatMap((each) => OF_TYPE[String(each)] ?? []);
  const matches = (most: number): string | undefined =>
    typeof pattern === 'string' ? textOfPattern(pattern, (count) => Math.min(count, most)) : undefined;
  return [...near, ...[1, 2, 3, 4, 5].flatMap((most) => matches(most) ?? []), ...ofTypes];
}

// --- internal ---

const SINGLE = ['string', 'number', 'integer', 'boolean', 'null'];

const STEPS: readonly number[] = [1, 2, 3, 4, 5, 10, 25, 50, 100];

const OF_TYPE: Readonly<Record<string, readonly unknown[]>> = {
  boolean: [true, false],
  integer: [1, 0],
  number: [1, 0.5],
  string: ['text'],
  null: [null],
};

/** The schema that a condition applies to a value. */
function partFor(root: unknown, condition: Condition, value: unknown): unknown {
  return (holds(root, condition.if, value) ? condition.then : condition.else) ?? true;
}

/** Schemas by which a value that a schema accepts is no longer accepted by it. */
function contraries(root: unknown, schema: unknown, value: unknown): readonly unknown[] {
  if (!isRecord(schema)) return [];
  const { anyOf, oneOf, required, properties } = schema;
  const alternatives = [...listOf(anyOf), ...listOf(oneOf)].filter((part) => holds(root, part, value));
  if (alternatives.length > 0) return alternatives.flatMap((part) => contraries(root, part, value));
  if (!isRecord(value)) return [];
  const known = entriesOf(properties).find(([name]) => Object.hasOwn(value, name));
  if (known !== undefined) {
    const [name, part] = known;
    return [{ required: [name], properties: { [name]: { not: part } } }];
  }
  const last = listOf(required).at(-1);
  return last === undefined ? [] : [{ properties: { [String(last)]: false } }];
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

function listOf<Item>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}
