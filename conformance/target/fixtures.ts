import type { Json } from '../../contract/index.ts';
import type { ApiFixtures } from '../apis/fixtures.ts';
import type { Credential } from './credential.ts';

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
    /** For a user's own API: another value of the parameter that names the owner of things. */
    readonly secondOwner?: string;
    readonly refused?: string;
  };
  readonly account?: { readonly noCredits?: string };
  readonly capabilities?: { readonly keyAsBearer?: boolean };
  /** For a user's own API: values of parameters, by `name` or by `operationId.name`. */
  readonly parameters?: Readonly<Record<string, Json>>;
  /** For a user's own API: bodies by operationId. */
  readonly bodies?: Readonly<Record<string, Json>>;
  /** For a user's own API: how calls of an operation are made slow, failing and so on, by operationId and occasion. */
  readonly occasions?: Readonly<Record<string, Readonly<Record<string, Occasion | readonly Occasion[]>>>>;
  /** For a user's own API: ids of operations that may be called although they may change what the run did not make. */
  readonly writes?: readonly string[];
  /** Ids of things that a scenario made, for what the bodies of operations name. No file has them. */
  readonly made?: Readonly<Record<string, readonly MadeId[]>>;
}

/** A call in a situation that a live server can be brought into. */
export interface Occasion {
  /** Values of its parameters, by name. */
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly body?: Json;
  /** How long it runs at least, in milliseconds, if it is slow. */
  readonly minMs?: number;
}

/** The id of a thing that was made, and where in a body it belongs. */
export interface MadeId {
  readonly path: readonly string[];
  readonly id: Json;
}
