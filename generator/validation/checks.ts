/** The parts that emitted validators share. */

import { type Failures, TooDeep, total, type Validate } from './recursion.ts';

export type { Failures, Validate } from './recursion.ts';

/** One failure: a fault of a value inside another. */
export interface Failure {
  /** JSON pointer to the value; empty for the whole. */
  readonly pointer: string;
  /** What is expected. */
  readonly message: string;
  /** The valid values, or names, if they can be listed. */
  readonly allowed?: readonly unknown[];
  /** The type of the actual value. A message may be shown to others, but a value often may not. */
  readonly received?: 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string' | 'undefined';
  /** The allowed value that was probably meant. */
  readonly suggestion?: string;
}

/** The result of a check: the value with its type, or the failures. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      /** At most 100. */
      readonly errors: readonly Failure[];
      /** The number of further failures; absent if there are none. */
      readonly more?: number;
    };

/** Whether a value is of a type. Also false for a value that is nested too deeply to be judged. */
export type Guard<Value> = (value: unknown) => value is Value;

/**
 * Returns a value with its type, or the failures. It is also a schema of Standard Schema 1
 * (https://standardschema.dev), so that form libraries, routers and others accept it directly.
 */
export interface Check<Value> {
  (value: unknown): Checked<Value>;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'tallystick';
    readonly validate: (value: unknown) => Standard<Value>;
    /** Exists only in types: no value has it. */
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

/** The result of a schema of Standard Schema 1. */
export type Standard<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | {
      readonly issues: readonly { readonly message: string; readonly path: readonly (string | number)[] }[];
    };

export function guard<Value>(validate: Validate): Guard<Value> {
  return (value): value is Value => found(validate, value).length === 0;
}

export function checker<Value>(validate: Validate): Check<Value> {
  const run = (value: unknown): Checked<Value> => check(validate, value);
  const standard: Check<Value>['~standard'] = {
    version: 1,
    vendor: 'tallystick',
    validate: (value) => {
      const checked = run(value);
      // Without `strict`, a compiler cannot narrow this union by `ok`.
      if (!('errors' in checked)) return { value: checked.value };
      return {
        issues: checked.errors.map(({ pointer, message }) => ({ message, path: pathOf(pointer, value) })),
      };
    },
  };
  return Object.assign(run, { '~standard': standard });
}

export function check<Value>(validate: Validate, value: unknown): Checked<Value> {
  const failures = found(validate, value);
  if (failures.length === 0) return { ok: true, value: value as Value };
  const errors = failures
    .slice(0, MOST_TOLD)
    .map((failure, index) => told(failure, value, index < MOST_MEANT));
  const more = total(failures) - errors.length;
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

// --- internal ---

/** The wording that `wording.ts` of the generator produces, if more than the text depends on it. */
const AMONG = 'must be one of the allowed values';
const UNKNOWN_MEMBER = 'is not allowed here';

/**
 * The limit for failures of `check`, and for those that get a suggestion, because each compares many texts.
 */
const MOST_TOLD = 100;
const MOST_MEANT = 20;

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
  for (const part of pointer.split('/').slice(1)) value = memberOf(value, untoken(part));
  return value;
}

/** The names and indices that lead to a value. */
function pathOf(pointer: string, whole: unknown): (string | number)[] {
  let value = whole;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = untoken(part);
      const isPosition = Array.isArray(value);
      value = memberOf(value, name);
      return isPosition ? Number(name) : name;
    });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function lastToken(pointer: string): string {
  return untoken(pointer.slice(pointer.lastIndexOf('/') + 1));
}

function untoken(part: string): string {
  return part.replace(/~1/g, '/').replace(/~0/g, '~');
}

/** The text that differs from another by the fewest letters, if these are few. */
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
