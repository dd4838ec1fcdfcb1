// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { ApiError } from '../runtime/errors.js';
import type { ConnectionError, FailedAnswer, ResponseError, TimeoutError } from '../runtime/errors.js';
import type { JobErrorResponse } from './types.js';

export { ApiError, CallError, ConnectionError, ResponseError, TimeoutError } from '../runtime/errors.js';

/** What can come with an error: a body that the document describes, text where an answer is none of these, or nothing. */
export type JobsErrorBody = JobErrorResponse | string | undefined;

/** The server answered 422. */
export class UnprocessableContentError<Body = JobsErrorBody> extends ApiError<Body> {
  override readonly name = 'UnprocessableContentError';
  declare readonly status: 422;
}

/** Every error that a call of this API throws, but for an abort by its caller. */
export type JobsError =
  | UnprocessableContentError
  | ApiError<JobsErrorBody>
  | ConnectionError
  | TimeoutError
  | ResponseError;

/** The error of an answer, by its status. */
export function failure(answer: FailedAnswer): ApiError {
  if (answer.status === 422) return new UnprocessableContentError(answer);
  return new ApiError(answer);
}
