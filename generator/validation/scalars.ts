/**
 * Checks of single values by guards. Each check has the same parameters: the value, the list for failures,
 * and the place of the value inside the judged one. An absent member (a value with a pointer) is valid,
 * because `lacks` reports missing members.
 */

import { type Failures, fail } from './recursion.ts';

/** For the last parameter of a type check: `null` is valid too. */
export const orNull = ' or null';

export function anything(): void {}

/** For no value: the schema is `false`. */
export function never(value: unknown, failures: Failures, pointer = ''): void {
  if (value !== undefined || pointer === '') fail(failures, pointer, 'is not allowed here');
}

export function text(value: unknown, failures: Failures, pointer = '', or = ''): boolean {
  return typeof value === 'string' || isWrong(value, failures, pointer, 'string', or);
}

export function number(value: unknown, failures: Failures, pointer = '', or = ''): boolean {
  return typeof value === 'number' || isWrong(value, failures, pointer, 'number', or);
}

export function integer(value: unknown, failures: Failures, pointer = '', or = ''): boolean {
  return Number.isInteger(value) || isWrong(value, failures, pointer, 'integer', or);
}

export function flag(value: unknown, failures: Failures, pointer = '', or = ''): boolean {
  return typeof value === 'boolean' || isWrong(value, failures, pointer, 'boolean', or);
}

export function nothing(value: unknown, failures: Failures, pointer = ''): boolean {
  return value === null || isWrong(value, failures, pointer, 'null', '');
}

export function list(value: unknown, failures: Failures, pointer = '', or = ''): boolean {
  return Array.isArray(value) || isWrong(value, failures, pointer, 'array', or);
}

export function object(value: unknown, failures: Failures, pointer = '', or = ''): boolean {
  return (
    (typeof value === 'object' && value !== null && !Array.isArray(value)) ||
    isWrong(value, failures, pointer, 'object', or)
  );
}

export function bytes(value: unknown, failures: Failures, pointer = '', or = ''): boolean {
  return value instanceof Blob || isWrong(value, failures, pointer, 'Blob', or);
}

/** For several types. */
export function typed(value: unknown, failures: Failures, pointer: string, types: readonly string[]): void {
  if (!types.some((type) => isOfType(value, type))) isWrong(value, failures, pointer, types.join(' or '), '');
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What names are compared with. */
export interface Pattern {
  test(text: string): boolean;
}

export function longest(value: unknown, failures: Failures, pointer: string, most: number): void {
  if (typeof value === 'string' && value.length > most && isLonger(value, most))
    fail(failures, pointer, `must have at most ${counted(most, 'characters')}`);
}

export function shortest(value: unknown, failures: Failures, pointer: string, least: number): void {
  if (typeof value === 'string' && value.length < 2 * least && isShorter(value, least))
    fail(failures, pointer, `must have at least ${counted(least, 'characters')}`);
}

/** A text of a format. */
export function textOf(
  value: unknown,
  failures: Failures,
  pointer: string,
  is: (value: string) => boolean,
  format: string,
  or = '',
): void {
  if (typeof value !== 'string') isWrong(value, failures, pointer, 'string', or);
  else if (!is(value)) fail(failures, pointer, `must be in the format ${format}`);
}

/** @param is validates values of one type; a format does not apply to others */
export function formatted<Value extends string | number>(
  value: unknown,
  failures: Failures,
  pointer: string,
  is: (value: Value) => boolean,
  format: string,
): void {
  const type = format.startsWith('int') ? 'number' : 'string';
  if (typeof value === type && !is(value as Value))
    fail(failures, pointer, `must be in the format ${format}`);
}

export function highest(value: unknown, failures: Failures, pointer: string, most: number): void {
  if (typeof value === 'number' && !(value <= most)) fail(failures, pointer, `must be at most ${most}`);
}

export function lowest(value: unknown, failures: Failures, pointer: string, least: number): void {
  if (typeof value === 'number' && !(value >= least)) fail(failures, pointer, `must be at least ${least}`);
}

export function under(value: unknown, failures: Failures, pointer: string, bound: number): void {
  if (typeof value === 'number' && !(value < bound)) fail(failures, pointer, `must be less than ${bound}`);
}

export function over(value: unknown, failures: Failures, pointer: string, bound: number): void {
  if (typeof value === 'number' && !(value > bound)) fail(failures, pointer, `must be more than ${bound}`);
}

export function multiple(value: unknown, failures: Failures, pointer: string, factor: number): void {
  if (typeof value === 'number' && !isMultipleOf(value, factor))
    fail(failures, pointer, `must be a multiple of ${factor}`);
}

export function among(value: unknown, failures: Failures, pointer: string, values: readonly unknown[]): void {
  if (values.includes(value) || (value === undefined && pointer !== '')) return;
  if (typeof value === 'object' && values.some((each) => isEqual(value, each))) return;
  fail(failures, pointer, 'must be one of the allowed values', values);
}

export function same(value: unknown, failures: Failures, pointer: string, only: unknown): void {
  if (value === only || (value === undefined && pointer !== '') || isEqual(value, only)) return;
  fail(failures, pointer, 'must be the allowed value', [only]);
}

/** A number with a noun. */
export function counted(count: number, things: string): string {
  return `${count} ${count === 1 ? things.replace(/ies$/, 'y').replace(/s$/, '') : things}`;
}

/** Whether two JSON values are equal. Recurses no deeper than both values are. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index]))
    );
  }
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) =>
        Object.hasOwn(right, name) &&
        isEqual(left[name as keyof typeof left], right[name as keyof typeof right]),
    )
  );
}

// --- internal ---

/** Adds a failure, unless the value may be absent and is. */
function isWrong(value: unknown, failures: Failures, pointer: string, type: string, or: string): false {
  const isAbsent = value === undefined && pointer !== '';
  if (!isAbsent && (value !== null || or === '')) fail(failures, pointer, `must be ${type}${or}`);
  return false;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Lengths count code points; for most texts the number of UTF-16 units decides. */
function isLonger(text: string, most: number): boolean {
  return text.length > 2 * most || codePoints(text) > most;
}

function isShorter(text: string, least: number): boolean {
  return text.length < least || codePoints(text) < least;
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const next = text.charCodeAt(index + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) index += 1;
    count += 1;
  }
  return count;
}

/** Decimal fractions are not exact in binary: 0.07 counts as a multiple of 0.01. */
function isMultipleOf(value: number, factor: number): boolean {
  const quotient = value / factor;
  if (!Number.isFinite(quotient)) return value % factor === 0;
  return Math.abs(Math.round(quotient) - quotient) <= 1e-8;
}
