import type { Deviation } from './deviation.ts';

/** Deviations of the workflow jobs. */
export const jobsDeviations: readonly Deviation[] = [];
