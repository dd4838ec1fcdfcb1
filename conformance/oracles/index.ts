import type { Oracle } from '../oracle.ts';
import { jobsOracles } from './jobs.ts';
import { registryOracles } from './registry.ts';
import { routerOracles } from './router.ts';

export const oracles: readonly Oracle[] = [...routerOracles, ...registryOracles, ...jobsOracles];
