import type { ApiModule } from '../module.ts';
import { jobsApi } from './api.ts';
import { oddJobs, type AssumeJobs } from './assumptions.ts';
import { jobsDeviations } from './deviations/index.ts';
import { jobsChanges } from './durable-state.ts';

export const jobsModule: ApiModule = {
  name: 'jobs',
  odd: oddJobs,
  deviations: jobsDeviations,
  changes: jobsChanges,
  make: (contract, { options, clock, ids, steering, keep, assume, keyPrefix, deviations }) =>
    jobsApi({
      ...{ contract, clock, ids, steering, keep, keyPrefix, deviations },
      assume: assume as AssumeJobs,
      isOdd: options.profile === 'legal-but-odd',
      publicUrl: options.publicUrl,
      options: options.jobs ?? {},
    }),
};
