import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { sizeOfJson } from './json-bounds.ts';

/** A file from elsewhere does not have the expected form. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/**
 * Parses JSON text and validates it by a schema. No name in the value can reach a prototype.
 *
 * @throws {ShapeError} with the place, as a JSON pointer, and the fault
 */
export function checkedJson(text: string, schema: object): unknown {
  const { excess } = sizeOfJson(text, MOST_VALUES);
  if (excess !== undefined) throw new ShapeError(`it ${excess}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ShapeError('it is not JSON', { cause });
  }
  const validate = new Ajv2020({ logger: false }).compile(schema);
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  const place = error?.instancePath ?? '';
  throw new ShapeError(`${place === '' ? 'it' : place} ${said(error)}`);
}

// --- internal ---

/** The fault of a value, as a sentence about its name. */
function said(error: ErrorObject | undefined): string {
  const { keyword = '', message = 'is not allowed', params = {} } = error ?? {};
  const { missingProperty, allowedValues, type } = params as {
    readonly missingProperty?: string;
    readonly allowedValues?: readonly unknown[];
    readonly type?: string;
  };
  if (keyword === 'required') return `has no ${JSON.stringify(missingProperty)}`;
  if (keyword === 'type') return `must be ${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;
  if (allowedValues !== undefined) return `must be one of ${allowedValues.map(String).join(', ')}`;
  return message;
}

/** A report of a long run has some hundred thousand. */
const MOST_VALUES = 20_000_000;
