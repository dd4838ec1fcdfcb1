// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { ApiError, textAt } from '../runtime/errors.js';
import type { ConnectionError, FailedAnswer, ResponseError, TimeoutError } from '../runtime/errors.js';
import type { ErrorResponse } from './types.js';

export { ApiError, CallError, ConnectionError, ResponseError, TimeoutError } from '../runtime/errors.js';

/** The possible bodies of an error: a body that the document describes, text for any other body, or none. */
export type RegistryErrorBody = ErrorResponse | string | undefined;

/** The server answered 400. */
export class BadRequestError<Body = RegistryErrorBody> extends ApiError<Body> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is BadRequestError;
  override readonly name = 'BadRequestError';
  declare readonly status: 400;
}

/** The server answered 403. */
export class ForbiddenError<Body = RegistryErrorBody> extends ApiError<Body> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is ForbiddenError;
  override readonly name = 'ForbiddenError';
  declare readonly status: 403;
}

/** The server answered 500. */
export class InternalServerError<Body = RegistryErrorBody> extends ApiError<Body> {
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is InternalServerError;
  override readonly name = 'InternalServerError';
  declare readonly status: 500;
}

/** Every error that a call of this API throws, except for an abort by its caller. */
export type RegistryError =
  | BadRequestError
  | ForbiddenError
  | InternalServerError
  | ApiError<RegistryErrorBody>
  | ConnectionError
  | TimeoutError
  | ResponseError;

/** The error of an answer: by its code if that is known, else by its status. */
export function failure(answer: FailedAnswer): ApiError {
  const code = textAt(answer.body, 'error');
  const detail = textAt(answer.body, 'message');
  if (answer.status === 400) return new BadRequestError(answer, code, detail);
  if (answer.status === 403) return new ForbiddenError(answer, code, detail);
  if (answer.status === 500) return new InternalServerError(answer, code, detail);
  return new ApiError(answer, code, detail);
}
