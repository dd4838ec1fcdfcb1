import { type Form, isRecord, misfitOf } from '../../contract/index.ts';
import type { Formed } from '../../contract/form.ts';
import { ControlMistake } from './api-control.ts';

/** @throws {ControlMistake} for a body that is not a JSON object */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new ControlMistake('The body must be a JSON object.');
  return value;
}

/**
 * A body that has this form.
 *
 * @throws {ControlMistake} for any other one, with the place of the fault
 */
export function formed<const Shape extends Form>(body: unknown, form: Shape): Formed<Shape> {
  const misfit = misfitOf(body, form);
  if (misfit === undefined) return body as Formed<Shape>;
  const { pointer, message, known } = misfit;
  const members = known === undefined ? '' : ` (known: ${known.join(', ')})`;
  throw new ControlMistake(`body${pointer}: ${message}${members}`);
}

/**
 * The result of `act`. A RangeError describes a mistake of the caller, and becomes a {@link ControlMistake}.
 */
export function asMistake<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (error instanceof RangeError) throw new ControlMistake(error.message);
    throw error;
  }
}
