import * as fc from 'fast-check';
import { smallestValue } from '../schemas/smallest-value.ts';

/** Values that violate one keyword at one place of a value. */
export interface KeywordViolation {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly values: fc.Arbitrary<unknown>;
}

/** A value of any type. */
export function anyValue(): fc.Arbitrary<unknown> {
  return fc.oneof(...Object.values(ofType).map((make) => make()));
}

/** What violates the keywords of a schema itself, without those of its members and items. */
export function* keywordViolations(
  document: unknown,
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[],
): Generator<KeywordViolation> {
  const broken = (keyword: string, values: fc.Arbitrary<unknown>): KeywordViolation => ({
    path,
    keyword,
    values,
  });
  const types = [schema['type']].flat().filter((type): type is string => typeof type === 'string');
  if (types.length > 0) {
    const allowed = types.includes('number') ? [...types, 'integer'] : types;
    const others = Object.entries(ofType).filter(([type]) => !allowed.includes(type));
    if (others.length > 0) yield broken('type', fc.oneof(...others.map(([, make]) => make())));
  }
  const number = (keyword: string): number | undefined => {
    const value = schema[keyword];
    return typeof value === 'number' && Number.isSafeInteger(Math.trunc(value)) ? value : undefined;
  };
  const [minimum, maximum] = [number('minimum'), number('maximum')];
  if (minimum !== undefined)
    yield broken(
      'minimum',
      fc.nat(SPREAD).map((below) => Math.ceil(minimum) - 1 - below),
    );
  if (maximum !== undefined)
    yield broken(
      'maximum',
      fc.nat(SPREAD).map((above) => Math.floor(maximum) + 1 + above),
    );
  const [above, below] = [number('exclusiveMinimum'), number('exclusiveMaximum')];
  if (above !== undefined)
    yield broken(
      'exclusiveMinimum',
      fc.nat(SPREAD).map((under) => above - under),
    );
  if (below !== undefined)
    yield broken(
      'exclusiveMaximum',
      fc.nat(SPREAD).map((over) => below + over),
    );
  const step = number('multipleOf') ?? 0;
  if (step > 0) {
    const first = Math.ceil((minimum ?? above ?? 0) / step) * step;
    const between = types.includes('number') ? step / 2 : 1;
    yield broken(
      'multipleOf',
      fc.nat(20).map((steps) => first + steps * step + between),
    );
  }
  if ((number('minProperties') ?? 0) > 0) yield broken('minProperties', fc.constant({}));
  const [least, most] = [number('minLength'), number('maxLength')];
  // The smallest counterexample is the text that lacks one character.
  if (least !== undefined && least > 0 && least < LONGEST)
    yield broken(
      'minLength',
      fc.nat(least - 1).map((under) => 'x'.repeat(least - 1 - under)),
    );
  if (most !== undefined && most < LONGEST)
    yield broken(
      'maxLength',
      fc.nat(SPREAD).map((over) => 'x'.repeat(most + 1 + over)),
    );
  const [fewest, many] = [number('minItems'), number('maxItems')];
  if (fewest !== undefined && fewest > 0) yield broken('minItems', fc.constant([]));
  const { items, uniqueItems } = schema;
  const listOf = (minItems: number): unknown =>
    smallestValue(document, { type: 'array', items: items ?? { type: 'string' }, minItems, uniqueItems });
  if (many !== undefined && many < LONGEST / 100)
    yield broken(
      'maxItems',
      fc.nat(20).map((over) => listOf(many + 1 + over)),
    );
  if (uniqueItems === true)
    yield broken('uniqueItems', fc.constant(twice(listOf(Math.max(1, (fewest ?? 0) - 1)))));
  const { enum: values, pattern } = schema;
  if (Array.isArray(values)) yield broken('enum', fc.string());
  if (typeof pattern === 'string') yield broken('pattern', fc.string());
}

// --- internal ---

const ofType: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  string: () => fc.string(),
  integer: () => fc.integer(),
  number: () =>
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
  boolean: () => fc.boolean(),
  array: () => fc.array(fc.integer(), { maxLength: 3 }),
  object: () => fc.dictionary(fc.string({ minLength: 1 }), fc.integer(), { maxKeys: 3 }),
};

const SPREAD = 1000;
const LONGEST = 10_000;

/** The list with its first item once more. */
function twice(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const [first, ...others] = list as unknown[];
  const item = first === '' ? 'x' : first;
  return [item, item, ...others];
}
