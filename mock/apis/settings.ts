import { jobsSettings } from './jobs/settings.ts';
import type { ModuleSettings } from './module-settings.ts';
import { registrySettings } from './registry/settings.ts';
import { routerSettings } from './router/settings.ts';

/** The settings of each built-in contract. */
export const moduleSettings: readonly ModuleSettings[] = [routerSettings, jobsSettings, registrySettings];
