// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { numberIn } from '../runtime/failed.js';
import type { StatusAndHeaders } from '../runtime/failed.js';
import { segmentsOf } from '../runtime/segments.js';

/** Whether a result or an error is the recorded answer of an earlier call with the same key. The call did not run again. */
export function isReplay(answer: StatusAndHeaders): boolean {
  return answer.headers.get('Idempotent-Replayed') === 'true';
}

/** Whether an error means that a call with this key is still running: send the same key again later. Any other error is final. */
export function isStillRunning(error: StatusAndHeaders): boolean {
  return error.status === 409 && error.headers.get('retry-after') !== null;
}

/**
 * Whether an error means that its key cannot be used any more: the call of the key ended without an answer that can be
 * replayed, or the key belongs to a request with another body. It does not show whether the call was charged. A new key makes
 * a new call.
 */
export function isKeyConflict(error: StatusAndHeaders): boolean {
  return error.status === 409 && error.headers.get('retry-after') === null;
}

/**
 * Whether the reason is an earlier attempt of this call that ran and whose answer was lost; `cause` is the failure of
 * that attempt. Only known if the client made the key and had sent the request before.
 */
export function isConsumed(error: StatusAndHeaders & { readonly attempts: number }): boolean {
  return error.status === 409 && error.attempts > 1 && isKeyConflict(error);
}

/** Whether another call with the same key collects the result that is still being made, instead of making it again. */
export function isCollectable(error: StatusAndHeaders): boolean {
  return error.status === 504 && error.headers.get('Retry-After') !== null;
}

/** The caller's committed spend in the headers of a refusal, in their own unit; `undefined` if they do not state it. */
export function committedSpend(
  error: StatusAndHeaders,
): { readonly limit: number; readonly current: number; readonly remaining: number } | undefined {
  const limit = numberIn(error, 'X-Committed-Spend-Limit');
  const current = numberIn(error, 'X-Committed-Spend-Current');
  const remaining = numberIn(error, 'X-Committed-Spend-Remaining');
  if (limit === undefined || current === undefined || remaining === undefined) return undefined;
  return { limit, current, remaining };
}

/**
 * The members of an id, for a call: `{ ...idSegments(id), … }`.
 *
 * @throws {TypeError} when the id does not have exactly the segments `provider/model`
 */
export function idSegments(id: string): Readonly<Record<'provider' | 'model', string>> {
  return segmentsOf(['provider', 'model'], id);
}

/** The value of `X-Service-Credits-Used`, on answers that have it. Outside the contract, so not suitable for accounting. */
export function creditsUsed(answer: StatusAndHeaders): string | undefined {
  return answer.headers.get('X-Service-Credits-Used') ?? undefined;
}
