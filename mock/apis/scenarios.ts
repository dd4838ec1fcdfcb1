import type { MockScenario } from '../scenarios/scenario.ts';
import { jobScenarios } from './jobs/scenarios.ts';
import { registryScenarios } from './registry/scenarios.ts';
import { routerScenarios } from './router/scenarios.ts';

/** The magic values of all modules. Data alone: the modules themselves look them up. */
export const apiScenarios: readonly MockScenario[] = [
  ...routerScenarios,
  ...registryScenarios,
  ...jobScenarios,
];
