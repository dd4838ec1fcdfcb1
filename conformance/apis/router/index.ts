import type { ApiSuite } from '../../api-suite.ts';
import { declaredRouter } from './declared.ts';
import { routerExplorations } from './explore.ts';
import { routerOracles } from './oracles/index.ts';
import { overdueRuns } from './overdue.ts';
import { routerPreflight } from './preflight.ts';
import { routerFuzz, routerScenarios } from './probes/index.ts';

export const router: ApiSuite = {
  ...declaredRouter,
  byTemplates: [
    ...['current', 'tag', 'no-body', 'weak', 'list', 'any', 'changed', 'kept-headers'].map(
      (name) => `conditional-get.${name}`,
    ),
    ...[
      ...['limit-default', 'limit', 'page-size', 'shown-limit', 'limit-clamped', 'huge-limit'],
      ...['zero-limit', 'negative-limit', 'two-walks'],
      ...['empty-cursor', 'made-up-cursor', 'long-cursor', 'cut-cursor', 'cursor-error', 'cursor-fallback'],
    ].map((name) => `pagination.${name}`),
  ],
  scenarios: routerScenarios,
  fuzzScenarios: routerFuzz,
  explorations: routerExplorations,
  oracles: routerOracles,
  preflight: routerPreflight,
  judgeLosses: overdueRuns,
};
