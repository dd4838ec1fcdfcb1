import { member } from '../../../exchange.ts';

/**
 * Whether a body has the shape of a request-level error (document 1, RouterErrorResponse): the bucket is a string, and so
 * is the detail where there is one. Whether the detail has to be there is not shown.
 */
export function isErrorBody(json: unknown): boolean {
  const detail = member(json, 'detail');
  return (
    typeof member(json, 'error_type') === 'string' && (detail === undefined || typeof detail === 'string')
  );
}

/** What {@link isErrorBody} expects, as a report shows it. */
export const ERROR_BODY = 'a string error_type, and a string detail if there is one';
