import type { Json } from '../contract/index.ts';
import type { ApiFixtures } from './apis/fixtures.ts';
import type { Credential } from './credential.ts';

/** What a live server has to offer; every member is optional. The members are explained where their shapes are. */
export interface Fixtures extends ApiFixtures {
  readonly baseUrl?: string;
  readonly cred?: {
    readonly valid?: Credential;
    readonly apiKey?: string;
    readonly jwt?: string;
    readonly forbidden?: string;
    readonly secondAccount?: string;
    readonly refused?: string;
  };
  readonly account?: { readonly noCredits?: string };
  readonly capabilities?: { readonly keyAsBearer?: boolean };
  /** Of an API of a user's own: values of parameters, by `name` or by `operationId.name`. */
  readonly parameters?: Readonly<Record<string, Json>>;
  /** Of an API of a user's own: bodies by operationId. */
  readonly bodies?: Readonly<Record<string, Json>>;
}
