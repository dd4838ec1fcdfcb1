import type { Oracle } from '../oracle.ts';
import { registryOracles } from './registry.ts';
import { routerOracles } from './router.ts';

export const oracles: readonly Oracle[] = [...routerOracles, ...registryOracles];
