import { callsOperations } from './control-operations/calls.ts';
import { outcomesOperations } from './control-operations/outcomes.ts';
import { readingOperations } from './control-operations/reading.ts';
import { resourcesOperations } from './control-operations/resources.ts';
import { stateOperations } from './control-operations/state.ts';
import type { ControlOperation } from './control-operations/operation.ts';

export type { ControlOperation };

/** Every operation of the control API, in the order of the reference page. */
export const controlOperations: readonly ControlOperation[] = [
  ...callsOperations,
  ...outcomesOperations,
  ...readingOperations,
  ...stateOperations,
  ...resourcesOperations,
];
