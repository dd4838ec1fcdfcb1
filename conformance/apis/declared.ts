import type { DeclaredApi } from '../declared-api.ts';
import { declaredJobs } from './jobs/declared.ts';
import { declaredRegistry } from './registry/declared.ts';
import { declaredRouter } from './router/declared.ts';

/** The facts about each API that are known before anything is sent. This does not load its probes. */
export const declaredApis: readonly DeclaredApi[] = [declaredRouter, declaredRegistry, declaredJobs];

/** Whether an API is one of these, and not a user's own. */
export function isBuiltIn(name: string): boolean {
  return declaredApis.some(({ api }) => api === name);
}

/** The callers that are specific to one API. */
export type ApiIdentity =
  | keyof typeof declaredRouter.identities
  | keyof typeof declaredRegistry.identities
  | keyof typeof declaredJobs.identities;
