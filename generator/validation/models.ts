import { explain } from './checks.ts';
import type { Checked, Failure } from './checks.ts';

/** One model, whose input its own schema describes. */
export interface Model<Input, Result, Options> {
  readonly id: string;
  /** The value as this model's input, or the failures. */
  check(input: unknown): Checked<Input>;
  /** Runs the model. If the input is invalid, rejects with an `InputError` before anything is sent. */
  run(input: Input, options?: Options): Promise<Result>;
}

/** Nothing was sent, because the input is invalid by the model's own schema. */
export class InputError extends TypeError {
  override readonly name = 'InputError';
  readonly failures: readonly Failure[];
  constructor(id: string, failures: readonly Failure[]) {
    super(`the input is not valid for ${id}:\n${explain(failures)}`);
    this.failures = failures;
  }
}

/** @param run sends an input that was validated */
export function modelOf<Input, Result, Options>(
  id: string,
  check: (input: unknown) => Checked<Input>,
  run: (input: Input, options?: Options) => Promise<Result>,
): Model<Input, Result, Options> {
  return {
    id,
    check,
    run: async (input, options) => {
      const checked = check(input);
      if (checked.ok === false) throw new InputError(id, checked.errors);
      return run(input, options);
    },
  };
}
