import type { Preflight } from '../preflight.ts';
import type { Scenario } from '../scenario.ts';
import { routerScenarios } from './router/index.ts';
import { routerPreflight } from './router/preflight.ts';

export const scenarios: readonly Scenario[] = [...routerScenarios];

export const preflights: readonly Preflight[] = [routerPreflight];
