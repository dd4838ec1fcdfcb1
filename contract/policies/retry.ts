import { matchesStatus } from './status-pattern.ts';
import type { StatusPattern } from './status-pattern.ts';

/**
 * When a client may send the same call again, for each operation. The number of attempts and the pauses are
 * the client's own choice.
 */
export interface RetryPolicy {
  readonly kind: 'retry';
  readonly operations: readonly string[];
  /** Answers after which the call may be sent again, with or without `Retry-After`. */
  readonly resend: readonly StatusPattern[];
  /**
   * Answers that mean "wait" only with `Retry-After` and are final without it, regardless of their bucket and
   * of `resend` (document 1: a 409 of a call in flight, a 504 whose result can still be collected).
   */
  readonly resendWhenTold?: readonly StatusPattern[];
  /** Buckets that are final, even with a status in `resend`. */
  readonly finalBuckets?: readonly string[];
  /** A call without a complete answer: it is unknown whether the server did the work. */
  readonly unanswered: 'resend' | 'resend-with-key' | 'give-up';
}

/** The part of the policy that a generated client contains. */
export type RetryRules = Omit<RetryPolicy, 'kind' | 'operations'>;

/** For operations without a policy: a method that is idempotent (RFC 9110, section 9.2.2). */
export const idempotentMethodRules: RetryRules = { resend: [408, 425, 429, '5xx'], unanswered: 'resend' };

/**
 * For operations without a policy: any other method. It is re-sent only after answers that say that nothing
 * was done.
 */
export const otherMethodRules: RetryRules = { resend: [425, 429], unanswered: 'give-up' };

/** An answer that is not a success. */
export interface RefusedAttempt {
  readonly status: number;
  readonly bucket: string | undefined;
  readonly headers: { get(name: string): string | null };
}

export interface RetryProgress {
  /** The limit for repetitions; waiting for a call that still runs does not count. */
  readonly retries: number;
  /** The number of attempts so far that count, from 1. */
  readonly attempts: number;
  /** How often the server has asked to wait for a call that still runs. */
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
  /** Whether the server still works on this call, so that the answer does not use up an attempt. */
  readonly waits: boolean;
}

/**
 * Whether and when the same call is sent again; `undefined` if the result is final.
 *
 * @param refused `undefined` without a complete answer: the connection failed, the answer was cut off, or the
 * client timed out
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
    // Growing pauses, even for a server that keeps answering with a pause of zero.
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
 * The milliseconds of a `Retry-After`: whole seconds, zero included, or an HTTP date (RFC 9110, section
 * 10.2.3). A date in the past is zero; `undefined` without the header and for any other text.
 */
export function retryAfterMs(text: string | null | undefined, now: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // `Date.parse` accepts much more than HTTP dates.
  const at = Date.parse(/^[A-Z][a-z]+,.*GMT$/.test(value) ? value : '');
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

// --- internal ---

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** Doubles each time. The random half spreads clients that failed at the same time. */
function pauseMs(step: number, random: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** step) * (0.5 + random / 2);
}
