/** Why an API answers with an error, by the names of its contract (document 1, "Errors"). */
export interface ErrorBucketsPolicy {
  readonly kind: 'error-buckets';
  /** The response header that always names the bucket. */
  readonly header: string;
  /** The body member that repeats it on request-level bodies. */
  readonly bodyMember: string;
  readonly detailMember: string;
  /** What a client takes an unrecognised value for, and what a server emits in place of a forecast name. */
  readonly fallback: string;
  readonly buckets: readonly ErrorBucket[];
  /** Names that the contract announces and that no answer carries yet. */
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

/** What a client needs of the policy; a generated client carries no more. */
export interface BucketNames {
  readonly header: string;
  readonly bodyMember: string;
  readonly fallback: string;
  readonly buckets: readonly Pick<ErrorBucket, 'name'>[];
}

/** The bucket that a client acts on: a value that the contract does not know counts as the fallback. */
export function readBucket(policy: Pick<BucketNames, 'buckets' | 'fallback'>, value: unknown): string {
  return policy.buckets.find((bucket) => bucket.name === value)?.name ?? policy.fallback;
}

/**
 * The bucket of a whole error answer. The header is the truth, since a body may lack it (document 1,
 * "RouterValidationErrorResponse"); the body speaks only where no header can be read, as in a browser to which the
 * server does not expose it.
 *
 * @param header gives the value of a response header by its name
 */
export function bucketOfAnswer(
  policy: BucketNames,
  header: (name: string) => string | null | undefined,
  body: unknown,
): string {
  const named = header(policy.header);
  if (named) return readBucket(policy, named);
  const members = body as Readonly<Record<string, unknown>> | null | undefined;
  return readBucket(policy, members?.[policy.bodyMember]);
}

/** The bucket that a server emits: forecast and unknown names leave as the fallback. */
export function emitBucket(policy: ErrorBucketsPolicy, name: string): string {
  return readBucket(policy, name);
}

/** The status that the contract states for a bucket, if it states one. */
export function statedStatus(policy: ErrorBucketsPolicy, name: string): number | undefined {
  return policy.buckets.find((bucket) => bucket.name === name)?.status;
}
