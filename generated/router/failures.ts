// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import type { ApiError } from '../runtime/errors.js';
import { failedWith } from '../runtime/failed.js';
import type { BodyGuards } from '../runtime/failed.js';
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
 * The error if it is an answer of `listModels` with this status and with the body that the document describes for it;
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
 * The error if it is an answer of `getModel` with this status and with the body that the document describes for it;
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
 * The error if it is an answer of `runModel` with this status and with the body that the document describes for it;
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
 * The error if it is an answer of `getModelInputSchema` with this status and with the body that the document describes for it;
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
