/** Failures as they are found. Alternatives that did not hold are taken off its end again. */
export type Failures = { pointer: string; message: string; allowed?: readonly unknown[] }[] & {
  recursion?: Recursion;
};

/** Adds what is wrong with a value to `failures`; pointers are relative to that value. */
export type Validate = (value: unknown, failures: Failures) => void;

/** The value is nested deeper than validators follow it. Nothing is said about the value otherwise. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
  constructor() {
    super(`is nested more than ${MOST_LEVELS} levels deep`);
  }
}

/**
 * Runs a validator that can lead back to itself. Each object is judged once by each validator, however many alternatives
 * ask: with two alternatives that both lead deeper, the time would double with each level.
 *
 * @param evaluated what the validator notes about the members that it has looked at, for `unevaluatedProperties` elsewhere
 * @throws {TooDeep} instead of an overflow of the call stack
 */
export function recurse(
  validate: Validate,
  value: unknown,
  failures: Failures,
  evaluated?: Record<string, unknown>,
): void {
  if (typeof value !== 'object' || value === null) {
    validate(value, failures);
    return;
  }
  const recursion = (failures.recursion ??= {
    levels: 0,
    at: undefined,
    judged: new Map(),
    spare: MOST_KEPT,
  });
  const judged = judgedBy(recursion, validate);
  const known = judged.get(value);
  if (known !== undefined) {
    for (const failure of known.failures) failures.push({ ...failure });
    if (evaluated !== undefined) Object.assign(evaluated, copyOf(known.evaluated));
    return;
  }
  const { levels, at } = recursion;
  // A reference on the same value leads no deeper.
  if (at !== value) recursion.levels += 1;
  if (recursion.levels > MOST_LEVELS) throw new TooDeep();
  recursion.at = value;
  const count = failures.length;
  validate(value, failures);
  recursion.levels = levels;
  recursion.at = at;
  // Each level above reads them again.
  if (failures.length > count + MOST_FAILURES) failures.length = count + MOST_FAILURES;
  const kept = recursion.spare > 0 ? undefined : count + 1;
  recursion.spare -= failures.length - count;
  judged.set(value, {
    failures: failures.slice(count, kept).map((failure) => ({ ...failure })),
    evaluated: evaluated && copyOf(evaluated),
  });
}

// --- internal ---

/** As deep as servers take JSON by default. */
const MOST_LEVELS = 200;
/** Of one value. */
const MOST_FAILURES = 100;
/** Copies of failures that are kept whole in one check; of later values the first one is kept. */
const MOST_KEPT = 10_000;

interface Recursion {
  levels: number;
  /** The value that is being judged. */
  at: object | undefined;
  readonly judged: Map<Validate, Map<object, Judged>>;
  spare: number;
}

interface Judged {
  readonly failures: readonly Failures[number][];
  readonly evaluated: Record<string, unknown> | undefined;
}

function judgedBy({ judged }: Recursion, validate: Validate): Map<object, Judged> {
  let values = judged.get(validate);
  if (values === undefined) judged.set(validate, (values = new Map()));
  return values;
}

/** Validators add to the members of what others noted. */
function copyOf(evaluated: Record<string, unknown> | undefined): Record<string, unknown> {
  const { props } = evaluated ?? {};
  return { ...evaluated, props: typeof props === 'object' ? { ...props } : props };
}
