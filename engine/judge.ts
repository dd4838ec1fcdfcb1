/** A fault of one value inside another. */
export interface Fault {
  /** JSON pointer to the value; empty for the whole. */
  readonly pointer: string;
  /** What is expected. */
  readonly message: string;
}

/** Whether a value matches its schema. */
export type Judged =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly errors: readonly Fault[];
      /** The number of further faults; absent if there are none. */
      readonly more?: number;
    };

/** Judges a value by a schema that a `ServedApi` names. */
export type Judge = (schema: string, value: unknown) => Judged;

/** A function for each schema that a `ServedApi` names. */
export type Checks = Readonly<Record<string, (value: unknown) => Judged>>;

/** @throws {Error} when the API names a schema without a function, because the two modules do not match */
export function judgeBy(checks: Checks): Judge {
  return (schema, value) => {
    const check = Object.hasOwn(checks, schema) ? checks[schema] : undefined;
    if (check === undefined) throw new Error(`there is no check for the schema ${schema}`);
    return check(value);
  };
}
