import type { Json } from '../../../contract/index.ts';

/** The fixtures of a server with jobs. */
export interface JobsFixtures {
  readonly jobsBaseUrl?: string;
  readonly surface?: 'cloud' | 'self-hosted' | 'serverless' | 'demo';
  readonly staticToken?: string;
  readonly sse?: {
    readonly eventNames?: { readonly status?: string; readonly progress?: string; readonly preview?: string };
  };
  readonly job?: { readonly [member: string]: Json };
}
