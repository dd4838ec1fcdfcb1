import { member } from '../../../exchanges/exchange.ts';

/**
 * Whether a body has the shape of a request-level error (document 1, RouterErrorResponse): the bucket is a
 * string, and so is the detail, if present. Whether the detail is required is not documented.
 */
export function isErrorBody(json: unknown): boolean {
  const detail = member(json, 'detail');
  return (
    typeof member(json, 'error_type') === 'string' && (detail === undefined || typeof detail === 'string')
  );
}

/** The shape that {@link isErrorBody} expects, as a report shows it. */
export const ERROR_BODY = 'a string error_type, and a string detail if there is one';
