import type { ApiModule } from '../module.ts';
import { routerApi } from './api.ts';
import { oddRouter } from './assumptions.ts';
import { routerDeviations } from './deviations/index.ts';
import { routerChanges } from './durable-state.ts';

export const routerModule: ApiModule = {
  name: 'router',
  odd: oddRouter,
  deviations: routerDeviations,
  changes: routerChanges,
  make: routerApi,
};
