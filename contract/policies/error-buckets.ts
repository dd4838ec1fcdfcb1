/** Why an API answers with an error, by the names of its contract (document 1, "Errors"). */
export interface ErrorBucketsPolicy {
  readonly kind: 'error-buckets';
  /** The response header that always names the bucket. */
  readonly header: string;
  /** The body member that repeats it on request-level bodies. */
  readonly bodyMember: string;
  readonly detailMember: string;
  /** The bucket that a client uses for an unknown value, and that a server sends in place of an announced name. */
  readonly fallback: string;
  readonly buckets: readonly ErrorBucket[];
  /** Names that the contract announces but no answer has yet. */
  readonly forecast: readonly string[];
  /** Which bucket plays which part, so that code need not know their names. */
  readonly roles: Readonly<Record<BucketRole, string>>;
}

export interface ErrorBucket {
  readonly name: string;
  readonly level: 'request' | 'transport';
  /** Only where the contract states it. */
  readonly status?: number;
  /**
   * Whether a call that ends so is charged; absent where the contract does not say. `before-model`: not where the call was
   * refused before its model; where the model itself refused it, the contract does not say.
   */
  readonly billed?: 'yes' | 'no' | 'before-model' | 'per-model';
}

export type BucketRole =
  | 'badInput'
  | 'policyRefusal'
  | 'providerFailure'
  | 'providerTimeout'
  | 'noCredits'
  | 'unknownModel'
  | 'noCredential'
  | 'noAccess'
  | 'capacity'
  | 'disconnected'
  | 'internal'
  | 'deadline'
  | 'notEnabled'
  | 'unavailable'
  | 'rateLimit';

/** The part of the policy that a generated client contains. */
export interface BucketNames {
  readonly header: string;
  readonly bodyMember: string;
  readonly fallback: string;
  readonly buckets: readonly string[];
}

/**
 * The bucket that a client acts on: a value that the contract does not know counts as the fallback. The header is the truth,
 * since a body may lack it (document 1, "RouterValidationErrorResponse"); the body speaks only where no header can be read,
 * as in a browser to which the server does not expose it.
 */
export function bucketOfAnswer(
  { header, bodyMember, fallback, buckets }: BucketNames,
  { headers, body }: { readonly headers: { get(name: string): string | null }; readonly body: unknown },
): string {
  const members = body as Readonly<Record<string, unknown>> | null | undefined;
  const said = headers.get(header) || members?.[bodyMember];
  return buckets.find((name) => name === said) ?? fallback;
}

/** The bucket that a server emits: forecast and unknown names leave as the fallback. */
export function emitBucket({ buckets, fallback }: ErrorBucketsPolicy, name: string): string {
  return buckets.some((bucket) => bucket.name === name) ? name : fallback;
}

/** The status that the contract states for a bucket, if it states one. */
export function statedStatus(policy: ErrorBucketsPolicy, name: string): number | undefined {
  return policy.buckets.find((bucket) => bucket.name === name)?.status;
}
