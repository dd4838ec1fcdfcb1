import type { Credential } from './credential.ts';
import type { FixtureShape } from './fixture-shape.ts';
import type { Fixtures } from './fixtures.ts';
import type { Placeholder } from './masking.ts';

/** What can be known of an API before anything is sent. */
export interface DeclaredApi {
  readonly api: string;
  /** Its members of the fixtures file. */
  readonly fixtures: Readonly<Record<string, FixtureShape>>;
  /** Need to the members that a line for it must show, where the need is not the name of one member. */
  readonly lines: Readonly<Record<string, unknown>>;
  /** The callers that only this API knows. */
  readonly identities: Readonly<Record<string, IdentitySource>>;
  /** Secrets of the fixtures that are no credential of an identity. */
  readonly secrets?: (fixtures: Fixtures) => readonly (readonly [string | undefined, Placeholder])[];
  /** Where the API is, if the fixtures say that it is elsewhere. */
  readonly baseUrl?: (fixtures: Fixtures) => string | undefined;
  /** Whether this is the body of an error of this API. */
  readonly isError: (json: unknown) => boolean;
}

/** What the credentials of identities are made from. */
export interface CredentialParts {
  readonly valid: Credential | undefined;
  readonly fixtures: Fixtures;
  readonly apiKey: string | undefined;
  readonly byKey: (key: string | undefined) => Credential | undefined;
  readonly asBearer: (token: string | undefined) => Credential | undefined;
}

/** A caller: where its credential comes from, and how reports call it. */
export interface IdentitySource {
  /** The fixture that gives its credential. */
  readonly need: string;
  /** Set where the need is met by any credential that fits, not by one member of the fixtures. */
  readonly isDerived?: true;
  /** What may stand for its secret in a report. The first one names the secret, if the identity is a `namesSecret`. */
  readonly placeholders: readonly Placeholder[];
  readonly namesSecret?: true;
  /** Set where it is refused on purpose, or taken only on some servers: a 401 to it tells nothing of the fixtures. */
  readonly isUnwatched?: true;
  readonly credential: (parts: CredentialParts) => Credential | undefined;
  /** Whether this caller needs no credential on this server. */
  readonly isOpen?: (fixtures: Fixtures) => boolean;
}
