import type { Deviation } from './deviation.ts';
import { routerErrorDeviations } from './router-errors.ts';
import { routerKeyDeviations } from './router-keys.ts';
import { routerListDeviations } from './router-lists.ts';
import { routerReadDeviations } from './router-reads.ts';
import { routerRunDeviations } from './router-runs.ts';

/** Deviations of the model router. */
export const routerDeviations: readonly Deviation[] = [
  ...routerListDeviations,
  ...routerReadDeviations,
  ...routerRunDeviations,
  ...routerKeyDeviations,
  ...routerErrorDeviations,
];
