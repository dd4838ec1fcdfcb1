import { misfitOf, type Form } from '../../contract/index.ts';
import { modules } from '../apis/index.ts';
import { enactedChanges } from '../enacted/keys.ts';
import type { StateChange } from './durable-state.ts';

/**
 * Validates changes from outside, and returns a deep copy. Each must have the form of its part; parts of APIs
 * that a mock does not serve are accepted too, and ignored when the changes are applied.
 *
 * @throws {RangeError} for anything else, with its place
 */
export function readChanges(value: unknown): readonly StateChange[] {
  const copy = value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
  const misfit = misfitOf(copy, stateForm);
  if (misfit === undefined) return copy as readonly StateChange[];
  throw new RangeError(`changes${misfit.pointer}: ${misfit.message}`);
}

// --- internal ---

const stateForm: Form = {
  listOf: {
    by: 'part',
    cases: Object.assign({}, ...modules.map(({ changes }) => changes), enactedChanges) as Record<
      string,
      Form
    >,
  },
};
