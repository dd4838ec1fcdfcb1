/** Why an API answers with an error, by the names of its contract (document 1, "Errors"). */
export interface ErrorBucketsPolicy {
  readonly kind: 'error-buckets';
  /** The response header that always names the bucket. */
  readonly header: string;
  /** The body member that repeats the bucket in errors about a request. */
  readonly bodyMember: string;
  readonly detailMember: string;
  /**
   * The bucket for unknown values: a client reads them as this one, and a server sends it instead of an
   * announced name.
   */
  readonly fallback: string;
  readonly buckets: readonly ErrorBucket[];
  /** Names that the contract announces for later; no answer uses them yet. */
  readonly forecast: readonly string[];
  /** The bucket for each role, so that code need not contain the names. */
  readonly roles: Readonly<Record<BucketRole, string>>;
}

export interface ErrorBucket {
  readonly name: string;
  readonly level: 'request' | 'transport';
  /** Only if the contract states it. */
  readonly status?: number;
  /**
   * Whether a call with this error is charged; absent if the contract does not say. `before-model`: not
   * charged if the call was refused before its model; the contract leaves open what happens if the model
   * refused it.
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
 * The bucket that a client acts on: a value that the contract does not define counts as the fallback. The
 * header is authoritative, since a body may lack the bucket (document 1, "RouterValidationErrorResponse").
 * The body counts only if no header can be read, as in a browser to which the server does not expose it.
 */
export function bucketOfAnswer(
  { header, bodyMember, fallback, buckets }: BucketNames,
  { headers, body }: { readonly headers: { get(name: string): string | null }; readonly body: unknown },
): string {
  const members = body as Readonly<Record<string, unknown>> | null | undefined;
  const said = headers.get(header) || members?.[bodyMember];
  return buckets.find((name) => name === said) ?? fallback;
}

/** The bucket that a server sends: announced and unknown names are replaced by the fallback. */
export function emitBucket({ buckets, fallback }: ErrorBucketsPolicy, name: string): string {
  return buckets.some((bucket) => bucket.name === name) ? name : fallback;
}

/** The status that the contract states for a bucket, if it states one. */
export function statedStatus(policy: ErrorBucketsPolicy, name: string): number | undefined {
  return policy.buckets.find((bucket) => bucket.name === name)?.status;
}
