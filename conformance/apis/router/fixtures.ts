import type { Json } from '../../../contract/index.ts';

/** A call whose outcome is known. */
export interface ModelFixture {
  readonly id: string;
  readonly input: Json;
}

/** The fixtures of a server with the router. */
export interface RouterFixtures {
  readonly deadlineMs?: number;
  readonly concurrency?: {
    readonly bound?: number;
    readonly cred?: string;
    readonly id?: string;
    readonly input?: Json;
  };
  readonly spend?: {
    readonly bound?: ModelFixture & {
      readonly cents?: number;
      readonly cred?: string;
      readonly calls: number;
    };
  };
  readonly cursor?: { readonly expired?: string };
  readonly model?: {
    readonly ok?: ModelFixture;
    readonly echo?: ModelFixture & {
      readonly expectedOutput?: Json;
      readonly rawInput?: string;
      readonly rawOutput?: string;
    };
    readonly slow?: ModelFixture & { readonly minMs?: number };
    readonly reject422?: ModelFixture & { readonly single?: Json; readonly expectedFailures?: number };
    readonly policy?: ModelFixture;
    readonly deadline?: ModelFixture;
    readonly providerTimeout?: ModelFixture;
    readonly '5xx'?: ModelFixture;
    readonly '503'?: ModelFixture;
    readonly '425'?: ModelFixture;
    readonly hugeOutput?: ModelFixture;
    readonly noSchema?: ModelFixture;
    readonly creditsHeader?: ModelFixture;
    readonly unreleased?: string;
    readonly unknown?: string;
    readonly unknownProvider?: string;
  };
  readonly provider?: { readonly probe?: string };
}
