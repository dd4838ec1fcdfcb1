import { jobsSettings } from './jobs/settings.ts';
import type { ModuleSettings } from './module-settings.ts';
import { registrySettings } from './registry/settings.ts';
import { routerSettings } from './router/settings.ts';

/** What can be set for each of our own contracts. */
export const moduleSettings: readonly ModuleSettings[] = [routerSettings, jobsSettings, registrySettings];
