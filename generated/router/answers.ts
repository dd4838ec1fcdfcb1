// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { numberIn } from '../runtime/failed.js';
import type { Told } from '../runtime/failed.js';
import { segmentsOf } from '../runtime/segments.js';

/** Whether a result or an error is the recorded answer of an earlier call with the same key: nothing ran again. */
export function isReplay(answer: Told): boolean {
  return answer.headers.get('Idempotent-Replayed') === 'true';
}

/** Whether an error says that a call with this key still runs: send the same key again, later. Without this it is final. */
export function isStillRunning(error: Told): boolean {
  return error.status === 409 && error.headers.get('retry-after') !== null;
}

/**
 * Whether an error says that its key is of no use any more: the call of the key has ended without an answer that can be
 * replayed, or the key belongs to a request with another body. It does not say whether the call was charged. A new key makes
 * a new call.
 */
export function isKeyConflict(error: Told): boolean {
  return [409].includes(error.status) && error.headers.get('retry-after') === null;
}

/**
 * Whether that is because an earlier attempt of this very call has run and its answer is lost; `cause` is what became of
 * that attempt. Known where the client made the key and had sent the request before.
 */
export function isConsumed(error: Told & { readonly attempts: number }): boolean {
  return error.status === 409 && error.attempts > 1 && isKeyConflict(error);
}

/** Whether a further call with the same key collects what is still being made, in place of making it once more. */
export function isCollectable(error: Told): boolean {
  return error.status === 504 && error.headers.get('Retry-After') !== null;
}

/** What the headers of a refusal say of the caller's committed spend, in their own unit; `undefined` where they say nothing. */
export function committedSpend(
  error: Told,
): { readonly limit: number; readonly current: number; readonly remaining: number } | undefined {
  const limit = numberIn(error, 'X-Committed-Spend-Limit');
  const current = numberIn(error, 'X-Committed-Spend-Current');
  const remaining = numberIn(error, 'X-Committed-Spend-Remaining');
  if (limit === undefined || current === undefined || remaining === undefined) return undefined;
  return { limit, current, remaining };
}

/**
 * The members that an id stands for, for a call: `{ ...idSegments(id), … }`.
 *
 * @throws {TypeError} when the id has not exactly the segments `provider/model`
 */
export function idSegments(id: string): Readonly<Record<'provider' | 'model', string>> {
  return segmentsOf(['provider', 'model'], id);
}

/** What `X-Service-Credits-Used` says, on answers that have it. Outside the contract: no basis for accounts. */
export function creditsUsed(answer: Told): string | undefined {
  return answer.headers.get('X-Service-Credits-Used') ?? undefined;
}
