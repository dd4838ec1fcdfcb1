import { member } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';

/** The bucket of an error: on the header, or in the body where the header is missing (which is a rule of its own). */
export function bucketOf(exchange: Exchange): string | undefined {
  const inBody = member(exchange.json, 'error_type');
  return exchange.header('X-Service-Error-Type') ?? (typeof inBody === 'string' ? inBody : undefined);
}

/**
 * Whether a body has the shape of a request-level error (document 1, RouterErrorResponse): the bucket is a string, and so
 * is the detail where there is one. Whether it has to be there is not shown.
 */
export function isErrorBody(json: unknown): boolean {
  const detail = member(json, 'detail');
  return (
    typeof member(json, 'error_type') === 'string' && (detail === undefined || typeof detail === 'string')
  );
}

/** What {@link isErrorBody} expects, as a report shows it. */
export const ERROR_BODY = 'a string error_type, and a string detail if there is one';

/** Status and bucket as a report shows them. */
export function sketchRefusal(exchange: Exchange): string {
  return `${exchange.status} ${bucketOf(exchange) ?? 'without a bucket'}`;
}

/** Whether an error comes with this status in this bucket. */
export function isRefusal(exchange: Exchange, status: number, bucket: string): boolean {
  return exchange.status === status && bucketOf(exchange) === bucket;
}
