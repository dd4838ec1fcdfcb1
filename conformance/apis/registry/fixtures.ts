import type { Json } from '../../../contract/index.ts';

/** The fixtures of a server with the registry. */
export interface RegistryFixtures {
  readonly publish?: {
    readonly publisherId?: string;
    readonly nodeId?: string;
    readonly node?: Json;
    readonly node_version?: Json;
    readonly pat?: string;
    readonly nextVersion?: string;
    readonly foreign?: { readonly publisherId: string; readonly nodeId: string };
    readonly second?: { readonly publisherId: string; readonly nodeId: string };
  };
  readonly proxy?: {
    readonly partner?: string;
    readonly image?: { readonly base64?: string; readonly url?: string };
  };
}
