// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import type { ApiError } from '../runtime/errors.js';
import { failedWith } from '../runtime/failed.js';
import type { BodyGuards } from '../runtime/failed.js';
import type { JobErrorResponse } from './types.js';
import { isJobErrorResponse } from './validators.js';

/** The errors of `submitJob` by status, with the bodies and headers that the document describes. */
export interface SubmitJobFailures {
  422: ApiError<JobErrorResponse, 422>;
  'default': ApiError<JobErrorResponse, number>;
}

/**
 * The error if it is an answer of `submitJob` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function submitJobFailure<Status extends keyof SubmitJobFailures>(
  error: unknown,
  status: Status,
): SubmitJobFailures[Status] | undefined {
  return failedWith(error, 'submitJob', status, submitJobBodies) as SubmitJobFailures[Status] | undefined;
}

const submitJobBodies: BodyGuards = {
  422: isJobErrorResponse,
  'default': isJobErrorResponse,
};

/** The errors of `getJob` by status, with the bodies and headers that the document describes. */
export interface GetJobFailures {
  'default': ApiError<JobErrorResponse, number>;
}

/**
 * The error if it is an answer of `getJob` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function getJobFailure<Status extends keyof GetJobFailures>(
  error: unknown,
  status: Status,
): GetJobFailures[Status] | undefined {
  return failedWith(error, 'getJob', status, getJobBodies) as GetJobFailures[Status] | undefined;
}

const getJobBodies: BodyGuards = {
  'default': isJobErrorResponse,
};

/** The errors of `cancelJob` by status, with the bodies and headers that the document describes. */
export interface CancelJobFailures {
  'default': ApiError<JobErrorResponse, number>;
}

/**
 * The error if it is an answer of `cancelJob` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function cancelJobFailure<Status extends keyof CancelJobFailures>(
  error: unknown,
  status: Status,
): CancelJobFailures[Status] | undefined {
  return failedWith(error, 'cancelJob', status, cancelJobBodies) as CancelJobFailures[Status] | undefined;
}

const cancelJobBodies: BodyGuards = {
  'default': isJobErrorResponse,
};

/** The errors of `streamJobEvents` by status, with the bodies and headers that the document describes. */
export interface StreamJobEventsFailures {
  'default': ApiError<JobErrorResponse, number>;
}

/**
 * The error if it is an answer of `streamJobEvents` with this status and with the body that the document describes for it;
 * `undefined` for every other error.
 */
export function streamJobEventsFailure<Status extends keyof StreamJobEventsFailures>(
  error: unknown,
  status: Status,
): StreamJobEventsFailures[Status] | undefined {
  return failedWith(error, 'streamJobEvents', status, streamJobEventsBodies) as StreamJobEventsFailures[Status] | undefined;
}

const streamJobEventsBodies: BodyGuards = {
  'default': isJobErrorResponse,
};
