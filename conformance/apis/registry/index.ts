import type { ApiSuite } from '../../api-suite.ts';
import { declaredRegistry } from './declared.ts';
import { registryExplorations } from './explore.ts';
import { registryOracles } from './oracles/index.ts';
import { registryFuzz, registryScenarios } from './probes/index.ts';
import { registryWrites } from './writes.ts';

export const registry: ApiSuite = {
  ...declaredRegistry,
  scenarios: registryScenarios,
  fuzzScenarios: registryFuzz,
  explorations: registryExplorations,
  oracles: registryOracles,
  writes: registryWrites,
  secrecyRules: ['registry.publish.pat-not-echoed'],
};
