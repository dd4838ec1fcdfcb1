// Generated from specs/registry.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import type { ApiError } from '../runtime/errors.js';
import { failedWith } from '../runtime/failed.js';
import type { BodyGuards } from '../runtime/failed.js';
import type { ErrorResponse } from './types.js';
import { isErrorResponse } from './validators.js';

/** The errors of `publishNodeVersion` by status, with the bodies and headers that the document describes. */
export interface PublishNodeVersionFailures {
  400: ApiError<ErrorResponse, 400>;
  403: ApiError<ErrorResponse, 403>;
  500: ApiError<ErrorResponse, 500>;
}

/**
 * The error if it is an answer of `publishNodeVersion` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function publishNodeVersionFailure<Status extends keyof PublishNodeVersionFailures>(
  error: unknown,
  status: Status,
): PublishNodeVersionFailures[Status] | undefined {
  return failedWith(error, 'publishNodeVersion', status, publishNodeVersionBodies) as PublishNodeVersionFailures[Status] | undefined;
}

const publishNodeVersionBodies: BodyGuards = {
  400: isErrorResponse,
  403: isErrorResponse,
  500: isErrorResponse,
};

/** The errors of `startSkinEnhancement` by status, with the bodies and headers that the document describes. */
export interface StartSkinEnhancementFailures {
  'default': ApiError<ErrorResponse, number>;
}

/**
 * The error if it is an answer of `startSkinEnhancement` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function startSkinEnhancementFailure<Status extends keyof StartSkinEnhancementFailures>(
  error: unknown,
  status: Status,
): StartSkinEnhancementFailures[Status] | undefined {
  return failedWith(error, 'startSkinEnhancement', status, startSkinEnhancementBodies) as StartSkinEnhancementFailures[Status] | undefined;
}

const startSkinEnhancementBodies: BodyGuards = {
  'default': isErrorResponse,
};
