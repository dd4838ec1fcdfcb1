import type { Deviation } from './deviation.ts';

/** Deviations of the model router. */
export const routerDeviations: readonly Deviation[] = [];
