import type { DeclaredApi } from '../api-suite.ts';
import { declaredJobs } from './jobs/declared.ts';
import { declaredRegistry } from './registry/declared.ts';
import { declaredRouter } from './router/declared.ts';

/** What can be known of each API before anything is sent. Its probes are not loaded for it. */
export const declaredApis: readonly DeclaredApi[] = [declaredRouter, declaredRegistry, declaredJobs];

/** The callers that only one API knows. */
export type ApiIdentity =
  | keyof typeof declaredRouter.identities
  | keyof typeof declaredRegistry.identities
  | keyof typeof declaredJobs.identities;
