import type { ApiModule } from '../module.ts';
import { routerApi } from './api.ts';
import { oddRouter, type AssumeRouter } from './assumptions.ts';
import { routerDeviations } from './deviations/index.ts';
import { routerChanges } from './durable-state.ts';
import { defaultModels } from './models.ts';

export const routerModule: ApiModule = {
  name: 'router',
  odd: oddRouter,
  deviations: routerDeviations,
  changes: routerChanges,
  make: (contract, { options, clock, ids, steering, keep, assume, deviations }) => {
    const profile = options.profile ?? 'faithful';
    return routerApi({
      ...{ contract, clock, ids, steering, keep, profile, deviations },
      models: [...defaultModels(profile), ...(options.models ?? [])],
      assume: assume as AssumeRouter,
      deadlineMs: options.deadlineMs,
      publicUrl: options.publicUrl,
    });
  },
};
