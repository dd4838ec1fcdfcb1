import type { StatusPattern } from './status-pattern.ts';

/**
 * The facts of an API with single-use keys: a second request is refused and never replayed (document 3,
 * "Idempotency-Key rules on submit").
 */
export interface SingleUsePolicy {
  readonly kind: 'idempotency';
  readonly mode: 'single-use';
  readonly operations: readonly string[];
  readonly requestHeader: string;
  /** How long a key stays claimed, as an ISO 8601 duration. */
  readonly window: string;
  /** Statuses of refusals that leave the key unused. If left out, it is open which of them do. */
  readonly release?: readonly StatusPattern[];
  /** The answer to every later use. */
  readonly reuse: { readonly status: number; readonly code: string };
}
