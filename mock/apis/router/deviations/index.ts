import type { Deviation } from '../../../deviations/deviation.ts';
import { routerErrorDeviations } from './errors.ts';
import { routerKeyDeviations } from './keys.ts';
import { routerListDeviations } from './lists.ts';
import { routerReadDeviations } from './reads.ts';
import { routerRunDeviations } from './runs.ts';

/** Deviations of the model router. */
export const routerDeviations: readonly Deviation[] = [
  ...routerListDeviations,
  ...routerReadDeviations,
  ...routerRunDeviations,
  ...routerKeyDeviations,
  ...routerErrorDeviations,
];
