// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { checker, guard } from '../runtime/checks.js';
import type { Check, Failures, Guard } from '../runtime/checks.js';
import { isDateTime, isUuid } from '../runtime/formats.js';
import { listOf } from '../runtime/lists.js';
import { lacks, others } from '../runtime/members.js';
import { below } from '../runtime/recursion.js';
import { among, formatted, integer, never, object, orNull, text } from '../runtime/scalars.js';
import type { Job, JobErrorResponse, WorkflowSubmission } from './types.js';

export type { Checked, Failure } from '../runtime/checks.js';

// For each type two functions: `is…` says whether a value is of it, `check…` gives the value under it or says what is wrong.

export const isWorkflowSubmission: Guard<WorkflowSubmission> = /* @__PURE__ */ guard(validateWorkflowSubmission);
export const checkWorkflowSubmission: Check<WorkflowSubmission> = /* @__PURE__ */ checker(validateWorkflowSubmission);

export const isJob: Guard<Job> = /* @__PURE__ */ guard(validateJob);
export const checkJob: Check<Job> = /* @__PURE__ */ checker(validateJob);

export const isJobErrorResponse: Guard<JobErrorResponse> = /* @__PURE__ */ guard(validateJobErrorResponse);
export const checkJobErrorResponse: Check<JobErrorResponse> = /* @__PURE__ */ checker(validateJobErrorResponse);

// --- internal ---

const names0 = ['id', 'status', 'created_at', 'started_at', 'completed_at', 'expires_at', 'queue_position', 'progress', 'outputs', 'error', 'urls'];
const values0 = ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'];

function validateWorkflowSubmission(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.extra_data !== undefined) { const n = e.length; validateWorkflowSubmissionExtraData(v.extra_data, e); if (e.length > n) below('/extra_data', e, n); }
  never(v.webhook_url, e, '/webhook_url');
  never(v.inputs, e, '/inputs');
}

function validateWorkflowSubmissionExtraData(v: any, e: Failures): void {
  object(v, e);
}

function validateJob(v: any, e: Failures): void {
  if (!object(v, e)) return;
  lacks(v, e, names0);
  text(v.id, e, '/id');
  formatted(v.id, e, '/id', isUuid, 'uuid');
  text(v.status, e, '/status');
  among(v.status, e, '/status', values0);
  text(v.created_at, e, '/created_at');
  formatted(v.created_at, e, '/created_at', isDateTime, 'date-time');
  text(v.started_at, e, '/started_at', orNull);
  formatted(v.started_at, e, '/started_at', isDateTime, 'date-time');
  text(v.completed_at, e, '/completed_at', orNull);
  formatted(v.completed_at, e, '/completed_at', isDateTime, 'date-time');
  text(v.expires_at, e, '/expires_at');
  formatted(v.expires_at, e, '/expires_at', isDateTime, 'date-time');
  integer(v.queue_position, e, '/queue_position', orNull);
  if (v.progress !== undefined) { const n = e.length; validateJobProgress(v.progress, e); if (e.length > n) below('/progress', e, n); }
  listOf(v.outputs, e, '/outputs', validateWorkflowSubmissionExtraData);
  if (v.error !== undefined) { const n = e.length; validateJobProgress(v.error, e); if (e.length > n) below('/error', e, n); }
  if (v.urls !== undefined) { const n = e.length; validateWorkflowSubmissionExtraData(v.urls, e); if (e.length > n) below('/urls', e, n); }
  if (v.logs !== undefined) { const n = e.length; validateWorkflowSubmissionExtraData(v.logs, e); if (e.length > n) below('/logs', e, n); }
  if (v.metrics !== undefined) { const n = e.length; validateWorkflowSubmissionExtraData(v.metrics, e); if (e.length > n) below('/metrics', e, n); }
}

function validateJobProgress(v: any, e: Failures): void {
  object(v, e, '', orNull);
}

function validateJobErrorResponse(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.error === undefined) lacks(v, e, ['error']);
  if (v.error !== undefined) { const n = e.length; validateJobErrorResponseError(v.error, e); if (e.length > n) below('/error', e, n); }
}

function validateJobErrorResponseError(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.code === undefined || v.message === undefined) lacks(v, e, ['code', 'message']);
  text(v.code, e, '/code');
  text(v.message, e, '/message');
  if (v.details !== undefined) { const n = e.length; validateJobErrorResponseErrorDetails(v.details, e); if (e.length > n) below('/details', e, n); }
}

function validateJobErrorResponseErrorDetails(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.node_errors !== undefined) { const n = e.length; validateJobErrorResponseErrorDetailsNodeErrors(v.node_errors, e); if (e.length > n) below('/node_errors', e, n); }
}

function validateJobErrorResponseErrorDetailsNodeErrors(v: any, e: Failures): void {
  if (!object(v, e)) return;
  others(v, e, validateJobErrorResponseErrorDetailsNodeErrorsMember);
}

function validateJobErrorResponseErrorDetailsNodeErrorsMember(v: any, e: Failures): void {
  listOf(v, e, '', validateJobErrorResponseErrorDetailsNodeErrorsMemberItem);
}

function validateJobErrorResponseErrorDetailsNodeErrorsMemberItem(v: any, e: Failures): void {
  if (!object(v, e)) return;
  if (v.field === undefined || v.reason === undefined) lacks(v, e, ['field', 'reason']);
  text(v.field, e, '/field');
  text(v.reason, e, '/reason');
}
