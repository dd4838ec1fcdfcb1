import { check } from '../../scenarios/check.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, SendOptions, Session } from '../../scenarios/scenario.ts';
import { isRefusal, sketchRefusal, unlessBusy } from './probes/answers.ts';

/** Document 1, Authentication: the callers. */
export const READERS = ['valid', 'apiKey', 'jwt', 'none', 'unusable'] as const;
export type CatalogueReader = (typeof READERS)[number];

/** Those whose credential every operation accepts. */
export const ACCEPTED: ReadonlySet<CatalogueReader> = new Set(['valid', 'apiKey', 'jwt']);

export const callerRules = ['router.auth.required', 'router.auth.garbage', 'router.auth.before-lookup'];

const GARBAGE = ['Authorization', 'Bearer tallystick-is-no-token'] as const;

/**
 * Whether the caller is treated like any caller with a usable credential. Separate rules cover which
 * credentials are usable.
 */
export function isServed({ status }: Exchange, as: CatalogueReader): boolean {
  return ACCEPTED.has(as) && (as === 'valid' || (status !== 401 && status !== 403));
}

/**
 * Sends as this caller.
 *
 * @throws {Hindered} when the server has no capacity for the call
 */
export async function answerTo(session: Session, name: string, options: SendOptions): Promise<Exchange> {
  const credential = name.endsWith(' unusable') ? { credential: GARBAGE } : {};
  const answer = await session.send(name, { ...options, ...credential });
  unlessBusy(answer);
  return answer;
}

/**
 * Document 1, Authentication, items 1 and 5: 401 to a request without a usable credential.
 *
 * @param otherwise a status that the contract has for another fault of the request. Which fault is reported
 * first is open, but an unauthenticated caller must not learn what exists (inference)
 */
export function* judgeCaller(answer: Exchange, as: CatalogueReader, otherwise?: 400 | 404): Generator<Check> {
  if (ACCEPTED.has(as) || (otherwise === 400 && answer.status === 400)) return;
  const isTold = otherwise === 404 && answer.status === 404;
  const rule = isTold
    ? 'router.auth.before-lookup'
    : as === 'none'
      ? 'router.auth.required'
      : 'router.auth.garbage';
  const holds = isRefusal(answer, 401, 'unauthorized');
  yield check(rule, answer, holds, 'status 401, bucket unauthorized', sketchRefusal(answer));
}
