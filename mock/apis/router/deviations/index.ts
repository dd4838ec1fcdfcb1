import type { Deviation } from '../../../deviations/deviation.ts';
import { routerCursorDeviations } from './cursors.ts';
import { routerEntryDeviations } from './entries.ts';
import { routerErrorDeviations } from './errors.ts';
import { routerFailureDeviations } from './failures.ts';
import { routerKeyDeviations } from './keys.ts';
import { routerListDeviations } from './lists.ts';
import { routerModelRefusalDeviations } from './model-refusals.ts';
import { routerReadDeviations } from './reads.ts';
import { routerRunDeviations } from './runs.ts';

/** Deviations of the model router. */
export const routerDeviations: readonly Deviation[] = [
  ...routerEntryDeviations,
  ...routerListDeviations,
  ...routerCursorDeviations,
  ...routerReadDeviations,
  ...routerRunDeviations,
  ...routerModelRefusalDeviations,
  ...routerFailureDeviations,
  ...routerKeyDeviations,
  ...routerErrorDeviations,
];
