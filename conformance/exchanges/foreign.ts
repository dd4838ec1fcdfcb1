import { declaredApis, isBuiltIn } from '../apis/declared.ts';
import { Unreadable } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Preflight } from '../scenarios/preflight.ts';

/**
 * Which kind of answer of a gateway, a load balancer or a rate limiter this one resembles; `undefined` for
 * answers of the API. The API is recognised by its headers, or by the body of its errors.
 */
export function foreignOf(exchange: Exchange): 'gateway' | 'limiter' | undefined {
  const kind = exchange.status === 429 ? 'limiter' : isGatewayStatus(exchange.status) ? 'gateway' : undefined;
  return kind === undefined || isOwn(exchange) ? undefined : kind;
}

/**
 * Whether it is a 404 that the API did not write, for an API that no read shows to be served: its routes may
 * be missing on a server with other APIs.
 */
export function isElsewhere(exchange: Exchange, preflights: readonly Preflight[]): boolean {
  if (exchange.status !== 404 || !isBuiltIn(exchange.api)) return false;
  const isAskedFor = preflights.some(({ api, read }) => api === exchange.api && read !== undefined);
  return !isAskedFor && !isOwn(exchange);
}

/** How a report shows such an answer: `502 text/html`. */
export function sketchForeign(exchange: Exchange): string {
  const type = exchange.header('content-type')?.split(';')[0]?.trim();
  return `${exchange.status} ${type === undefined || type === '' ? 'without a body type' : type.slice(0, 60)}`;
}

/** Whether a gateway may have given it. 52x and 530 are those of content delivery networks. */
export function isGatewayStatus(status: number): boolean {
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 527) || status === 530;
}

/** Whether an operation failed. What something before the API may answer can pass, and is not counted. */
export function isServerError(status: number): boolean {
  return status >= 500 && !isGatewayStatus(status);
}

// --- internal ---

/**
 * By the headers of document 1, Endpoints, first paragraph, or by the body of an error of any of the APIs.
 * For a user's own API, only the media type of its errors is known.
 */
function isOwn(exchange: Exchange): boolean {
  if (!isBuiltIn(exchange.api)) return /[/+]json\b/i.test(exchange.header('content-type') ?? '');
  if (exchange.answer?.headers.some(([name]) => /^x-service-/i.test(name)) === true) return true;
  try {
    const { json } = exchange;
    return declaredApis.some(({ isError }) => isError(json));
  } catch (thrown) {
    if (thrown instanceof Unreadable) return true;
    throw thrown;
  }
}
