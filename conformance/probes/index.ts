import type { Preflight } from '../preflight.ts';
import type { Scenario } from '../scenario.ts';
import { jobsScenarios } from './jobs/index.ts';
import { registryScenarios } from './registry/index.ts';
import { routerScenarios } from './router/index.ts';
import { routerPreflight } from './router/preflight.ts';

const NO_JOB = '00000000-0000-4000-8000-000000000000';

export const scenarios: readonly Scenario[] = [...routerScenarios, ...registryScenarios, ...jobsScenarios];

/** A job that nobody has: whatever an API says to that, it is an API that says it. */
const jobsPreflight: Preflight = {
  api: 'jobs',
  id: 'jobs.preflight',
  requests: {
    first: { method: 'GET', target: `/api/v2/jobs/${NO_JOB}`, as: 'none', times: 1 },
  },
};

export const preflights: readonly Preflight[] = [routerPreflight, jobsPreflight];
