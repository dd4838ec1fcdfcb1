import { durationMs } from './duration.ts';
import { matchesStatus } from './status-pattern.ts';
import type { StatusPattern } from './status-pattern.ts';

/**
 * The facts of an API that records the answer to a key and replays it (document 1, "Idempotency key handling").
 * They come from the behaviour sheet.
 */
export interface ReplayPolicy {
  readonly kind: 'idempotency';
  readonly mode: 'replay';
  readonly operations: readonly string[];
  readonly requestHeader: string;
  readonly replayHeader: { readonly name: string; readonly value: string };
  /** How long a finished key is remembered, as an ISO 8601 duration. */
  readonly window: string;
  /** Statuses that free the key, so that a retry runs again. */
  readonly release: readonly StatusPattern[];
  readonly inFlight: { readonly status: number; readonly retryAfter: boolean; readonly bucket?: string };
  /**
   * The refusal of a key whose answer did not reach its caller whole. When left out, such an answer is kept and replayed
   * like any other.
   */
  readonly consumed?: KeyRefusal;
  readonly mismatch: KeyRefusal;
  /** The one answer of the release set that keeps the key: its generation can still be collected. None when left out. */
  readonly collecting?: { readonly status: number; readonly marker: string };
}

/** How a request is refused because of what is known of its key. */
export interface KeyRefusal {
  readonly status: number;
  /** The error bucket or code, where errors of the API have one. */
  readonly bucket?: string;
}

/** What is known of one key; no record means that the key is free. `fence` names the attempt that owns it. */
export type ReplayRecord<Response> =
  | { readonly state: 'in-flight'; readonly bodyHash: string; readonly fence: string }
  | {
      readonly state: 'recorded';
      readonly bodyHash: string;
      readonly response: Response;
      readonly expiresAt: number;
    }
  | { readonly state: 'consumed'; readonly bodyHash: string; readonly expiresAt: number }
  | { readonly state: 'collecting'; readonly bodyHash: string; readonly expiresAt: number };

export interface ReplayClaim {
  readonly bodyHash: string;
  /** A value that no other attempt uses. */
  readonly fence: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type ReplayDecision<Response> =
  /** Run the call; `collect` when a generation of this key is still running and is to be waited for instead. */
  | { readonly action: 'dispatch' | 'collect'; readonly record: ReplayRecord<Response> }
  | { readonly action: 'replay'; readonly response: Response }
  | {
      readonly action: 'refuse';
      readonly reason: 'in-flight' | 'consumed' | 'mismatch';
      readonly status: number;
      readonly retryAfter: boolean;
    };

/** How an attempt ended, as far as its key is concerned. */
export type ReplayOutcome<Response> =
  | {
      readonly ended: 'answered';
      readonly status: number;
      /** Whether the answer carried the header that `collecting.marker` names. */
      readonly marked: boolean;
      /** `short`: the answer began to leave, but did not reach the caller whole. */
      readonly delivery: 'delivered' | 'short';
      /** An exact copy for replays; absent if none could be stored. */
      readonly copy: Response | undefined;
    }
  /** Nothing reached the caller. */
  | { readonly ended: 'dropped' };

/** Decides what a request that presents a key may do (document 1, "Idempotency key handling", rows 1, 2, 5, 6). */
export function claimReplayKey<Response>(
  policy: ReplayPolicy,
  record: ReplayRecord<Response> | undefined,
  claim: ReplayClaim,
): ReplayDecision<Response> {
  const owned: ReplayRecord<Response> = { state: 'in-flight', bodyHash: claim.bodyHash, fence: claim.fence };
  if (record === undefined || hasExpired(record, claim.now)) return { action: 'dispatch', record: owned };
  if (record.bodyHash !== claim.bodyHash) {
    return { action: 'refuse', reason: 'mismatch', status: policy.mismatch.status, retryAfter: false };
  }
  switch (record.state) {
    case 'in-flight':
      return { action: 'refuse', reason: 'in-flight', ...policy.inFlight };
    case 'consumed':
      return {
        action: 'refuse',
        reason: 'consumed',
        status: consumedRefusal(policy).status,
        retryAfter: false,
      };
    case 'recorded':
      return { action: 'replay', response: record.response };
    case 'collecting':
      return { action: 'collect', record: owned };
  }
}

/**
 * The record after the attempt `fence` ended; `undefined` frees the key (document 1, "Idempotency key handling", rows 2 to 5).
 * An attempt that no longer owns the key changes nothing: its late end is discarded.
 */
export function settleReplayKey<Response>(
  policy: ReplayPolicy,
  record: ReplayRecord<Response> | undefined,
  attempt: { readonly fence: string; readonly now: number },
  outcome: ReplayOutcome<Response>,
): ReplayRecord<Response> | undefined {
  if (record?.state !== 'in-flight' || record.fence !== attempt.fence) return record;
  if (outcome.ended === 'dropped') return undefined;
  const { bodyHash } = record;
  const expiresAt = attempt.now + durationMs(policy.window);
  if (isToBeCollected(policy, outcome)) {
    return { state: 'collecting', bodyHash, expiresAt };
  }
  if (matchesStatus(policy.release, outcome.status)) return undefined;
  const isLost = outcome.delivery === 'short' && policy.consumed !== undefined;
  if (isLost || outcome.copy === undefined) {
    return { state: 'consumed', bodyHash, expiresAt };
  }
  return { state: 'recorded', bodyHash, response: outcome.copy, expiresAt };
}

/** Whether an answer promises that a further call with its key collects the result. */
export function isToBeCollected(
  { collecting }: Pick<ReplayPolicy, 'collecting'>,
  { status, marked }: { readonly status: number; readonly marked: boolean },
): boolean {
  return status === collecting?.status && marked;
}

/** How a key whose answer is lost is refused: as one of a call under way where the sheet has no refusal for it. */
export function consumedRefusal({
  consumed,
  inFlight,
}: Pick<ReplayPolicy, 'consumed' | 'inFlight'>): KeyRefusal {
  return consumed ?? inFlight;
}

// --- internal ---

function hasExpired(record: ReplayRecord<unknown>, now: number): boolean {
  return record.state !== 'in-flight' && record.expiresAt <= now;
}
