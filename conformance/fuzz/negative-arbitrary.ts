import * as fc from 'fast-check';
import { isObject, member } from '../exchanges/exchange.ts';
import { resolve } from '../schemas/schema-document.ts';
import { validatorOf } from '../schemas/schema-validator.ts';
import { anyValue, keywordViolations } from './keyword-violations.ts';
import type { KeywordViolation } from './keyword-violations.ts';

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

function* walk(
  document: unknown,
  schema: unknown,
  value: unknown,
  path: readonly string[],
): Generator<KeywordViolation> {
  const target = resolve(document, schema);
  if (target === false && path.length > 0) yield { path, keyword: 'false', values: anyValue() };
  if (!isObject(target) || path.length > DEEPEST) return;
  // Keywords that make the rest conditional are left to the filter, which drops valid values.
  yield* keywordViolations(document, target, path);
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
