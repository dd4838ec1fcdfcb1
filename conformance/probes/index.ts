import type { Preflight } from '../preflight.ts';
import type { Scenario } from '../scenario.ts';
import { jobsFuzz, jobsScenarios } from './jobs/index.ts';
import { jobsPreflight } from './jobs/preflight.ts';
import { registryFuzz, registryScenarios } from './registry/index.ts';
import { routerFuzz, routerScenarios } from './router/index.ts';
import { routerPreflight } from './router/preflight.ts';

export const scenarios: readonly Scenario[] = [...routerScenarios, ...registryScenarios, ...jobsScenarios];

/** They look for more breaks of rules that others judge already, and send as much as the caller allows. */
export const fuzzScenarios: readonly Scenario[] = [...routerFuzz, ...registryFuzz, ...jobsFuzz];

export const preflights: readonly Preflight[] = [routerPreflight, jobsPreflight];
