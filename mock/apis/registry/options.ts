/** How the registry and the partner route of a mock are served. */
export interface RegistryOptions {
  /** Publishers beside those of a fresh mock; one with a known id takes its place. */
  readonly publishers?: readonly PublisherOption[];
  /** Personal access tokens and the ids of the users whose they are, beside the mock's own (open point A-41). */
  readonly accessTokens?: Readonly<Record<string, string>>;
  /**
   * Takes a publication without a bearer whose access token is good, for clients that send nothing else. The contract asks
   * for the bearer (document 2, "Authentication" 1): such a mock breaks `registry.publish.auth-required`.
   */
  readonly acceptTokenWithoutBearer?: boolean;
  /** The longest archive that an upload address takes, in bytes; 50 MiB when left out. */
  readonly archiveLimit?: number;
  /** Makes callbacks of the partner route. Off when left out: the address is looked at and never called. */
  readonly webhooks?: WebhookOptions;
}

export interface PublisherOption {
  /** In lower case. */
  readonly id: string;
  readonly name?: string;
  readonly members?: readonly { readonly user: string; readonly role: string }[];
  /** Ids of nodes that it has already, without versions. */
  readonly nodes?: readonly string[];
}

export interface WebhookOptions {
  readonly deliver: boolean;
  /** Names of hosts that may be called, or `any`. Those of this machine when left out. */
  readonly hosts?: readonly string[] | 'any';
  /** How long one call may take, in real milliseconds; 5,000 when left out. */
  readonly timeoutMs?: number;
}

/** The default for the longest archive, in bytes. */
export const ARCHIVE_LIMIT = 50 * 2 ** 20;
