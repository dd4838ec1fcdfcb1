import type { ApiSuite } from '../../api-suite.ts';
import { declaredJobs } from './declared.ts';
import { jobsExplorations } from './explore.ts';
import { jobsOracles } from './oracles/index.ts';
import { OCCASIONS } from './offers.ts';
import { jobsPreflight } from './preflight.ts';
import { jobsFuzz, jobsScenarios } from './probes/index.ts';
import { jobsWrites } from './writes.ts';

export const jobs: ApiSuite = {
  ...declaredJobs,
  calls: {
    submitJob: { permission: 'jobs', fixture: 'job.ok' },
    cancelJob: { permission: 'jobs', fixture: 'job.ok' },
  },
  callers: { valid: 'jobOwner', noCredits: 'jobNoCredits' },
  fixtureNames: {
    'bodies.submitJob': 'job.ok',
    ...Object.fromEntries(
      Object.entries(OCCASIONS).map(([occasion, [name]]) => [
        `occasions.submitJob.${occasion}`,
        `job.${name}`,
      ]),
    ),
  },
  byTemplates: ['no-key', 'window', 'released'].map((name) => `idempotency.${name}`),
  scenarios: jobsScenarios,
  fuzzScenarios: jobsFuzz,
  explorations: jobsExplorations,
  oracles: jobsOracles,
  writes: jobsWrites,
  preflight: jobsPreflight,
};
