import type { Deviation } from './deviation.ts';

/** Deviations of the node registry and the partner proxy. */
export const registryDeviations: readonly Deviation[] = [];
