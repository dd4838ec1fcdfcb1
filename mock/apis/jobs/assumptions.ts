import type { AssumptionOverrides } from '../../assumptions.ts';

/**
 * The mock's choices where the contract of the jobs is silent, by the id of the open point. These are the
 * shapes that the behaviours rely on; the values are in the behaviour sheet (`unspecified`).
 */
export interface JobAssumptions {
  readonly 'A-60': { readonly graphMember: string };
  readonly 'A-61': { readonly keys: readonly string[] };
  readonly 'A-63': {
    readonly status: Readonly<Record<string, number>>;
    readonly roles: Readonly<Record<string, string>>;
  };
  readonly 'A-64': { readonly status: number; readonly code: string };
  readonly 'A-65': { readonly codes: readonly string[] };
  readonly 'A-67': { readonly status: number; readonly cacheControl: string };
  readonly 'A-68': {
    readonly typeMember: string;
    readonly type: string;
    readonly infoMember: string;
    /** The first one names the asset. */
    readonly infoMembers: readonly string[];
    readonly malformedOrForeign: string;
  };
  readonly 'A-69': {
    readonly status: string;
    readonly progress: string;
    readonly preview: string;
    /** The name of an additional event for each new output; null for none. */
    readonly output: string | null;
  };
  readonly 'A-70': { readonly every: string };
  readonly 'A-72': { readonly members: readonly string[]; readonly perSecond: number };
  readonly 'A-73': { readonly members: readonly string[]; readonly contentType: string };
  readonly 'A-74': { readonly members: readonly string[] };
  readonly 'A-75': { readonly code: string; readonly members: readonly string[] };
  readonly 'A-76': { readonly form: LinkForm };
  readonly 'A-77': { readonly members: readonly string[] };
  readonly 'A-78': { readonly members: readonly string[] };
  /** The states of a queued job after it is cancelled; the last one is terminal. */
  readonly 'A-81': { readonly path: readonly string[] };
  readonly 'A-84': { readonly expiresAfter: string; readonly readableAfterExpiry: string };
  readonly 'A-85': { readonly status: number; readonly code: string };
  readonly 'A-86': {
    readonly surface: Surface;
    readonly withoutCredential: { readonly status: number; readonly code: string };
  };
  readonly 'A-91': { readonly isOver: 'later' | 'before the answer' };
  readonly 'A-89': { readonly status: number };
}

/** The place where jobs run. It determines credentials, links and logs. */
export type Surface = 'cloud' | 'self-hosted' | 'serverless' | 'demo';

/** `mixed`: some links of a job are absolute, the others begin with a slash. */
export type LinkForm = 'host-relative' | 'absolute' | 'mixed';

export type AssumeJobs = <Id extends keyof JobAssumptions>(id: Id) => JobAssumptions[Id];

/** Other choices of the profile `legal-but-odd`. */
export const oddJobs: AssumptionOverrides = { 'A-76': { form: 'mixed' } };
