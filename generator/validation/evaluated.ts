/**
 * The members or items that other keywords have evaluated, for `unevaluatedProperties` and
 * `unevaluatedItems`.
 */

import { below, type Failures, fail, token, type Validate } from './recursion.ts';
import { holds } from './alternatives.ts';
import type { Pattern } from './scalars.ts';

/** The evaluated parts: names or indices; `first` items from the start, or everything. */
export interface Seen {
  readonly names: Set<string>;
  first: number;
}

export function nothingSeen(): Seen {
  return { names: new Set<string>(), first: 0 };
}

export function see(seen: Seen, names: readonly string[]): void {
  for (const name of names) seen.names.add(name);
}

/** The first items, or everything. */
export function seeFirst(seen: Seen, count: number = Number.POSITIVE_INFINITY): void {
  seen.first = Math.max(seen.first, count);
}

export function seeMatching(seen: Seen, value: unknown, pattern: Pattern): void {
  for (const name of Object.keys(value as object)) if (pattern.test(name)) seen.names.add(name);
}

export function seeItems(seen: Seen, value: unknown, failures: Failures, validate: Validate): void {
  (value as readonly unknown[]).forEach((item, index) => {
    if (holds(item, failures, validate)) seen.names.add(String(index));
  });
}

/** Adds the notes of a schema, if the value is valid by it. */
export function seeBy(
  seen: Seen,
  value: unknown,
  failures: Failures,
  validate: Validate,
  note: Note,
  otherwise?: Note,
): void {
  if (holds(value, failures, validate)) note(value, failures, seen);
  else otherwise?.(value, failures, seen);
}

/** Notes the parts of a value that a schema evaluates, if the value is valid by it. */
export type Note = (value: unknown, failures: Failures, seen: Seen) => void;

/** Validates the members that nothing has evaluated; without a validator it refuses them. */
export function unseenMembers(
  value: Readonly<Record<string, unknown>>,
  failures: Failures,
  seen: Seen,
  validate?: Validate,
): void {
  if (seen.first > 0) return;
  for (const name of Object.keys(value)) {
    if (seen.names.has(name)) continue;
    const count = failures.length;
    if (validate === undefined) fail(failures, '', 'is not allowed here');
    else validate(value[name], failures);
    if (failures.length > count) below(`/${token(name)}`, failures, count);
  }
}

/** Validates the items that nothing has evaluated; without a validator it refuses them. */
export function unseenItems(
  value: readonly unknown[],
  failures: Failures,
  pointer: string,
  seen: Seen,
  validate?: Validate,
): void {
  for (let index = seen.first; index < value.length; index += 1) {
    if (seen.names.has(String(index))) continue;
    if (validate === undefined) {
      fail(failures, pointer, 'must have no further items');
      return;
    }
    const count = failures.length;
    validate(value[index], failures);
    if (failures.length > count) below(`${pointer}/${index}`, failures, count);
  }
}
