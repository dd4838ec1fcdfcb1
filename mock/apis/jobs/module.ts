import type { ApiModule } from '../module.ts';
import { jobsApi } from './api.ts';
import { oddJobs } from './assumptions.ts';
import { jobsDeviations } from './deviations/index.ts';
import { jobsChanges } from './stored-forms.ts';

export const jobsModule: ApiModule = {
  name: 'jobs',
  odd: oddJobs,
  deviations: jobsDeviations,
  changes: jobsChanges,
  make: jobsApi,
};
