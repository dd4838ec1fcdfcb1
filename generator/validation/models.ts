import { explain } from './checks.ts';
import type { Checked, Failure } from './checks.ts';

/** One model, whose input is known by its own schema. */
export interface Model<Input, Result, Options> {
  readonly id: string;
  /** The value as this model's input, or what is wrong with it. */
  check(input: unknown): Checked<Input>;
  /** Runs the model. Rejects with an `InputError` before anything is sent, where the input is not what it takes. */
  run(input: Input, options?: Options): Promise<Result>;
}

/** Nothing was sent: the input is not what the model's own schema describes. */
export class InputError extends TypeError {
  override readonly name = 'InputError';
  readonly failures: readonly Failure[];
  constructor(id: string, failures: readonly Failure[]) {
    super(`the input is not what ${id} takes:\n${explain(failures)}`);
    this.failures = failures;
  }
}

/** @param run sends an input that was checked */
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
