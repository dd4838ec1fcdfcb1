// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import type { ApiError } from '../runtime/errors.js';
import { failedWith, numberIn } from '../runtime/failed.js';
import type { BodyGuards, Told } from '../runtime/failed.js';
import { segmentsOf } from '../runtime/segments.js';
import type {
  GetModelHeaders,
  GetModelInputSchemaHeaders,
  ListModelsHeaders,
  RouterErrorResponse,
  RouterValidationErrorResponse,
  RunModelHeaders,
} from './types.js';
import { isRouterErrorResponse, isRouterValidationErrorResponse } from './validators.js';

/** The errors of `listModels` by status, with the bodies and headers that the document describes. */
export interface ListModelsFailures {
  400: ApiError<RouterErrorResponse, 400, ListModelsHeaders[400]>;
  401: ApiError<RouterErrorResponse, 401, ListModelsHeaders[401]>;
  403: ApiError<RouterErrorResponse, 403, ListModelsHeaders[403]>;
  503: ApiError<RouterErrorResponse, 503, ListModelsHeaders[503]>;
}

/**
 * The error where it is an answer of `listModels` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function listModelsFailure<Status extends keyof ListModelsFailures>(
  error: unknown,
  status: Status,
): ListModelsFailures[Status] | undefined {
  return failedWith(error, 'listModels', status, listModelsBodies) as ListModelsFailures[Status] | undefined;
}

const listModelsBodies: BodyGuards = {
  400: isRouterErrorResponse,
  401: isRouterErrorResponse,
  403: isRouterErrorResponse,
  503: isRouterErrorResponse,
};

/** The errors of `getModel` by status, with the bodies and headers that the document describes. */
export interface GetModelFailures {
  403: ApiError<RouterErrorResponse, 403, GetModelHeaders[403]>;
  404: ApiError<RouterErrorResponse, 404, GetModelHeaders[404]>;
  503: ApiError<RouterErrorResponse, 503, GetModelHeaders[503]>;
}

/**
 * The error where it is an answer of `getModel` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function getModelFailure<Status extends keyof GetModelFailures>(
  error: unknown,
  status: Status,
): GetModelFailures[Status] | undefined {
  return failedWith(error, 'getModel', status, getModelBodies) as GetModelFailures[Status] | undefined;
}

const getModelBodies: BodyGuards = {
  403: isRouterErrorResponse,
  404: isRouterErrorResponse,
  503: isRouterErrorResponse,
};

/** The errors of `runModel` by status, with the bodies and headers that the document describes. */
export interface RunModelFailures {
  403: ApiError<RouterErrorResponse, 403, RunModelHeaders[403]>;
  404: ApiError<RouterErrorResponse, 404, RunModelHeaders[404]>;
  422: ApiError<RouterValidationErrorResponse, 422, RunModelHeaders[422]>;
  429: ApiError<RouterErrorResponse, 429, RunModelHeaders[429]>;
  503: ApiError<RouterErrorResponse, 503, RunModelHeaders[503]>;
  504: ApiError<RouterErrorResponse, 504, RunModelHeaders[504]>;
}

/**
 * The error where it is an answer of `runModel` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function runModelFailure<Status extends keyof RunModelFailures>(
  error: unknown,
  status: Status,
): RunModelFailures[Status] | undefined {
  return failedWith(error, 'runModel', status, runModelBodies) as RunModelFailures[Status] | undefined;
}

const runModelBodies: BodyGuards = {
  403: isRouterErrorResponse,
  404: isRouterErrorResponse,
  422: isRouterValidationErrorResponse,
  429: isRouterErrorResponse,
  503: isRouterErrorResponse,
  504: isRouterErrorResponse,
};

/** The errors of `getModelInputSchema` by status, with the bodies and headers that the document describes. */
export interface GetModelInputSchemaFailures {
  401: ApiError<RouterErrorResponse, 401, GetModelInputSchemaHeaders[401]>;
  403: ApiError<RouterErrorResponse, 403, GetModelInputSchemaHeaders[403]>;
  404: ApiError<RouterErrorResponse, 404, GetModelInputSchemaHeaders[404]>;
  500: ApiError<RouterErrorResponse, 500, GetModelInputSchemaHeaders[500]>;
  503: ApiError<RouterErrorResponse, 503, GetModelInputSchemaHeaders[503]>;
}

/**
 * The error where it is an answer of `getModelInputSchema` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function getModelInputSchemaFailure<Status extends keyof GetModelInputSchemaFailures>(
  error: unknown,
  status: Status,
): GetModelInputSchemaFailures[Status] | undefined {
  return failedWith(error, 'getModelInputSchema', status, getModelInputSchemaBodies) as GetModelInputSchemaFailures[Status] | undefined;
}

const getModelInputSchemaBodies: BodyGuards = {
  401: isRouterErrorResponse,
  403: isRouterErrorResponse,
  404: isRouterErrorResponse,
  500: isRouterErrorResponse,
  503: isRouterErrorResponse,
};

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
