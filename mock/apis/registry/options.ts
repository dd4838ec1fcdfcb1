/** The options for the registry and the partner route of a mock. */
export interface RegistryOptions {
  /** Additional publishers; one with an existing id replaces it. */
  readonly publishers?: readonly PublisherOption[];
  /** Personal access tokens with the ids of their users, in addition to the mock's own (open point A-41). */
  readonly accessTokens?: Readonly<Record<string, string>>;
  /**
   * Accepts a publication without a bearer token if its access token is valid, for clients that send nothing
   * else. The contract requires the bearer token (document 2, "Authentication" 1), so such a mock breaks
   * `registry.publish.auth-required`.
   */
  readonly acceptTokenWithoutBearer?: boolean;
  /** The longest archive that an upload address accepts, in bytes; default: 50 MiB. */
  readonly archiveLimit?: number;
  /** Makes callbacks of the partner route. Default: off; the address is validated but never called. */
  readonly webhooks?: WebhookOptions;
}

export interface PublisherOption {
  /** In lower case. */
  readonly id: string;
  readonly name?: string;
  readonly members?: readonly { readonly user: string; readonly role: string }[];
  /** Ids of existing nodes, without versions. */
  readonly nodes?: readonly string[];
}

export interface WebhookOptions {
  readonly deliver: boolean;
  /** Names of hosts that may be called, or `any`. Default: those of this machine. */
  readonly hosts?: readonly string[] | 'any';
  /** The time limit of one call, in real milliseconds; default: 5,000. */
  readonly timeoutMs?: number;
}

/** The default for the longest archive, in bytes. */
export const ARCHIVE_LIMIT = 50 * 2 ** 20;
