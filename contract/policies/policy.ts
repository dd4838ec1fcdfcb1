import type { CapacityPolicy } from './capacity.ts';
import type { ConditionalGetPolicy } from './conditional-get.ts';
import type { ConditionalWritePolicy } from './conditional-write.ts';
import type { CredentialsPolicy } from './credentials.ts';
import type { DeadlinePolicy } from './deadline.ts';
import type { ErrorBucketsPolicy } from './error-buckets.ts';
import type { ErrorCodesPolicy } from './error-codes.ts';
import type { EventStreamPolicy } from './event-stream.ts';
import type { ReplayPolicy } from './idempotency-replay.ts';
import type { SingleUsePolicy } from './idempotency-single-use.ts';
import type { LifecyclePolicy } from './lifecycle.ts';
import type { LinksPolicy } from './links.ts';
import type { ModelSchemasPolicy } from './model-schemas.ts';
import type { OpenValuesPolicy } from './open-values.ts';
import type { NumberedPagesPolicy, PaginationPolicy } from './pagination.ts';
import type { PlainSegmentsPolicy } from './plain-segments.ts';
import type { PresencePolicy } from './presence.ts';
import type { RefusedFormatPolicy } from './refused-format.ts';
import type { ReservedFieldsPolicy } from './reserved-fields.ts';
import type { ResourcePolicy } from './resource.ts';
import type { RetryPolicy } from './retry.ts';
import type { RolloutPolicy } from './rollout.ts';
import type { UniquenessPolicy } from './uniqueness.ts';
import type { UploadPolicy } from './upload.ts';

export type { OpenValuesPolicy } from './open-values.ts';

/** Response headers of an API that are on every answer, or that the contract does not declare. */
export interface HeadersPolicy {
  readonly kind: 'headers';
  /** On every response. */
  readonly requestId?: string;
  /** Outside the contract: may be on billed responses, never on a replay or an unbilled one. */
  readonly credits?: string;
  readonly spend?: { readonly limit: string; readonly current: string; readonly remaining: string };
}

/** How an operation treats a finding of the document check. */
export interface DiagnosticsPolicy {
  readonly kind: 'diagnostics';
  readonly findings: readonly DiagnosticMeaning[];
  /**
   * By operation, dotted paths of members of its body: every value that the document allows there is accepted. A server can
   * still refuse it for its caller or for what exists already.
   */
  readonly accepts?: Readonly<Record<string, readonly string[]>>;
}

export interface DiagnosticMeaning {
  readonly operation: string;
  /** Such as `query.limit`; a trailing `*` matches the rest. */
  readonly at: string;
  /** The keyword that was violated, or `*`. */
  readonly keyword: string;
  /** `ignore`: allowed here. `own`: a behaviour judges it. `refuse`: answered with the bucket. */
  readonly means: 'ignore' | 'own' | 'refuse';
  readonly bucket?: string;
}

/** Every fact that a behaviour sheet can state; discriminated by `kind`. */
export type Policy =
  | CapacityPolicy
  | ConditionalGetPolicy
  | ConditionalWritePolicy
  | CredentialsPolicy
  | DeadlinePolicy
  | DiagnosticsPolicy
  | ErrorBucketsPolicy
  | ErrorCodesPolicy
  | EventStreamPolicy
  | HeadersPolicy
  | LifecyclePolicy
  | LinksPolicy
  | ModelSchemasPolicy
  | NumberedPagesPolicy
  | OpenValuesPolicy
  | PaginationPolicy
  | PlainSegmentsPolicy
  | PresencePolicy
  | ReplayPolicy
  | RefusedFormatPolicy
  | ReservedFieldsPolicy
  | ResourcePolicy
  | RetryPolicy
  | RolloutPolicy
  | SingleUsePolicy
  | UniquenessPolicy
  | UploadPolicy;

export type PolicyKind = Policy['kind'];
