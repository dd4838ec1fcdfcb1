import { check, undecided } from '../../../scenarios/check.ts';
import { whyTooLate } from '../../../scenarios/delays.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { Hindered } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';

/**
 * The bucket of an error: in the header, or in the body if the header is missing (which is a separate rule).
 */
export function bucketOf(exchange: Exchange): string | undefined {
  const inBody = member(exchange.json, 'error_type');
  return exchange.header('X-Service-Error-Type') ?? (typeof inBody === 'string' ? inBody : undefined);
}

/** Status and bucket as a report shows them. */
export function sketchRefusal(exchange: Exchange): string {
  return `${exchange.status} ${bucketOf(exchange) ?? 'without a bucket'}`;
}

/** Whether an error has this status and this bucket. */
export function isRefusal(exchange: Exchange, status: number, bucket: string): boolean {
  return exchange.status === status && bucketOf(exchange) === bucket;
}

/**
 * A 429 or a 503 prevents a verdict for a rule about something else. If its bucket names another reason, it
 * is an ordinary answer, regardless of its status.
 *
 * @throws {Hindered} when the server has no capacity for the call
 */
export function unlessBusy(exchange: Exchange): void {
  if (isBusy(exchange)) throw new Hindered(`the server returned ${sketchRefusal(exchange)}`, [exchange.id]);
}

/** Whether the server had no capacity for the call, and gives no other reason. */
export function isBusy(exchange: Exchange): boolean {
  const bucket = bucketOf(exchange);
  const isRefused = exchange.status === 429 || exchange.status === 503;
  return isRefused && (bucket === undefined || BUSY.includes(bucket));
}

/**
 * The server has room for the last of these calls; `holds` says so. While a call without an answer may still use
 * its place, a refusal decides nothing.
 */
export function judgeRoom(
  { lostCalls }: Pick<Session, 'lostCalls'>,
  rule: string,
  seen: readonly Exchange[],
  holds: boolean,
  expected: string,
  lateMs = 0,
): Check {
  const late = holds ? undefined : whyTooLate(lateMs);
  if (late !== undefined) return undecided(rule, seen, late);
  const [lost, last] = [lostCalls().at(-1), seen.at(-1)];
  return holds || lost === undefined || last === undefined
    ? check(rule, seen, holds, expected, last === undefined ? undefined : sketchRefusal(last))
    : undecided(rule, seen, `${lost} had no response, and may still use its place: ${sketchRefusal(last)}`);
}

// --- internal ---

const BUSY = ['concurrency_limit_exceeded', 'rate_limited', 'service_unavailable', 'not_enabled'];
