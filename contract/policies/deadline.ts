import { durationMs } from './duration.ts';

/** How long a server holds a call (document 1, "Idempotency key handling", deadline rule, and "Limits"). */
export interface DeadlinePolicy {
  readonly kind: 'deadline';
  readonly operations: readonly string[];
  /** ISO 8601 duration; a server may be configured differently. */
  readonly default: string;
  readonly status: number;
  /** The error bucket or code of the answer, if errors of the API have one. */
  readonly bucket?: string;
}

/** Epoch milliseconds at which the server stops waiting. */
export function deadlineAt(policy: DeadlinePolicy, startedAt: number, configuredMs?: number): number {
  return startedAt + (configuredMs ?? durationMs(policy.default));
}

/**
 * How much longer than the server a client waits, so that it receives the typed answer instead of timing out.
 */
const CLIENT_MARGIN_MS = 30_000;

/** A client's read timeout in milliseconds: above the server's deadline (document 1, "Limits", last paragraph). */
export function clientTimeoutMs(policy: DeadlinePolicy, configuredMs?: number): number {
  return (configuredMs ?? durationMs(policy.default)) + CLIENT_MARGIN_MS;
}
