import type { ApiModule } from '../module.ts';
import { registryApi } from './api.ts';
import { oddRegistry, type AssumeRegistry } from './assumptions.ts';
import { registryDeviations } from './deviations/index.ts';
import { registryChanges } from './durable-state.ts';

export const registryModule: ApiModule = {
  name: 'registry',
  odd: oddRegistry,
  deviations: registryDeviations,
  changes: registryChanges,
  make: (contract, { options, clock, ids, steering, keep, assume, names, deviations }) =>
    registryApi({
      ...{ contract, clock, ids, steering, keep, deviations },
      assume: assume as AssumeRegistry,
      besideRouter: names.includes('router'),
      profile: options.profile ?? 'faithful',
      publicUrl: options.publicUrl,
      options: options.registry ?? {},
    }),
};
