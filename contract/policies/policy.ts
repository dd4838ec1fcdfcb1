import type { ConditionalGetPolicy } from './conditional-get.ts';
import type { CredentialsPolicy } from './credentials.ts';
import type { DeadlinePolicy } from './deadline.ts';
import type { ErrorBucketsPolicy } from './error-buckets.ts';
import type { ReplayPolicy } from './idempotency-replay.ts';
import type { PaginationPolicy } from './pagination.ts';
import type { RetryPolicy } from './retry.ts';

/** Response headers that belong to every answer of an API or to no declared one. */
export interface HeadersPolicy {
  readonly kind: 'headers';
  /** On every response. */
  readonly requestId?: string;
  /** Outside the contract: may stand on billed responses, never on a replay or an unbilled one. */
  readonly credits?: string;
  readonly spend?: { readonly limit: string; readonly current: string; readonly remaining: string };
}

/** A field whose values are a hint and not a closed set. */
export interface OpenValuesPolicy {
  readonly kind: 'open-values';
  /** The schema and the property that it is about. */
  readonly schema: string;
  readonly property: string;
  readonly known: readonly string[];
  /** How a client reads a value that it does not know. */
  readonly unknownReadsAs: string;
}

/** What a finding of the document check means for an operation. */
export interface DiagnosticsPolicy {
  readonly kind: 'diagnostics';
  readonly findings: readonly DiagnosticMeaning[];
}

export interface DiagnosticMeaning {
  readonly operation: string;
  /** Such as `query.limit`; a trailing `*` matches the rest. */
  readonly at: string;
  /** The keyword that was violated, or `*`. */
  readonly keyword: string;
  /** `ignore`: legal here. `own`: a behaviour judges it. `refuse`: answered with the bucket. */
  readonly means: 'ignore' | 'own' | 'refuse';
  readonly bucket?: string;
}

/** Everything that a behaviour sheet can state; discriminated by `kind`. */
export type Policy =
  | ConditionalGetPolicy
  | CredentialsPolicy
  | DeadlinePolicy
  | DiagnosticsPolicy
  | ErrorBucketsPolicy
  | HeadersPolicy
  | OpenValuesPolicy
  | PaginationPolicy
  | ReplayPolicy
  | RetryPolicy;

export type PolicyKind = Policy['kind'];
