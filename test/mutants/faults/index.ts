/** Lists of faults. Each was written from a contract document alone; random ones are in `../mutations.ts`. */
import type { Fault } from './fault.ts';
import { jobFaults } from './jobs.ts';
import { registryFaults } from './registry.ts';
import { routerFaults } from './router.ts';

export const faults: readonly Fault[] = [...routerFaults, ...registryFaults, ...jobFaults];
