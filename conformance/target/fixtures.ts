import type { Json } from '../../contract/index.ts';
import type { ApiFixtures } from '../apis/fixtures.ts';
import type { Credential } from './credential.ts';
import type { Occasions } from './occasions.ts';

/**
 * The resources that a live server offers to the suite; every member is optional. Their shapes explain the
 * members.
 */
export interface Fixtures extends ApiFixtures {
  readonly baseUrl?: string;
  /** For a user's own API: which server of the document the base URL is the address of; `*` if of all of them. */
  readonly server?: string;
  readonly cred?: {
    readonly valid?: Credential;
    readonly apiKey?: string;
    readonly jwt?: string;
    readonly forbidden?: string;
    readonly secondAccount?: string;
    /** A token of the second account, where `secondAccount` is its key. */
    readonly secondJwt?: string;
    /** For a user's own API: another value of the parameter that names the owner of things. */
    readonly secondOwner?: string;
    readonly refused?: string;
  };
  readonly account?: {
    readonly noCredits?: string;
    /** A caller of whom few calls may run at once: so many. */
    readonly narrow?: string;
    readonly narrowCalls?: number;
  };
  readonly capabilities?: { readonly keyAsBearer?: boolean };
  /** For a user's own API: values of parameters, by `name` or by `operationId.name`. */
  readonly parameters?: Readonly<Record<string, Json>>;
  /** For a user's own API: bodies by operationId. */
  readonly bodies?: Readonly<Record<string, Json>>;
  /** For a user's own API: calls that bring about what no document states. */
  readonly occasions?: Occasions;
  /** For a user's own API: ids of operations that may be called although they may change what the run did not make. */
  readonly writes?: readonly string[];
  /** Ids of things that a scenario made, for what the bodies of operations name. No file has them. */
  readonly made?: Readonly<Record<string, readonly MadeId[]>>;
}

/** The id of a thing that was made, and where in a body it belongs. */
export interface MadeId {
  readonly path: readonly string[];
  readonly id: Json;
}
