import type { ApiModule } from '../module.ts';
import { registryApi } from './api.ts';
import { oddRegistry } from './assumptions.ts';
import { registryDeviations } from './deviations/index.ts';
import { registryChanges } from './stored-forms.ts';

export const registryModule: ApiModule = {
  name: 'registry',
  odd: oddRegistry,
  deviations: registryDeviations,
  changes: registryChanges,
  make: registryApi,
};
