// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { check, fail, passes, token } from '../runtime/checks.js';
import type { Checked, Failures } from '../runtime/checks.js';
import { isDateTime, isUuid } from '../runtime/formats.js';
import type { Job, JobErrorResponse, WorkflowSubmission } from './types.js';

export type { Checked, Failure } from '../runtime/checks.js';

/** Whether a value is a `WorkflowSubmission`. */
export function isWorkflowSubmission(value: unknown): value is WorkflowSubmission {
  return passes(validateWorkflowSubmission, value);
}

/** The value as a `WorkflowSubmission`, or what is wrong with it. */
export function checkWorkflowSubmission(value: unknown): Checked<WorkflowSubmission> {
  return check(validateWorkflowSubmission, value);
}

/** Whether a value is a `Job`. */
export function isJob(value: unknown): value is Job {
  return passes(validateJob, value);
}

/** The value as a `Job`, or what is wrong with it. */
export function checkJob(value: unknown): Checked<Job> {
  return check(validateJob, value);
}

/** Whether a value is a `JobErrorResponse`. */
export function isJobErrorResponse(value: unknown): value is JobErrorResponse {
  return passes(validateJobErrorResponse, value);
}

/** The value as a `JobErrorResponse`, or what is wrong with it. */
export function checkJobErrorResponse(value: unknown): Checked<JobErrorResponse> {
  return check(validateJobErrorResponse, value);
}

// --- internal ---


function validateWorkflowSubmission(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.extra_data !== undefined) {
      let data0 = data.extra_data;
      if (!(data0 && typeof data0 == 'object' && !Array.isArray(data0))) {
        fail(failures, '/extra_data', 'must be object');
      }
    }
    if (data.webhook_url !== undefined) {
      fail(failures, '/webhook_url', 'is not allowed here');
    }
    if (data.inputs !== undefined) {
      fail(failures, '/inputs', 'is not allowed here');
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateJob(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.id === undefined) {
      fail(failures, '', 'must have the property "id"');
    }
    if (data.status === undefined) {
      fail(failures, '', 'must have the property "status"');
    }
    if (data.created_at === undefined) {
      fail(failures, '', 'must have the property "created_at"');
    }
    if (data.started_at === undefined) {
      fail(failures, '', 'must have the property "started_at"');
    }
    if (data.completed_at === undefined) {
      fail(failures, '', 'must have the property "completed_at"');
    }
    if (data.expires_at === undefined) {
      fail(failures, '', 'must have the property "expires_at"');
    }
    if (data.queue_position === undefined) {
      fail(failures, '', 'must have the property "queue_position"');
    }
    if (data.progress === undefined) {
      fail(failures, '', 'must have the property "progress"');
    }
    if (data.outputs === undefined) {
      fail(failures, '', 'must have the property "outputs"');
    }
    if (data.error === undefined) {
      fail(failures, '', 'must have the property "error"');
    }
    if (data.urls === undefined) {
      fail(failures, '', 'must have the property "urls"');
    }
    if (data.id !== undefined) {
      let data0 = data.id;
      if (typeof data0 === 'string') {
        if (!isUuid(data0)) {
          fail(failures, '/id', 'must be in the format uuid');
        }
      } else {
        fail(failures, '/id', 'must be string');
      }
    }
    if (data.status !== undefined) {
      let data1 = data.status;
      if (typeof data1 !== 'string') {
        fail(failures, '/status', 'must be string');
      }
      if (!(((((((data1 === 'queued') || (data1 === 'running')) || (data1 === 'succeeded')) || (data1 === 'canceling')) || (data1 === 'canceled')) || (data1 === 'failed')) || (data1 === 'expired'))) {
        fail(failures, '/status', 'must be one of the allowed values', ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired']);
      }
    }
    if (data.created_at !== undefined) {
      let data2 = data.created_at;
      if (typeof data2 === 'string') {
        if (!isDateTime(data2)) {
          fail(failures, '/created_at', 'must be in the format date-time');
        }
      } else {
        fail(failures, '/created_at', 'must be string');
      }
    }
    if (data.started_at !== undefined) {
      let data3 = data.started_at;
      if ((typeof data3 !== 'string') && (data3 !== null)) {
        fail(failures, '/started_at', 'must be string or null');
      }
      if (typeof data3 === 'string') {
        if (!isDateTime(data3)) {
          fail(failures, '/started_at', 'must be in the format date-time');
        }
      }
    }
    if (data.completed_at !== undefined) {
      let data4 = data.completed_at;
      if ((typeof data4 !== 'string') && (data4 !== null)) {
        fail(failures, '/completed_at', 'must be string or null');
      }
      if (typeof data4 === 'string') {
        if (!isDateTime(data4)) {
          fail(failures, '/completed_at', 'must be in the format date-time');
        }
      }
    }
    if (data.expires_at !== undefined) {
      let data5 = data.expires_at;
      if (typeof data5 === 'string') {
        if (!isDateTime(data5)) {
          fail(failures, '/expires_at', 'must be in the format date-time');
        }
      } else {
        fail(failures, '/expires_at', 'must be string');
      }
    }
    if (data.queue_position !== undefined) {
      let data6 = data.queue_position;
      if ((!((typeof data6 == 'number') && (!(data6 % 1) && !isNaN(data6)))) && (data6 !== null)) {
        fail(failures, '/queue_position', 'must be integer or null');
      }
    }
    if (data.progress !== undefined) {
      let data7 = data.progress;
      if ((!(data7 && typeof data7 == 'object' && !Array.isArray(data7))) && (data7 !== null)) {
        fail(failures, '/progress', 'must be object or null');
      }
    }
    if (data.outputs !== undefined) {
      let data8 = data.outputs;
      if (Array.isArray(data8)) {
        const len0 = data8.length;
        for (let i0 = 0; i0 < len0; i0++) {
          let data9 = data8[i0];
          if (!(data9 && typeof data9 == 'object' && !Array.isArray(data9))) {
            fail(failures, '/outputs/' + i0, 'must be object');
          }
        }
      } else {
        fail(failures, '/outputs', 'must be array');
      }
    }
    if (data.error !== undefined) {
      let data10 = data.error;
      if ((!(data10 && typeof data10 == 'object' && !Array.isArray(data10))) && (data10 !== null)) {
        fail(failures, '/error', 'must be object or null');
      }
    }
    if (data.urls !== undefined) {
      let data11 = data.urls;
      if (!(data11 && typeof data11 == 'object' && !Array.isArray(data11))) {
        fail(failures, '/urls', 'must be object');
      }
    }
    if (data.logs !== undefined) {
      let data12 = data.logs;
      if (!(data12 && typeof data12 == 'object' && !Array.isArray(data12))) {
        fail(failures, '/logs', 'must be object');
      }
    }
    if (data.metrics !== undefined) {
      let data13 = data.metrics;
      if (!(data13 && typeof data13 == 'object' && !Array.isArray(data13))) {
        fail(failures, '/metrics', 'must be object');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}

function validateJobErrorResponse(data: any, failures: Failures): void {
  if (data && typeof data == 'object' && !Array.isArray(data)) {
    if (data.error === undefined) {
      fail(failures, '', 'must have the property "error"');
    }
    if (data.error !== undefined) {
      let data0 = data.error;
      if (data0 && typeof data0 == 'object' && !Array.isArray(data0)) {
        if (data0.code === undefined) {
          fail(failures, '/error', 'must have the property "code"');
        }
        if (data0.message === undefined) {
          fail(failures, '/error', 'must have the property "message"');
        }
        if (data0.code !== undefined) {
          if (typeof data0.code !== 'string') {
            fail(failures, '/error/code', 'must be string');
          }
        }
        if (data0.message !== undefined) {
          if (typeof data0.message !== 'string') {
            fail(failures, '/error/message', 'must be string');
          }
        }
        if (data0.details !== undefined) {
          let data3 = data0.details;
          if (data3 && typeof data3 == 'object' && !Array.isArray(data3)) {
            if (data3.node_errors !== undefined) {
              let data4 = data3.node_errors;
              if (data4 && typeof data4 == 'object' && !Array.isArray(data4)) {
                for (const key0 in data4) {
                  let data5 = data4[key0];
                  if (Array.isArray(data5)) {
                    const len0 = data5.length;
                    for (let i0 = 0; i0 < len0; i0++) {
                      let data6 = data5[i0];
                      if (data6 && typeof data6 == 'object' && !Array.isArray(data6)) {
                        if (data6.field === undefined) {
                          fail(failures, '/error/details/node_errors/' + token(key0) + '/' + i0, 'must have the property "field"');
                        }
                        if (data6.reason === undefined) {
                          fail(failures, '/error/details/node_errors/' + token(key0) + '/' + i0, 'must have the property "reason"');
                        }
                        if (data6.field !== undefined) {
                          if (typeof data6.field !== 'string') {
                            fail(failures, '/error/details/node_errors/' + token(key0) + '/' + i0 + '/field', 'must be string');
                          }
                        }
                        if (data6.reason !== undefined) {
                          if (typeof data6.reason !== 'string') {
                            fail(failures, '/error/details/node_errors/' + token(key0) + '/' + i0 + '/reason', 'must be string');
                          }
                        }
                      } else {
                        fail(failures, '/error/details/node_errors/' + token(key0) + '/' + i0, 'must be object');
                      }
                    }
                  } else {
                    fail(failures, '/error/details/node_errors/' + token(key0), 'must be array');
                  }
                }
              } else {
                fail(failures, '/error/details/node_errors', 'must be object');
              }
            }
          } else {
            fail(failures, '/error/details', 'must be object');
          }
        }
      } else {
        fail(failures, '/error', 'must be object');
      }
    }
  } else {
    fail(failures, '', 'must be object');
  }
}
