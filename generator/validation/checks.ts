/** What emitted validators share. */

import { type Failures, TooDeep, type Validate } from './recursion.ts';

export { type Failures, recurse, type Validate } from './recursion.ts';

/** What is wrong with one value inside another. */
export interface Failure {
  /** JSON pointer to the value; empty for the whole. */
  readonly pointer: string;
  /** What would be right. */
  readonly message: string;
  /** The values that would be right, or the names, where they can be listed. */
  readonly allowed?: readonly unknown[];
  /** What is there, by its type: a message can be shown to others, a value often cannot. */
  readonly received?: 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string' | 'undefined';
  /** The allowed value that was probably meant. */
  readonly suggestion?: string;
}

/** Whether a value is what it should be: itself under its type, or what is wrong with it. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      /** At most 100. */
      readonly errors: readonly Failure[];
      /** How many more there are; absent where there are none. */
      readonly more?: number;
    };

/** False as well for a value that is nested too deeply to be judged. */
export function passes(validate: Validate, value: unknown): boolean {
  return found(validate, value).length === 0;
}

export function check<Value>(validate: Validate, value: unknown): Checked<Value> {
  const failures = found(validate, value);
  if (failures.length === 0) return { ok: true, value: value as Value };
  const errors = failures
    .slice(0, MOST_TOLD)
    .map((failure, index) => told(failure, value, index < MOST_MEANT));
  const more = failures.length - errors.length;
  return more === 0 ? { ok: false, errors } : { ok: false, errors, more };
}

/** Failures as lines for people, such as `/state must be one of "open", "closed", not a string: did you mean "open"?` */
export function explain(failures: readonly Failure[]): string {
  return failures
    .map(({ pointer, message, allowed = [], received, suggestion }) => {
      const values = message === AMONG ? `: ${allowed.map((value) => JSON.stringify(value)).join(', ')}` : '';
      const got = received === undefined || message === UNKNOWN_MEMBER ? '' : `, got ${received}`;
      const meant = suggestion === undefined ? '' : `. Did you mean ${JSON.stringify(suggestion)}?`;
      return `${pointer === '' ? 'the value' : pointer} ${message}${values}${got}${meant}`;
    })
    .join('\n');
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

/** Notes that another alternative begins. */
export function branch(failures: Failures): void {
  failures.push({ pointer: '', message: BRANCH });
}

/**
 * Of alternatives that all did not hold, says what is wrong with the one that comes closest: what has the right type
 * before what has not, then what has the fewest failures. Takes the place of the failures after the first `count`.
 * Behind many failures it does not compare.
 */
export function closest(failures: Failures, count: number, pointer: string, message: string): void {
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
    found.some((failure) => failure.pointer === pointer && TYPE.test(failure.message));
  const types = branches.flatMap(([first]) =>
    first !== undefined && TYPE.test(first.message) ? [first.message.slice('must be '.length)] : [],
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
    // Where two come equally close, neither says what was meant.
    if (first !== undefined && first.length !== others[0]?.length)
      for (const failure of first) failures.push(failure);
  }
}

/** A member's name as it stands in a JSON pointer. */
export function token(name: string): string {
  const known = longTokens.get(name);
  if (known !== undefined) return known;
  const escaped = name.replace(/~/g, '~0').replace(/\//g, '~1');
  if (name.length > 100) {
    if (longTokens.size >= 10) longTokens.clear();
    longTokens.set(name, escaped);
  }
  return escaped;
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

/** Whether two values of JSON are the same. Goes no deeper than both of them do. */
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

/** What `wording.ts` of the generator says, where more than the text hangs on it. */
const AMONG = 'must be one of the allowed values';
const UNKNOWN_MEMBER = 'is not allowed here';
const TYPE = /^must be (?:(?:array|boolean|integer|null|number|object|string)(?: or |$))+$/;

const BRANCH = '|';

/** Failures that `check` gives, and how many of them get a suggestion: each compares many texts. */
const MOST_TOLD = 100;
const MOST_MEANT = 20;
const MOST_COMPARED = 1_000;

/** Many failures can stand below one long name. */
const longTokens = new Map<string, string>();

function found(validate: Validate, value: unknown): Failures {
  const failures: Failures = [];
  try {
    validate(value, failures);
    return failures;
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return [{ pointer: '', message: error.message }];
  }
}

/** A text that is the same for values of JSON that are the same. Uses no call stack, however deep the value is. */
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
      // The last one that is put there is read first; both values are read in the same order.
      for (const name of names ?? Object.keys(inner)) {
        rest.push({ value: (inner as Readonly<Record<string, unknown>>)[name] });
        if (names !== undefined) rest.push({ text: `${JSON.stringify(name)}:` });
      }
    }
  }
  return text.join('');
}

function told({ pointer, message, allowed }: Failures[number], whole: unknown, isMeant: boolean): Failure {
  const value = valueAt(whole, pointer);
  const received = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const wanted = message === UNKNOWN_MEMBER ? lastToken(pointer) : value;
  const suggestion = isMeant && typeof wanted === 'string' ? nearest(wanted, allowed ?? []) : undefined;
  return {
    pointer,
    message,
    ...(allowed === undefined ? {} : { allowed }),
    ...(isKind(received) ? { received } : {}),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function isKind(text: string): text is NonNullable<Failure['received']> {
  return /^(?:array|boolean|null|number|object|string|undefined)$/.test(text);
}

function valueAt(whole: unknown, pointer: string): unknown {
  let value = whole;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = untoken(part);
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return value;
}

function lastToken(pointer: string): string {
  return untoken(pointer.slice(pointer.lastIndexOf('/') + 1));
}

function untoken(part: string): string {
  return part.replace(/~1/g, '/').replace(/~0/g, '~');
}

/** The text that differs from another by the fewest changed letters, where these are few. */
function nearest(text: string, candidates: readonly unknown[]): string | undefined {
  let best: string | undefined;
  let least = Math.floor(Math.max(text.length, 3) / 3) + 1;
  for (const candidate of candidates.slice(0, 200)) {
    if (typeof candidate !== 'string' || Math.abs(candidate.length - text.length) >= least) continue;
    const changes = distance(text.slice(0, 100).toLowerCase(), candidate.slice(0, 100).toLowerCase());
    if (changes < least) [best, least] = [candidate, changes];
  }
  return best;
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
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
