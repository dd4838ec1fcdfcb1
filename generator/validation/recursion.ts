/** Failures as they are found. Those of alternatives that did not match are removed from its end. */
export type Failures = Found[] & { recursion?: Recursion };

interface Found {
  pointer: string;
  message: string;
  allowed?: readonly unknown[];
  /** The number of further failures that are not kept. */
  others?: number;
}

/**
 * Adds the faults of a value to `failures`.
 *
 * @param pointer to the value; a value with a pointer is a member, which may be absent
 */
export type Validate = (value: unknown, failures: Failures, pointer?: string) => void;

/** The value is nested too deeply for validators. Its validity is unknown. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
  constructor() {
    super(`is nested more than ${MOST_LEVELS} levels deep`);
  }
}

/**
 * Runs a recursive validator. Each validator judges each object once, regardless of how many alternatives
 * ask: with two recursive alternatives, the time would otherwise double with each level.
 *
 * @throws {TooDeep} instead of an overflow of the call stack
 */
export function recurse(validate: Validate, value: unknown, failures: Failures, pointer: string): void {
  if (typeof value !== 'object' || value === null) {
    validate(value, failures, pointer);
    return;
  }
  const count = failures.length;
  judge(validate, value, failures);
  below(pointer, failures, count);
}

export function fail(
  failures: Failures,
  pointer: string,
  message: string,
  allowed?: readonly unknown[],
): void {
  failures.push(allowed === undefined ? { pointer, message } : { pointer, message, allowed });
}

/**
 * Prefixes the pointers of the failures after the first `count` with the pointer to the value in which they
 * were found.
 */
export function below(pointer: string, failures: Failures, count: number): void {
  for (let index = count; index < failures.length; index += 1) {
    const failure = failures[index];
    if (failure !== undefined) failure.pointer = pointer + failure.pointer;
  }
}

/** The number of failures, including those that are not kept. */
export function total(failures: readonly Found[]): number {
  return failures.reduce((sum, { others = 0 }) => sum + 1 + others, 0);
}

/** The name of a member, escaped for a JSON pointer. */
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

// --- internal ---

/** Many failures can be below one long name. */
const longTokens = new Map<string, string>();

/** The default limit of servers for nested JSON. */
const MOST_LEVELS = 200;
/** Of one value. */
const MOST_FAILURES = 100;
/**
 * The limit for failures that are kept completely in one check; of later values only the first one is kept.
 */
const MOST_KEPT = 10_000;

interface Recursion {
  levels: number;
  /** The value that is being judged. */
  at: object | undefined;
  readonly judged: Map<Validate, Map<object, readonly Failures[number][]>>;
  spare: number;
}

function judge(validate: Validate, value: object, failures: Failures): void {
  const recursion = (failures.recursion ??= {
    levels: 0,
    at: undefined,
    judged: new Map(),
    spare: MOST_KEPT,
  });
  const judged = judgedBy(recursion, validate);
  const known = judged.get(value);
  if (known !== undefined) {
    for (const failure of known) failures.push({ ...failure });
    return;
  }
  const { levels, at } = recursion;
  // A reference on the same value is not deeper.
  if (at !== undefined && at !== value) recursion.levels += 1;
  if (recursion.levels > MOST_LEVELS) throw new TooDeep();
  recursion.at = value;
  const count = failures.length;
  validate(value, failures);
  recursion.levels = levels;
  recursion.at = at;
  // The outermost value is not judged a second time.
  if (at === undefined) return;
  // Each enclosing level reads them again.
  keepFirst(failures, count + MOST_FAILURES);
  const copies = failures.slice(count).map((failure) => ({ ...failure }));
  if (recursion.spare <= 0) keepFirst(copies, 1);
  recursion.spare -= copies.length;
  judged.set(value, copies);
}

/** Keeps the first failures; the last kept one has the number of the others. */
function keepFirst(failures: Found[], count: number): void {
  const last = failures[count - 1];
  if (last === undefined || failures.length === count) return;
  last.others = total(failures.slice(count - 1)) - 1;
  failures.length = count;
}

function judgedBy({ judged }: Recursion, validate: Validate): Map<object, readonly Failures[number][]> {
  let values = judged.get(validate);
  if (values === undefined) judged.set(validate, (values = new Map()));
  return values;
}
