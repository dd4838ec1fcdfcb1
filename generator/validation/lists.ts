/** Checks of arrays. Values that are not arrays pass. */

import { below, type Failures, fail, type Validate } from './recursion.ts';
import { holds } from './alternatives.ts';
import { counted, list } from './scalars.ts';

/** An array whose items are all valid by one validator. */
export function listOf(
  value: unknown,
  failures: Failures,
  pointer: string,
  validate: Validate,
  or = '',
): void {
  if (list(value, failures, pointer, or)) each(value, failures, pointer, validate);
}

/** Validates the items from an index on. */
export function each(
  value: unknown,
  failures: Failures,
  pointer: string,
  validate: Validate,
  from = 0,
): void {
  if (!Array.isArray(value)) return;
  for (let index = from; index < value.length; index += 1) {
    const count = failures.length;
    validate(value[index], failures);
    if (failures.length > count) below(`${pointer}/${index}`, failures, count);
  }
}

/** Validates one item, if it is present. */
export function item(
  value: unknown,
  failures: Failures,
  pointer: string,
  index: number,
  validate: Validate,
): void {
  if (!Array.isArray(value) || value.length <= index) return;
  const count = failures.length;
  validate(value[index], failures);
  if (failures.length > count) below(`${pointer}/${index}`, failures, count);
}

export function noFurther(value: unknown, failures: Failures, pointer: string, most: number): void {
  if (Array.isArray(value) && value.length > most) fail(failures, pointer, 'must have no further items');
}

export function mostItems(value: unknown, failures: Failures, pointer: string, most: number): void {
  if (Array.isArray(value) && value.length > most)
    fail(failures, pointer, `must have at most ${counted(most, 'items')}`);
}

export function leastItems(value: unknown, failures: Failures, pointer: string, least: number): void {
  if (Array.isArray(value) && value.length < least)
    fail(failures, pointer, `must have at least ${counted(least, 'items')}`);
}

export function unique(value: unknown, failures: Failures, pointer: string): void {
  if (Array.isArray(value) && hasDuplicates(value)) fail(failures, pointer, 'must have no item twice');
}

/** Counts the items that are valid by a validator. */
export function containing(
  value: unknown,
  failures: Failures,
  pointer: string,
  validate: Validate,
  least: number,
  most?: number,
): void {
  if (!Array.isArray(value)) return;
  let found = 0;
  for (const each of value) if (holds(each, failures, validate)) found += 1;
  if (found >= least && (most === undefined || found <= most)) return;
  const bounds = `at least ${least}${most === undefined ? '' : ` and at most ${most}`}`;
  fail(failures, pointer, `must contain ${bounds} matching items`);
}

// --- internal ---

function hasDuplicates(items: readonly unknown[]): boolean {
  const objects = new Set<string>();
  const others = new Set<unknown>();
  for (const item of items) {
    const isObject = typeof item === 'object' && item !== null;
    const seen: Set<unknown> = isObject ? objects : others;
    const key = isObject ? canonical(item) : item;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

/** A text that is equal for equal JSON values. Uses no recursion, so deep values are safe. */
function canonical(value: object): string {
  const text: string[] = [];
  const rest: { readonly text?: string; readonly value?: unknown }[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value: inner } = next;
    if (next.text !== undefined) text.push(next.text);
    else if (typeof inner !== 'object' || inner === null) text.push(`${JSON.stringify(inner)},`);
    else {
      const names = Array.isArray(inner) ? undefined : Object.keys(inner).sort();
      text.push(names === undefined ? '[' : '{');
      rest.push({ text: '],' });
      // The last one that is pushed is read first; both values are read in the same order.
      for (const name of names ?? Object.keys(inner)) {
        rest.push({ value: (inner as Readonly<Record<string, unknown>>)[name] });
        if (names !== undefined) rest.push({ text: `${JSON.stringify(name)}:` });
      }
    }
  }
  return text.join('');
}
