// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { checker, guard } from '../runtime/checks.js';
import type { Check, Failures, Guard } from '../runtime/checks.js';
import { isDateTime, isUuid } from '../runtime/formats.js';
import { listOf } from '../runtime/lists.js';
import { lacks, others } from '../runtime/members.js';
import { below } from '../runtime/recursion.js';
import { among, integer, never, object, orNull, text, textOf } from '../runtime/scalars.js';
import type { Job, JobErrorResponse, WorkflowSubmission } from './types.js';

export type { Checked, Failure } from '../runtime/checks.js';

// Two functions for each type: `is…` returns whether a value is of the type, `check…` returns the typed value or its faults.

export const isWorkflowSubmission: Guard<WorkflowSubmission> = /* @__PURE__ */ guard(validateWorkflowSubmission);
export const checkWorkflowSubmission: Check<WorkflowSubmission> = /* @__PURE__ */ checker(validateWorkflowSubmission);

export const isJob: Guard<Job> = /* @__PURE__ */ guard(validateJob);
export const checkJob: Check<Job> = /* @__PURE__ */ checker(validateJob);

export const isJobErrorResponse: Guard<JobErrorResponse> = /* @__PURE__ */ guard(validateJobErrorResponse);
export const checkJobErrorResponse: Check<JobErrorResponse> = /* @__PURE__ */ checker(validateJobErrorResponse);

// --- internal ---

const names0 = ['id', 'status', 'created_at', 'started_at', 'completed_at', 'expires_at', 'queue_position', 'progress', 'outputs', 'error', 'urls'];
const values0 = ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'];

function validateWorkflowSubmission(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  validateWorkflowSubmissionExtraData(v.extra_data, e, '/extra_data');
  never(v.webhook_url, e, '/webhook_url');
  never(v.inputs, e, '/inputs');
  if (e.length > n) below(p, e, n);
}

function validateWorkflowSubmissionExtraData(v: any, e: Failures, p = ''): void {
  object(v, e, p);
}

function validateJob(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  lacks(v, e, names0);
  textOf(v.id, e, '/id', isUuid, 'uuid');
  text(v.status, e, '/status');
  among(v.status, e, '/status', values0);
  textOf(v.created_at, e, '/created_at', isDateTime, 'date-time');
  textOf(v.started_at, e, '/started_at', isDateTime, 'date-time', orNull);
  textOf(v.completed_at, e, '/completed_at', isDateTime, 'date-time', orNull);
  textOf(v.expires_at, e, '/expires_at', isDateTime, 'date-time');
  integer(v.queue_position, e, '/queue_position', orNull);
  validateJobProgress(v.progress, e, '/progress');
  listOf(v.outputs, e, '/outputs', validateWorkflowSubmissionExtraData);
  validateJobProgress(v.error, e, '/error');
  validateWorkflowSubmissionExtraData(v.urls, e, '/urls');
  validateWorkflowSubmissionExtraData(v.logs, e, '/logs');
  validateWorkflowSubmissionExtraData(v.metrics, e, '/metrics');
  if (e.length > n) below(p, e, n);
}

function validateJobProgress(v: any, e: Failures, p = ''): void {
  object(v, e, p, orNull);
}

function validateJobErrorResponse(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.error === undefined) lacks(v, e, ['error']);
  validateJobErrorResponseError(v.error, e, '/error');
  if (e.length > n) below(p, e, n);
}

function validateJobErrorResponseError(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.code === undefined || v.message === undefined) lacks(v, e, ['code', 'message']);
  text(v.code, e, '/code');
  text(v.message, e, '/message');
  validateJobErrorResponseErrorDetails(v.details, e, '/details');
  if (e.length > n) below(p, e, n);
}

function validateJobErrorResponseErrorDetails(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  validateJobErrorResponseErrorDetailsNodeErrors(v.node_errors, e, '/node_errors');
  if (e.length > n) below(p, e, n);
}

function validateJobErrorResponseErrorDetailsNodeErrors(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  others(v, e, validateJobErrorResponseErrorDetailsNodeErrorsMember);
  if (e.length > n) below(p, e, n);
}

function validateJobErrorResponseErrorDetailsNodeErrorsMember(v: any, e: Failures, p = ''): void {
  listOf(v, e, p, validateJobErrorResponseErrorDetailsNodeErrorsMemberItem);
}

function validateJobErrorResponseErrorDetailsNodeErrorsMemberItem(v: any, e: Failures, p = ''): void {
  if (!object(v, e, p)) return;
  const n = e.length;
  if (v.field === undefined || v.reason === undefined) lacks(v, e, ['field', 'reason']);
  text(v.field, e, '/field');
  text(v.reason, e, '/reason');
  if (e.length > n) below(p, e, n);
}
