import { alertmanager } from './alertmanager.ts';
import { directus } from './directus.ts';
import type { RealServer } from './server.ts';
import { unleash } from './unleash.ts';

export const servers: readonly RealServer[] = [unleash, directus, alertmanager];
