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
  /** The header that marks a replay. If left out, a replay looks like the first answer. */
  readonly replayHeader?: { readonly name: string; readonly value: string };
  /** How long a finished key is stored, as an ISO 8601 duration. */
  readonly window: string;
  /** Statuses that release the key, so that a retry runs again. */
  readonly release: readonly StatusPattern[];
  readonly inFlight: { readonly status: number; readonly retryAfter: boolean; readonly bucket?: string };
  /**
   * The refusal of a key whose answer did not reach its caller completely. If left out, such an answer is
   * kept and replayed like any other.
   */
  readonly consumed?: KeyRefusal;
  readonly mismatch: KeyRefusal;
  /**
   * The one answer in the release set that keeps the key, because the result of its generation can still be
   * collected. If left out, there is none.
   */
  readonly collecting?: { readonly status: number; readonly marker: string };
}

/** The refusal of a request because of the state of its key. */
export interface KeyRefusal {
  readonly status: number;
  /** The error bucket or code, if errors of the API have one. */
  readonly bucket?: string;
}

/**
 * The stored state of one key; a key without a record is free. `fence` names the attempt that owns the key.
 */
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
  /** Run the call; with `collect`, wait instead for a generation of this key that is still running. */
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
      /** Whether the answer had the header that `collecting.marker` names. */
      readonly marked: boolean;
      /** `short`: sending began, but the answer did not reach the caller completely. */
      readonly delivery: 'delivered' | 'short';
      /** An exact copy for replays; absent if none could be stored. */
      readonly copy: Response | undefined;
    }
  /** Nothing reached the caller. */
  | { readonly ended: 'dropped' };

/** Decides how a request with a key is handled (document 1, "Idempotency key handling", rows 1, 2, 5, 6). */
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
 * The record after the attempt `fence` ended; `undefined` releases the key (document 1, "Idempotency key
 * handling", rows 2 to 5). If the attempt no longer owns the key, its late end is ignored.
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

/** Whether an answer promises that another call with the same key collects the result. */
export function isToBeCollected(
  { collecting }: Pick<ReplayPolicy, 'collecting'>,
  { status, marked }: { readonly status: number; readonly marked: boolean },
): boolean {
  return status === collecting?.status && marked;
}

/** The refusal of a key whose answer is lost. If the sheet has none, the refusal for a call in flight. */
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
