import type { ApiSuite } from '../../api-suite.ts';
import { declaredRouter } from './declared.ts';
import { routerExplorations } from './explore.ts';
import { routerOracles } from './oracles/index.ts';
import { overdueRuns } from './overdue.ts';
import { routerPreflight } from './preflight.ts';
import { routerFuzz, routerScenarios } from './probes/index.ts';

export const router: ApiSuite = {
  ...declaredRouter,
  scenarios: routerScenarios,
  fuzzScenarios: routerFuzz,
  explorations: routerExplorations,
  oracles: routerOracles,
  preflight: routerPreflight,
  judgeLosses: overdueRuns,
};
