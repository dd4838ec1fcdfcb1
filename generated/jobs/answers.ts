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
}

/**
 * The error where it is an answer of `submitJob` with this status and with the body that the document describes for it;
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
};
