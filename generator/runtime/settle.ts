import { CallError } from './errors.ts';
import type { Answer } from './operation.ts';

declare const failures: unique symbol;

/** A promise of a result whose type also contains the errors that the call can throw, for `settle`. */
export type Call<Result extends Answer, Failure extends CallError = CallError> = Promise<Result> & {
  readonly [failures]?: Failure;
};

/**
 * The outcome of a call as a value, for callers that prefer it to exceptions: `const outcome = await
 * settle(getThing(...)); if (outcome.ok) outcome.data; else outcome.error.bucket`.
 *
 * @throws everything that is not an outcome of a call: the reason of an aborted signal, and a `TypeError` for
 * a wrong argument
 */
export async function settle<Result extends Answer, Failure extends CallError = CallError>(
  call: Call<Result, Failure>,
): Promise<({ readonly ok: true } & Result) | { readonly ok: false; readonly error: Failure }> {
  try {
    return { ok: true, ...(await call) };
  } catch (error) {
    if (error instanceof CallError) return { ok: false, error: error as Failure };
    throw error;
  }
}
