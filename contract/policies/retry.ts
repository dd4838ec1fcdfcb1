import { matchesStatus } from './status-pattern.ts';
import type { StatusPattern } from './status-pattern.ts';

/**
 * When a client may send the same call again, per operation. Not how often and after how long a pause: that is the
 * client's own choice.
 */
export interface RetryPolicy {
  readonly kind: 'retry';
  readonly operations: readonly string[];
  /** Answers after which the call may be sent again, with or without advice when. */
  readonly resend: readonly StatusPattern[];
  /**
   * Answers that mean "wait" only where they carry `Retry-After` and are final without it, whatever their bucket and
   * whatever `resend` says (document 1: a 409 of a call in flight, a 504 whose generation can still be collected).
   */
  readonly resendWhenTold?: readonly StatusPattern[];
  /** Buckets that end a call for good even on a status of `resend`. */
  readonly finalBuckets?: readonly string[];
  /** A call of which no whole answer arrived: whether the server worked is unknown. */
  readonly unanswered: 'resend' | 'resend-with-key' | 'give-up';
}

/** The part of the policy that a generated client carries. */
export type RetryRules = Omit<RetryPolicy, 'kind' | 'operations'>;

/** For operations without a policy: a method that may be repeated at will (RFC 9110, section 9.2.2). */
export const idempotentMethodRules: RetryRules = { resend: [408, 425, 429, '5xx'], unanswered: 'resend' };

/** For operations without a policy: any other method, re-sent only after answers that say that nothing was done. */
export const otherMethodRules: RetryRules = { resend: [425, 429], unanswered: 'give-up' };

/** An answer that was no result. */
export interface RefusedAttempt {
  readonly status: number;
  readonly bucket: string | undefined;
  readonly headers: { get(name: string): string | null };
}

export interface RetryProgress {
  /** How many times the call may be sent again at most; waiting for a call that still runs does not count. */
  readonly retries: number;
  /** Attempts so far that count, from 1. */
  readonly attempts: number;
  /** Times so far that the server told to wait for a call that still runs. */
  readonly waits: number;
  /** Whether the call carries an idempotency key. */
  readonly keyed: boolean;
  /** Epoch milliseconds, for a `Retry-After` that is a date. */
  readonly now: number;
  /** From 0 inclusive to 1 exclusive. */
  readonly random: number;
}

export interface Resend {
  readonly afterMs: number;
  /** Whether the server still works on this very call, so that no attempt is used up. */
  readonly waits: boolean;
}

/**
 * Whether and when the same call is sent again; `undefined` when its end is final.
 *
 * @param refused `undefined` where no whole answer arrived: the connection failed, the answer broke off, or the client's
 *   own patience ended
 */
export function decideRetry(
  rules: RetryRules,
  refused: RefusedAttempt | undefined,
  progress: RetryProgress,
): Resend | undefined {
  const header = refused?.headers.get('retry-after');
  const told = retryAfterMs(header, progress.now);
  if (refused !== undefined && matchesStatus(rules.resendWhenTold ?? [], refused.status)) {
    if (header === null) return undefined;
    // A server that says "at once" again and again is asked at growing distances.
    const pause = told === undefined || progress.waits > 0 ? pauseMs(progress.waits, progress.random) : 0;
    return { afterMs: Math.max(told ?? 0, pause), waits: true };
  }
  const mayResend =
    refused === undefined
      ? rules.unanswered === 'resend' || (rules.unanswered === 'resend-with-key' && progress.keyed)
      : matchesStatus(rules.resend, refused.status) && !rules.finalBuckets?.includes(refused.bucket ?? '');
  if (!mayResend || progress.attempts > progress.retries) return undefined;
  return { afterMs: told ?? pauseMs(progress.attempts - 1, progress.random), waits: false };
}

/**
 * Milliseconds that a `Retry-After` asks for: whole seconds, zero included, or an HTTP date (RFC 9110, section 10.2.3).
 * A date that has passed is zero; `undefined` for no header and for any other text.
 */
export function retryAfterMs(text: string | null | undefined, now: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // `Date.parse` reads much more than an HTTP date.
  const at = Date.parse(/^[A-Z][a-z]+,.*GMT$/.test(value) ? value : '');
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

// --- internal ---

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** Doubles each time; the random half keeps clients apart that failed together. */
function pauseMs(step: number, random: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** step) * (0.5 + random / 2);
}
