import type { ApiSuite } from '../../api-suite.ts';
import { declaredJobs } from './declared.ts';
import { jobsExplorations } from './explore.ts';
import { jobsOracles } from './oracles/index.ts';
import { jobsPreflight } from './preflight.ts';
import { jobsFuzz, jobsScenarios } from './probes/index.ts';
import { jobsWrites } from './writes.ts';

export const jobs: ApiSuite = {
  ...declaredJobs,
  scenarios: jobsScenarios,
  fuzzScenarios: jobsFuzz,
  explorations: jobsExplorations,
  oracles: jobsOracles,
  writes: jobsWrites,
  preflight: jobsPreflight,
};
