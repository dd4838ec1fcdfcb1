/** What emitted validators share. */

/** What is wrong with one value inside another. */
export interface Failure {
  /** JSON pointer to the value; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
  /** The values that would be right, where they can be listed. */
  readonly allowed?: readonly unknown[];
}

/** Whether a value is what it should be: itself under its type, or what is wrong with it. */
export type Checked<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly errors: readonly Failure[] };

/** Failures as they are found. Alternatives that did not hold are taken off its end again. */
export type Failures = { pointer: string; message: string; allowed?: readonly unknown[] }[];

/** Adds what is wrong with a value to `failures`; pointers are relative to that value. */
export type Validate = (value: unknown, failures: Failures) => void;

export function passes(validate: Validate, value: unknown): boolean {
  const failures: Failures = [];
  validate(value, failures);
  return failures.length === 0;
}

export function check<Value>(validate: Validate, value: unknown): Checked<Value> {
  const errors: Failures = [];
  validate(value, errors);
  return errors.length === 0 ? { ok: true, value: value as Value } : { ok: false, errors };
}

export function fail(
  failures: Failures,
  pointer: string,
  message: string,
  allowed?: readonly unknown[],
): void {
  failures.push(allowed === undefined ? { pointer, message } : { pointer, message, allowed });
}

/** Puts the pointer of the value that they were found in before the failures after the first `count`. */
export function below(pointer: string, failures: Failures, count: number): void {
  for (let index = count; index < failures.length; index += 1) {
    const failure = failures[index];
    if (failure !== undefined) failure.pointer = pointer + failure.pointer;
  }
}

/** A member's name as it stands in a JSON pointer. */
export function token(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}

/** Lengths count code points; most texts are decided without counting. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || codePoints(text) > most);
}

export function isShorterThan(text: string, least: number): boolean {
  return text.length < 2 * least && (text.length < least || codePoints(text) < least);
}

/** Decimal fractions are no binary ones: 0.07 is taken for a multiple of 0.01. */
export function isMultipleOf(value: number, factor: number): boolean {
  const quotient = value / factor;
  return Math.abs(Math.round(quotient) - quotient) <= 1e-8;
}

export function hasDuplicates(items: readonly unknown[]): boolean {
  const objects: unknown[] = [];
  const others = new Set<unknown>();
  for (const item of items) {
    if (typeof item === 'object' && item !== null) {
      if (objects.some((object) => isEqual(object, item))) return true;
      objects.push(item);
    } else {
      if (others.has(item)) return true;
      others.add(item);
    }
  }
  return false;
}

/** Whether two values of JSON are the same. */
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
