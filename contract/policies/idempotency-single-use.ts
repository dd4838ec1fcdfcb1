import { durationMs } from './duration.ts';

/**
 * The facts of an API whose keys are good for one use: a second request is refused and never replayed (document 3,
 * "Idempotency-Key rules on submit").
 */
export interface SingleUsePolicy {
  readonly kind: 'idempotency';
  readonly mode: 'single-use';
  readonly operations: readonly string[];
  readonly requestHeader: string;
  /** How long a key stays claimed, as an ISO 8601 duration. */
  readonly window: string;
  /** The answer to every later use. */
  readonly reuse: { readonly status: number; readonly code: string };
}

/** What is known of one key; no record means that it is free. */
export interface SingleUseRecord {
  /** `submitting`: the first request has not ended yet. `claimed`: a job exists, or may exist. */
  readonly state: 'submitting' | 'claimed';
  readonly fence: string;
  /** Epoch milliseconds, counted from the claim. */
  readonly expiresAt: number;
}

export type SingleUseDecision =
  | { readonly action: 'submit'; readonly record: SingleUseRecord }
  | { readonly action: 'refuse'; readonly status: number; readonly code: string };

/**
 * How a submission ended. `refused`: surely no job came of it, be it a validation error or a reject from upstream.
 * `unknown`: a job may exist, as after an upstream timeout or 5xx.
 */
export type SubmissionEnd = 'created' | 'refused' | 'unknown';

/**
 * Decides what a request that presents a key may do. The body plays no part: any later request is refused, whether it
 * is a retry, a duplicate at the same time or another one (rules 1, 2 and 5).
 *
 * @param claim.fence a value that no other attempt uses
 * @param claim.now epoch milliseconds
 */
export function claimSingleUseKey(
  policy: SingleUsePolicy,
  record: SingleUseRecord | undefined,
  claim: { readonly fence: string; readonly now: number },
): SingleUseDecision {
  // A submission that still runs keeps its key however long it takes.
  if (record?.state === 'submitting' || (record !== undefined && record.expiresAt > claim.now)) {
    return { action: 'refuse', ...policy.reuse };
  }
  const expiresAt = claim.now + durationMs(policy.window);
  return { action: 'submit', record: { state: 'submitting', fence: claim.fence, expiresAt } };
}

/**
 * The record after the submission `fence` ended; `undefined` frees the key (rules 3 and 4). A submission that does not
 * own the key, such as one that was itself refused for reuse, changes nothing.
 */
export function settleSingleUseKey(
  record: SingleUseRecord | undefined,
  fence: string,
  end: SubmissionEnd,
): SingleUseRecord | undefined {
  if (record?.state !== 'submitting' || record.fence !== fence) return record;
  return end === 'refused' ? undefined : { ...record, state: 'claimed' };
}
