// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { ApiError, textAt } from '../runtime/errors.js';
import type { ConnectionError, FailedAnswer, ResponseError, TimeoutError } from '../runtime/errors.js';
import type { JobErrorResponse } from './types.js';

export { ApiError, CallError, ConnectionError, ResponseError, TimeoutError } from '../runtime/errors.js';

/** The possible bodies of an error: a body that the document describes, text for any other body, or none. */
export type JobsErrorBody = JobErrorResponse | string | undefined;

/** `invalid_workflow`. */
export class InvalidWorkflowError extends ApiError<JobsErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is InvalidWorkflowError;
  override readonly name = 'InvalidWorkflowError';
  declare readonly bucket: 'invalid_workflow';
}

/** `workflow_format_ui`. */
export class WorkflowFormatUiError extends ApiError<JobsErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is WorkflowFormatUiError;
  override readonly name = 'WorkflowFormatUiError';
  declare readonly bucket: 'workflow_format_ui';
}

/** `idempotency_key_reuse`, status 422. */
export class IdempotencyKeyReuseError extends ApiError<JobsErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is IdempotencyKeyReuseError;
  override readonly name = 'IdempotencyKeyReuseError';
  declare readonly bucket: 'idempotency_key_reuse';
}

/** The server answered 422. */
export class UnprocessableContentError<Body = JobsErrorBody> extends ApiError<Body> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is UnprocessableContentError;
  override readonly name = 'UnprocessableContentError';
  declare readonly status: 422;
}

/** Every error that a call of this API throws, except for an abort by its caller. */
export type JobsError =
  | InvalidWorkflowError
  | WorkflowFormatUiError
  | IdempotencyKeyReuseError
  | UnprocessableContentError
  | ApiError<JobsErrorBody>
  | ConnectionError
  | TimeoutError
  | ResponseError;

/** The error of an answer: by its code if that is known, else by its status. */
export function failure(answer: FailedAnswer): ApiError {
  const code = textAt(answer.body, 'error', 'code');
  const detail = textAt(answer.body, 'error', 'message');
  switch (code) {
    case 'invalid_workflow':
      return new InvalidWorkflowError(answer, code, detail);
    case 'workflow_format_ui':
      return new WorkflowFormatUiError(answer, code, detail);
    case 'idempotency_key_reuse':
      return new IdempotencyKeyReuseError(answer, code, detail);
  }
  if (answer.status === 422) return new UnprocessableContentError(answer, code, detail);
  return new ApiError(answer, code, detail);
}
