import type { Credential } from './target/credential.ts';
import type { FixtureShape } from './target/fixture-shape.ts';
import type { Fixtures } from './target/fixtures.ts';
import type { Placeholder } from '../contract/secrecy/index.ts';

/** The facts about an API that are known before anything is sent. */
export interface DeclaredApi {
  readonly api: string;
  /** Its members of the fixtures file. */
  readonly fixtures: Readonly<Record<string, FixtureShape>>;
  /** For needs that are not named after one member: the members that a line for the need must show. */
  readonly lines: Readonly<Record<string, unknown>>;
  /** The callers that are specific to this API. */
  readonly identities: Readonly<Record<string, IdentitySource>>;
  /** Secrets of the fixtures that are not credentials of an identity. */
  readonly secrets?: (fixtures: Fixtures) => readonly (readonly [string | undefined, Placeholder])[];
  /** The address of the API, if the fixtures give a separate one. */
  readonly baseUrl?: (fixtures: Fixtures) => string | undefined;
  /** What its members say, by operation and occasion: what the fixtures of a user's own API have, which templates read. */
  readonly offers?: (fixtures: Fixtures) => Pick<Fixtures, 'parameters' | 'bodies' | 'occasions'>;
  /** Whether a body is an error of this API. */
  readonly isError: (json: unknown) => boolean;
}

/** The sources of the credentials of identities. */
export interface CredentialParts {
  readonly valid: Credential | undefined;
  readonly fixtures: Fixtures;
  readonly apiKey: string | undefined;
  readonly byKey: (key: string | undefined) => Credential | undefined;
  readonly asBearer: (token: string | undefined) => Credential | undefined;
}

/** A caller: the source of its credential, and its name in reports. */
export interface IdentitySource {
  /** The fixture with its credential. */
  readonly need: string;
  /** Set if any suitable credential satisfies the need, not only one member of the fixtures. */
  readonly isDerived?: true;
  /**
   * Names that may replace its secret in a report. The first one names the secret, if the identity is a
   * `namesSecret`.
   */
  readonly placeholders: readonly Placeholder[];
  readonly namesSecret?: true;
  /**
   * Set if it is refused on purpose, or accepted only by some servers: a 401 to it shows nothing about the
   * fixtures.
   */
  readonly isUnwatched?: true;
  readonly credential: (parts: CredentialParts) => Credential | undefined;
  /** Whether this caller needs no credential on this server. */
  readonly isOpen?: (fixtures: Fixtures) => boolean;
}
