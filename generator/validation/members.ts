/** Checks of the members of objects. The values are known to be objects. */

import { below, type Failures, fail, token, type Validate } from './recursion.ts';
import { counted, type Pattern } from './scalars.ts';

type Members = Readonly<Record<string, unknown>>;

/** A member of an object under a name that all objects inherit. */
export function own(value: Members, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(value, name) ? undefined : value[name];
}

/** Reports which of the names are missing. */
export function lacks(value: Members, failures: Failures, names: readonly string[]): void {
  for (const name of names)
    if (own(value, name) === undefined) fail(failures, '', `must have the property "${name}"`);
}

/** Reports which of the names are missing although another one is present. */
export function needs(value: Members, failures: Failures, name: string, names: readonly string[]): void {
  if (own(value, name) === undefined) return;
  for (const other of names)
    if (own(value, other) === undefined)
      fail(failures, '', `must have the property "${other}" because it has "${name}"`);
}

export function mostNames(value: Members, failures: Failures, most: number): void {
  if (Object.keys(value).length > most)
    fail(failures, '', `must have at most ${counted(most, 'properties')}`);
}

export function leastNames(value: Members, failures: Failures, least: number): void {
  if (Object.keys(value).length < least)
    fail(failures, '', `must have at least ${counted(least, 'properties')}`);
}

/** Validates the names themselves. */
export function names(value: Members, failures: Failures, validate: Validate): void {
  for (const name of Object.keys(value)) {
    const count = failures.length;
    validate(name, failures);
    if (failures.length === count) continue;
    const pointer = `/${token(name)}`;
    below(pointer, failures, count);
    fail(failures, pointer, 'has a name that is not allowed');
  }
}

/** Validates the members whose names match. */
export function matching(value: Members, failures: Failures, pattern: Pattern, validate: Validate): void {
  for (const name in value)
    if (pattern.test(name) && Object.hasOwn(value, name)) one(value, failures, name, validate);
}

/** Validates the members whose names are not listed. */
export function others(
  value: Members,
  failures: Failures,
  validate: Validate,
  known: ReadonlySet<string> = NONE,
  patterns: readonly Pattern[] = [],
): void {
  for (const name in value) if (isOther(value, name, known, patterns)) one(value, failures, name, validate);
}

/** Refuses the members whose names are not listed, and reports them. */
export function closed(
  value: Members,
  failures: Failures,
  known: ReadonlySet<string> = NONE,
  patterns: readonly Pattern[] = [],
): void {
  for (const name in value) {
    if (!isOther(value, name, known, patterns)) continue;
    const isList = known.size > 0 && known.size <= MOST_LISTED;
    fail(failures, `/${token(name)}`, 'is not allowed here', isList ? [...known] : undefined);
  }
}

// --- internal ---

const NONE: ReadonlySet<string> = new Set();

const MOST_LISTED = 50;

function isOther(
  value: Members,
  name: string,
  known: ReadonlySet<string>,
  patterns: readonly Pattern[],
): boolean {
  return !known.has(name) && !patterns.some((pattern) => pattern.test(name)) && Object.hasOwn(value, name);
}

function one(value: Members, failures: Failures, name: string, validate: Validate): void {
  const count = failures.length;
  validate(value[name], failures);
  if (failures.length > count) below(`/${token(name)}`, failures, count);
}
