import type { ApiSuite } from '../../api-suite.ts';
import { declaredRouter } from './declared.ts';
import { routerExplorations } from './explore.ts';
import { routerOracles } from './oracles/index.ts';
import { OCCASIONS } from './offers.ts';
import { overdueRuns } from './overdue.ts';
import { routerPreflight } from './preflight.ts';
import { routerFuzz, routerScenarios } from './probes/index.ts';

export const router: ApiSuite = {
  ...declaredRouter,
  calls: { runModel: { permission: 'billed', fixture: 'model.ok' } },
  fixtureNames: {
    'bodies.runModel': 'model.ok',
    ...Object.fromEntries(
      Object.entries(OCCASIONS).map(([occasion, names]) => [
        `occasions.runModel.${occasion}`,
        `model.${names[0]}`,
      ]),
    ),
  },
  byTemplates: [
    ...[
      ...['first-use', 'replayed', 'mismatch', 'not-overwritten', 'no-key'],
      ...['in-flight', 'retry-after', 'consumed', 'released', 'window'],
    ].map((name) => `idempotency.${name}`),
    'credentials',
    'conditional-get',
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
