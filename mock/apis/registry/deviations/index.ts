import type { Deviation } from '../../../deviations/deviation.ts';
import { proxyDeviations } from './proxy.ts';
import { publishRefusalDeviations } from './publish-refusals.ts';
import { publicationDeviations } from './publish.ts';

/** Deviations of the node registry and the partner proxy. */
export const registryDeviations: readonly Deviation[] = [
  ...publicationDeviations,
  ...publishRefusalDeviations,
  ...proxyDeviations,
];
