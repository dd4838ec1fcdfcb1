import { ControlMistake } from './api-control.ts';

/** @throws {ControlMistake} for a body that is no JSON object */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ControlMistake('The body is a JSON object.');
  return value as Readonly<Record<string, unknown>>;
}
