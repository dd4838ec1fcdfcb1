import * as fc from 'fast-check';
import { isObject, member } from '../exchanges/exchange.ts';
import { resolve } from '../schemas/schema-document.ts';
import { validatorOf } from '../schemas/schema-validator.ts';

/** A body that violates one keyword of a schema at one place. */
export interface FuzzedBody {
  readonly body: unknown;
  /** Such as `/size/width maximum: 4097`. */
  readonly says: string;
}

/** One place and one keyword that can be violated there. */
export interface Site {
  readonly pointer: string;
  readonly keyword: string;
  /** Shrinks towards the nearest value that is still invalid. */
  readonly bodies: fc.Arbitrary<FuzzedBody>;
}

/**
 * Every pair of place and keyword of a schema at which a valid body can be violated. None if the body is not
 * valid, or if the schema is not supported: a doubtful negative would accuse a conforming server. Points that
 * the schema leaves open, such as unnamed members, are never violated.
 */
export function sitesOf(document: unknown, schema: unknown, valid: unknown): readonly Site[] {
  const isValid = validatorOf(document, schema);
  if (isValid?.(valid) !== true) return [];
  const sites: Site[] = [];
  const until = performance.now() + LONGEST_SEARCH_MS;
  for (const { path, keyword, values } of walk(document, schema, valid, [])) {
    if (sites.length === MOST_SITES || performance.now() > until) break;
    const pointer = path.map((step) => `/${step}`).join('');
    const bodies = values.map((value) => ({
      body: changed(valid, path, value),
      says: `${pointer} ${keyword}: ${shown(value)}`,
    }));
    // The search for a refused value would never end for a keyword that refuses nothing.
    if (!fc.sample(bodies, { numRuns: SAMPLES, seed: 0 }).some(({ body }) => isValid(body) === false))
      continue;
    let misses = 0;
    const isNegative = ({ body }: FuzzedBody): boolean => {
      if (isValid(body) === false) misses = 0;
      else if ((misses += 1) > MOST_MISSES)
        throw new NoNegative(`${pointer} ${keyword} refuses almost no value`);
      return misses === 0;
    };
    sites.push({ pointer, keyword, bodies: bodies.filter(isNegative) });
  }
  return sites;
}

/** A keyword refuses so little that no violating value was found. */
export class NoNegative extends Error {
  override readonly name = 'NoNegative';
}

// --- internal ---

/** Represents an omitted member. */
const LEFT_OUT = Symbol('left out');
const DEEPEST = 6;

/** A recursive schema has infinitely many places. */
const MOST_SITES = 1000;
const LONGEST_SEARCH_MS = 3000;
const SAMPLES = 30;
const MOST_MISSES = 5000;

interface Violation {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly values: fc.Arbitrary<unknown>;
}

function* walk(
  document: unknown,
  schema: unknown,
  value: unknown,
  path: readonly string[],
): Generator<Violation> {
  const target = resolve(document, schema);
  if (target === false && path.length > 0)
    yield { path, keyword: 'false', values: fc.oneof(...Object.values(ofType).map((make) => make())) };
  if (!isObject(target) || path.length > DEEPEST) return;
  // Keywords that make the rest conditional are left to the filter, which drops valid values.
  yield* ownViolations(target, path);
  const { properties, required, items } = target;
  // A server may ignore members that only its answers contain.
  const isAnswered = (name: string): boolean =>
    member(resolve(document, member(properties, name)), 'readOnly') === true;
  if (isObject(value)) {
    for (const name of Array.isArray(required) ? (required as unknown[]) : []) {
      if (typeof name === 'string' && name in value && !isAnswered(name))
        yield { path: [...path, name], keyword: 'required', values: fc.constant(LEFT_OUT) };
    }
    if (target['additionalProperties'] === false)
      yield { path: [...path, 'tallystick_unknown'], keyword: 'additionalProperties', values: fc.integer() };
    for (const [name, inner] of Object.entries(isObject(properties) ? properties : {}))
      if (!isAnswered(name)) yield* walk(document, inner, value[name], [...path, name]);
  }
  if (Array.isArray(value) && value.length > 0 && items !== undefined)
    yield* walk(document, items, value[0], [...path, '0']);
}

const ofType: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  string: () => fc.string(),
  integer: () => fc.integer(),
  number: () =>
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
  boolean: () => fc.boolean(),
  array: () => fc.array(fc.integer(), { maxLength: 3 }),
  object: () => fc.dictionary(fc.string({ minLength: 1 }), fc.integer(), { maxKeys: 3 }),
};

function* ownViolations(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[],
): Generator<Violation> {
  const broken = (keyword: string, values: fc.Arbitrary<unknown>): Violation => ({ path, keyword, values });
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
  if (many !== undefined && many < LONGEST / 100)
    yield broken(
      'maxItems',
      fc.nat(20).map((over) => Array.from({ length: many + 1 + over }, () => 'x')),
    );
  const { enum: values, pattern } = schema;
  if (Array.isArray(values)) yield broken('enum', fc.string());
  if (typeof pattern === 'string') yield broken('pattern', fc.string());
}

const SPREAD = 1000;
const LONGEST = 10_000;

/** A copy with one place changed. */
function changed(value: unknown, path: readonly string[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (Array.isArray(value)) {
    return (value as unknown[]).map((item, index) =>
      String(index) === step ? changed(item, rest, to) : item,
    );
  }
  const object = isObject(value) ? value : {};
  if (rest.length === 0 && to === LEFT_OUT) {
    const { [step]: _, ...others } = object;
    return others;
  }
  return { ...object, [step]: changed(object[step], rest, to) };
}

function shown(value: unknown): string {
  if (value === LEFT_OUT) return 'left out';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
