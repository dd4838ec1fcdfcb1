import type { Deviation } from './deviation.ts';
import { proxyDeviations } from './registry-proxy.ts';
import { publishDeviations } from './registry-publish.ts';

/** Deviations of the node registry and the partner proxy. */
export const registryDeviations: readonly Deviation[] = [...publishDeviations, ...proxyDeviations];
