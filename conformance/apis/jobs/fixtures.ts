import type { Json } from '../../../contract/index.ts';

/** What a server with jobs has to offer. */
export interface JobsFixtures {
  readonly jobsBaseUrl?: string;
  readonly surface?: 'cloud' | 'self-hosted' | 'serverless' | 'demo';
  readonly staticToken?: string;
  readonly sse?: {
    readonly eventNames?: { readonly status?: string; readonly progress?: string; readonly preview?: string };
  };
  readonly job?: { readonly [member: string]: Json };
}
