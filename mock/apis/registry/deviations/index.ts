import type { Deviation } from '../../../deviations/deviation.ts';
import { proxyDeviations } from './proxy.ts';
import { publishDeviations } from './publish.ts';

/** Deviations of the node registry and the partner proxy. */
export const registryDeviations: readonly Deviation[] = [...publishDeviations, ...proxyDeviations];
