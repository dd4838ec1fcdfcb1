/** Checks of a value by several schemas. */

import { below, type Failures, fail, token, type Validate } from './recursion.ts';
import { nothing, object } from './scalars.ts';
import { own } from './members.ts';

/** Whether a value is valid by a validator; its failures are discarded. */
export function holds(value: unknown, failures: Failures, validate: Validate): boolean {
  const count = failures.length;
  validate(value, failures);
  const isRight = failures.length === count;
  failures.length = count;
  return isRight;
}

/** A value that is `null`, or valid by a validator. */
export function nullOr(value: unknown, failures: Failures, pointer: string, validate: Validate): void {
  if (value === null || (value === undefined && pointer !== '')) return;
  const count = failures.length;
  failures.push({ pointer: '', message: BRANCH });
  validate(value, failures);
  if (failures.length === count + 1) {
    failures.length = count;
    return;
  }
  failures.push({ pointer: '', message: BRANCH });
  nothing(value, failures);
  closest(failures, count, pointer, 'must be one of 2 alternatives');
}

export function anyOf(
  value: unknown,
  failures: Failures,
  pointer: string,
  alternatives: readonly Validate[],
): void {
  if (value === undefined && pointer !== '') return;
  const count = failures.length;
  for (const validate of alternatives) {
    failures.push({ pointer: '', message: BRANCH });
    const before = failures.length;
    validate(value, failures);
    if (failures.length > before) continue;
    failures.length = count;
    return;
  }
  closest(failures, count, pointer, `must be one of ${alternatives.length} alternatives`);
}

export function oneOf(
  value: unknown,
  failures: Failures,
  pointer: string,
  alternatives: readonly Validate[],
): void {
  if (value === undefined && pointer !== '') return;
  const count = failures.length;
  let held = 0;
  for (const validate of alternatives) {
    failures.push({ pointer: '', message: BRANCH });
    const before = failures.length;
    validate(value, failures);
    if (failures.length === before) held += 1;
  }
  if (held === 1) failures.length = count;
  else closest(failures, count, pointer, `must be exactly one of ${alternatives.length} alternatives`);
}

export function not(value: unknown, failures: Failures, pointer: string, validate: Validate): void {
  if (value === undefined && pointer !== '') return;
  if (holds(value, failures, validate)) fail(failures, pointer, 'must not match the excluded schema');
}

export function when(
  value: unknown,
  failures: Failures,
  pointer: string,
  condition: Validate,
  then: Validate,
  otherwise: Validate,
): void {
  if (value === undefined && pointer !== '') return;
  const count = failures.length;
  (holds(value, failures, condition) ? then : otherwise)(value, failures, pointer);
  if (failures.length > count) fail(failures, pointer, 'must be what its other members call for');
}

export function byTag(
  branches: readonly (readonly [tag: string, validate: Validate])[],
): ReadonlyMap<string, Validate> {
  return new Map(branches);
}

/** The member with this name selects the validator for an object. */
export function tagged(
  value: unknown,
  failures: Failures,
  pointer: string,
  name: string,
  branches: ReadonlyMap<string, Validate>,
): void {
  if (!object(value, failures, pointer)) return;
  const tag = own(value as Readonly<Record<string, unknown>>, name);
  const validate = typeof tag === 'string' ? branches.get(tag) : undefined;
  if (validate !== undefined) validate(value, failures, pointer);
  else fail(failures, `${pointer}/${token(name)}`, 'must be one of the allowed values', [...branches.keys()]);
}

// --- internal ---

const BRANCH = '|';
const MOST_COMPARED = 1_000;
const TYPE = /^must be (?:(?:array|boolean|integer|null|number|object|string|Blob)(?: or |$))+$/;

/**
 * If no alternative matched, reports the failures of the closest one: those with the right type first, then
 * the one with the fewest failures. Replaces the failures after the first `count`. Beyond a number of
 * failures it does not compare.
 */
function closest(failures: Failures, count: number, pointer: string, message: string): void {
  if (count > MOST_COMPARED) {
    failures.length = count;
    fail(failures, pointer, message);
    return;
  }
  const branches: Failures[] = [];
  for (const failure of failures.splice(count)) {
    if (failure.message === BRANCH) branches.push([]);
    else branches.at(-1)?.push(failure);
  }
  const isOfAnotherType = (found: Failures): boolean =>
    found.some((failure) => failure.pointer === '' && TYPE.test(failure.message));
  const types = branches.flatMap(([first]) =>
    first !== undefined && first.pointer === '' && TYPE.test(first.message)
      ? [first.message.slice('must be '.length)]
      : [],
  );
  const candidates = branches.filter((found) => found.length > 0 && !isOfAnotherType(found));
  if (branches.filter((found) => found.length === 0).length > 1) {
    fail(failures, pointer, `${message}, and is several`);
  } else if (candidates.length === 0 && types.length === branches.length) {
    fail(
      failures,
      pointer,
      `must be ${[...new Set(types.flatMap((type) => type.split(' or ')))].join(' or ')}`,
    );
  } else {
    fail(failures, pointer, message);
    const [first, ...others] = candidates.sort((left, right) => left.length - right.length);
    // If two are equally close, neither shows the intention.
    if (first === undefined || first.length === others[0]?.length) return;
    const before = failures.length;
    for (const failure of first) failures.push(failure);
    if (pointer !== '') below(pointer, failures, before);
  }
}
