import { Ajv2020 } from 'ajv/dist/2020.js';
import { sizeOfJson } from './json-bounds.ts';

/** A file that people hand on is not what it has to be. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/**
 * Reads JSON text of which only a schema tells the shape. No name in the value can reach a prototype.
 *
 * @throws {ShapeError} with the place, as a JSON pointer, and what is wrong there
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
  const { instancePath = '', message = 'is not allowed', params = {} } = error ?? {};
  const allowed = (params as { readonly allowedValues?: readonly unknown[] }).allowedValues;
  const wanted = allowed === undefined ? message : `must be one of ${allowed.map(String).join(', ')}`;
  throw new ShapeError(`${instancePath === '' ? 'the whole' : instancePath} ${wanted}`);
}

// --- internal ---

/** A report of a long run has some hundred thousand. */
const MOST_VALUES = 20_000_000;
