import { type Form, isRecord, misfitOf, suggest } from '../../contract/index.ts';
import { ControlMistake } from './api-control.ts';

/** @throws {ControlMistake} for a body that is not a JSON object */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new ControlMistake('The body must be a JSON object.');
  return value;
}

/**
 * The members of a body.
 *
 * @throws {ControlMistake} for a body that is not a JSON object, and for a member that is not known
 */
export function membersOf<Name extends string>(
  value: unknown,
  known: readonly Name[],
): Readonly<Partial<Record<Name, unknown>>> {
  const body = recordOf(value);
  const unknown = Object.keys(body).find((name) => !known.some((other) => other === name));
  if (unknown === undefined) return body as Partial<Record<Name, unknown>>;
  const near = suggest(unknown, known);
  throw new ControlMistake(
    `Unknown member ${JSON.stringify(unknown)}.${near === undefined ? '' : ` Did you mean "${near}"?`} Known: ${known.join(', ')}.`,
  );
}

/**
 * A body that has this form.
 *
 * @throws {ControlMistake} for any other one, with the place
 */
export function formed<Value>(body: unknown, form: Form): Value {
  const misfit = misfitOf(body, form);
  if (misfit === undefined) return body as Value;
  const { pointer, message, known } = misfit;
  const members = known === undefined ? '' : `. Known: ${known.join(', ')}`;
  throw new ControlMistake(`body${pointer}: ${message}${members}`);
}

/** The result of `act`. A RangeError of it describes a mistake of the caller, and becomes a {@link ControlMistake}. */
export function asMistake<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (error instanceof RangeError) throw new ControlMistake(error.message);
    throw error;
  }
}
