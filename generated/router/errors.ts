// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { ApiError, textAt } from '../runtime/errors.js';
import type { ConnectionError, FailedAnswer, ResponseError, TimeoutError } from '../runtime/errors.js';
import { bucketOfAnswer } from '../runtime/policies/error-buckets.js';
import type { RouterErrorResponse, RouterValidationErrorResponse } from './types.js';

export { ApiError, CallError, ConnectionError, ResponseError, TimeoutError } from '../runtime/errors.js';

/** The possible bodies of an error: a body that the document describes, text for any other body, or none. */
export type RouterErrorBody = RouterErrorResponse | RouterValidationErrorResponse | string | undefined;

/** Why the API answered with an error. Decide by this, because one status can have several causes. */
export type RouterErrorBucket =
  | 'invalid_input'
  | 'content_policy_violation'
  | 'provider_error'
  | 'provider_timeout'
  | 'insufficient_credits'
  | 'model_not_found'
  | 'unauthorized'
  | 'forbidden'
  | 'concurrency_limit_exceeded'
  | 'client_disconnected'
  | 'internal_error'
  | 'deadline_exceeded'
  | 'not_enabled'
  | 'service_unavailable'
  | 'rate_limited';

/**
 * `invalid_input`. The request was accepted but not completed, not charged if it did not reach the
 * model (otherwise the contract does not say).
 */
export class InvalidInputError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is InvalidInputError;
  override readonly name = 'InvalidInputError';
  declare readonly bucket: 'invalid_input';
}

/**
 * `content_policy_violation`. The request was accepted but not completed, charged or not as the
 * model has it.
 */
export class ContentPolicyViolationError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ContentPolicyViolationError;
  override readonly name = 'ContentPolicyViolationError';
  declare readonly bucket: 'content_policy_violation';
}

/** `provider_error`. The request was accepted but not completed. */
export class ProviderError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ProviderError;
  override readonly name = 'ProviderError';
  declare readonly bucket: 'provider_error';
}

/**
 * `provider_timeout`. The request was accepted but not completed, status 504, charged (a key at
 * most once).
 */
export class ProviderTimeoutError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ProviderTimeoutError;
  override readonly name = 'ProviderTimeoutError';
  declare readonly bucket: 'provider_timeout';
}

/** `insufficient_credits`. The request was accepted but not completed, not charged. */
export class InsufficientCreditsError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is InsufficientCreditsError;
  override readonly name = 'InsufficientCreditsError';
  declare readonly bucket: 'insufficient_credits';
}

/** `model_not_found`. The request was accepted but not completed, not charged. */
export class ModelNotFoundError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ModelNotFoundError;
  override readonly name = 'ModelNotFoundError';
  declare readonly bucket: 'model_not_found';
}

/** `unauthorized`. The API itself refused or failed, status 401, not charged. */
export class UnauthorizedError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is UnauthorizedError;
  override readonly name = 'UnauthorizedError';
  declare readonly bucket: 'unauthorized';
}

/** `forbidden`. The API itself refused or failed, status 403, not charged. */
export class ForbiddenError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ForbiddenError;
  override readonly name = 'ForbiddenError';
  declare readonly bucket: 'forbidden';
}

/** `concurrency_limit_exceeded`. The API itself refused or failed, status 429, not charged. */
export class ConcurrencyLimitExceededError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ConcurrencyLimitExceededError;
  override readonly name = 'ConcurrencyLimitExceededError';
  declare readonly bucket: 'concurrency_limit_exceeded';
}

/** `client_disconnected`. The API itself refused or failed. */
export class ClientDisconnectedError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ClientDisconnectedError;
  override readonly name = 'ClientDisconnectedError';
  declare readonly bucket: 'client_disconnected';
}

/**
 * `internal_error`. The API itself refused or failed. Also used for buckets that this code does not
 * know.
 */
export class InternalError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is InternalError;
  override readonly name = 'InternalError';
  declare readonly bucket: 'internal_error';
}

/** `deadline_exceeded`. The API itself refused or failed, status 504, not charged. */
export class DeadlineExceededError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is DeadlineExceededError;
  override readonly name = 'DeadlineExceededError';
  declare readonly bucket: 'deadline_exceeded';
}

/** `not_enabled`. The API itself refused or failed. */
export class NotEnabledError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is NotEnabledError;
  override readonly name = 'NotEnabledError';
  declare readonly bucket: 'not_enabled';
}

/** `service_unavailable`. The API itself refused or failed. */
export class ServiceUnavailableError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ServiceUnavailableError;
  override readonly name = 'ServiceUnavailableError';
  declare readonly bucket: 'service_unavailable';
}

/** `rate_limited`. The API itself refused or failed. */
export class RateLimitedError extends ApiError<RouterErrorBody> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is RateLimitedError;
  override readonly name = 'RateLimitedError';
  declare readonly bucket: 'rate_limited';
}

/** Every error that a call of this API throws, except for an abort by its caller. */
export type RouterError =
  | InvalidInputError
  | ContentPolicyViolationError
  | ProviderError
  | ProviderTimeoutError
  | InsufficientCreditsError
  | ModelNotFoundError
  | UnauthorizedError
  | ForbiddenError
  | ConcurrencyLimitExceededError
  | ClientDisconnectedError
  | InternalError
  | DeadlineExceededError
  | NotEnabledError
  | ServiceUnavailableError
  | RateLimitedError
  | ConnectionError
  | TimeoutError
  | ResponseError;

/** The only list of the buckets, because it is a large part of a small bundle. */
const classes: Readonly<Record<string, typeof ApiError<RouterErrorBody>>> = {
  invalid_input: InvalidInputError,
  content_policy_violation: ContentPolicyViolationError,
  provider_error: ProviderError,
  provider_timeout: ProviderTimeoutError,
  insufficient_credits: InsufficientCreditsError,
  model_not_found: ModelNotFoundError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  concurrency_limit_exceeded: ConcurrencyLimitExceededError,
  client_disconnected: ClientDisconnectedError,
  internal_error: InternalError,
  deadline_exceeded: DeadlineExceededError,
  not_enabled: NotEnabledError,
  service_unavailable: ServiceUnavailableError,
  rate_limited: RateLimitedError,
};

/** The error of an answer, by its bucket; an unknown one counts as `internal_error`. */
export function failure(answer: FailedAnswer): ApiError {
  const names = {
    header: 'X-Service-Error-Type',
    bodyMember: 'error_type',
    fallback: 'internal_error',
    buckets: Object.keys(classes),
  };
  const bucket = bucketOfAnswer(names, answer);
  const Failure = classes[bucket] ?? InternalError;
  return new Failure(answer, bucket, textAt(answer.body, 'detail'));
}
