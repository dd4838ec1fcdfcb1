import type { DeclaredApi } from '../declared-api.ts';
import { declaredJobs } from './jobs/declared.ts';
import { declaredRegistry } from './registry/declared.ts';
import { declaredRouter } from './router/declared.ts';

/** The facts about each API that are known before anything is sent. This does not load its probes. */
export const declaredApis: readonly DeclaredApi[] = [declaredRouter, declaredRegistry, declaredJobs];

/** The callers that are specific to one API. */
export type ApiIdentity =
  | keyof typeof declaredRouter.identities
  | keyof typeof declaredRegistry.identities
  | keyof typeof declaredJobs.identities;
