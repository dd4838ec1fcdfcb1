import * as fc from 'fast-check';

/** The result of a series of random negatives. */
export interface FuzzResult<Value> {
  /** How many were tried, shrinking included. */
  readonly tried: number;
  /** The smallest one that was not refused. */
  readonly accepted: Value | undefined;
  /** The path by which fast-check finds it again in one step. */
  readonly path: string | undefined;
}

/**
 * Sends random values until one is not refused, then smaller ones, until the budget is spent. The seed
 * decides everything.
 *
 * @param isRefused sends a value
 */
export async function fuzz<Value>(
  values: fc.Arbitrary<Value>,
  isRefused: (value: Value) => Promise<boolean>,
  options: { readonly seed: number; readonly most: number; readonly runs?: number; readonly path?: string },
): Promise<FuzzResult<Value>> {
  let tried = 0;
  let thrown: unknown;
  const property = fc.asyncProperty(values, async (value) => {
    if (tried >= options.most || thrown !== undefined) return true;
    tried += 1;
    try {
      return await isRefused(value);
    } catch (error) {
      thrown = error;
      return true;
    }
  });
  const { seed, most, runs = most, path } = options;
  const found = await fc.check(property, { seed, numRuns: runs, ...(path === undefined ? {} : { path }) });
  if (thrown !== undefined) throw thrown as Error;
  return {
    tried,
    accepted: found.counterexample?.[0],
    path: found.counterexamplePath ?? undefined,
  };
}
