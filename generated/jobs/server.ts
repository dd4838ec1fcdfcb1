// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import * as runtime from '../server-runtime/index.js';
import type * as types from './types.js';
import * as validators from './validators.js';

export { join, memoryStore, Refusal, ShutdownError } from '../server-runtime/index.js';
export type {
  CallFacts,
  Exchange,
  Finding,
  Handler,
  IdempotencyStore,
  Server,
  ServerCall,
  ServerCaller,
  ServerEvent,
  ServerOptions,
  Shutdown,
  ShutdownOptions,
  Store,
} from '../server-runtime/index.js';

/** The credentials of a request, by the names of the document's security schemes. */
export type Credentials = runtime.Credentials<'BearerAuth'>;

/** The possible answers of `submitJob`. */
export type SubmitJobReply = runtime.RepliesOf<types.SubmitJobResponses>;

/** The possible answers of `getJob`. */
export type GetJobReply = runtime.RepliesOf<types.GetJobResponses>;

/** The possible answers of `cancelJob`. */
export type CancelJobReply = runtime.RepliesOf<types.CancelJobResponses>;

/** The possible answers of `streamJobEvents`. */
export type StreamJobEventsReply = runtime.StreamReply | runtime.RepliesOf<Omit<types.StreamJobEventsResponses, '2XX'>>;

/** The handlers of Workflow Job API. The server around them enforces the contract. */
export interface JobsHandlers<Caller extends runtime.ServerCaller = runtime.ServerCaller> {
  /**
   * Submit a workflow
   *
   * Validates the graph, including its node classes and assets, and queues a job. A key can be used
   * for one job only: its second use is an error, and does not return the first answer.
   *
   * `POST /api/v2/jobs`
   */
  readonly submitJob: runtime.Handler<types.SubmitJobParameters, SubmitJobReply, Caller>;
  /**
   * Read a job
   *
   * Returns the current state of a job, with its logs if they are kept.
   *
   * `GET /api/v2/jobs/{id}`
   */
  readonly getJob: runtime.Handler<types.GetJobParameters, GetJobReply, Caller>;
  /**
   * Ask to cancel a job
   *
   * A running job changes to `canceling`, and later to `canceled`.
   *
   * `POST /api/v2/jobs/{id}/cancel`
   */
  readonly cancelJob: runtime.Handler<types.CancelJobParameters, CancelJobReply, Caller>;
  /**
   * Watch a job
   *
   * Sends the current state of the job, then every change, and ends after the terminal status.
   * Events are not repeated: a client that reconnects starts with the state at that time.
   *
   * `GET /api/v2/jobs/{id}/events`
   */
  readonly streamJobEvents: runtime.Handler<types.StreamJobEventsParameters, StreamJobEventsReply, Caller>;
}

/**
 * A server of Workflow Job API, as a function from a request to an answer. It checks requests, sends what the
 * contract documents with every answer, and applies the contract's rules for keys, deadlines and capacity.
 *
 * @throws {RangeError} when a claim on a key would end before its call
 */
export function createServer<Caller extends runtime.ServerCaller>(
  handlers: JobsHandlers<Caller>,
  options: runtime.ServerOptions<Caller, keyof Credentials>,
): runtime.Server {
  return runtime.serverOf<Caller>(api, checks, {
    submitJob: handlers.submitJob,
    getJob: handlers.getJob,
    cancelJob: handlers.cancelJob,
    streamJobEvents: handlers.streamJobEvents,
  }, options);
}

/** The reason why a request fails, for a handler to throw. It is answered as an error of this API. */
export function refuse(reason: 'invalid_workflow' | 'workflow_format_ui' | 'idempotency_key_reuse' | (string & {}), message: string, options?: runtime.RefusalOptions): runtime.Refusal {
  return new runtime.Refusal(reason, message, options);
}

// --- internal ---

const submitJobOperation: runtime.ServedOperation = {
  id: 'submitJob',
  method: 'POST',
  path: '/api/v2/jobs',
  body: {
    required: true,
    contents: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'WorkflowSubmission' }],
  },
  responses: {
    '201': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'Job' }],
    '422': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'JobErrorResponse' }],
    default: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'JobErrorResponse' }],
  },
  security: [[{ name: 'BearerAuth', kind: 'bearer' }], []],
  refusedFormat: {
    kind: 'refused-format',
    operations: ['submitJob'],
    arrays: ['nodes', 'links'],
    code: 'workflow_format_ui',
  },
  idempotency: {
    kind: 'idempotency',
    mode: 'single-use',
    operations: ['submitJob'],
    requestHeader: 'Idempotency-Key',
    window: 'PT24H',
    release: ['4xx'],
    reuse: { status: 422, code: 'idempotency_key_reuse' },
  },
};

const getJobOperation: runtime.ServedOperation = {
  id: 'getJob',
  method: 'GET',
  path: '/api/v2/jobs/{id}',
  parameters: [{ name: 'id', in: 'path', required: true, style: 'simple', explode: false }],
  responses: {
    '2XX': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'Job' }],
    default: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'JobErrorResponse' }],
  },
  security: [[{ name: 'BearerAuth', kind: 'bearer' }], []],
};

const cancelJobOperation: runtime.ServedOperation = {
  id: 'cancelJob',
  method: 'POST',
  path: '/api/v2/jobs/{id}/cancel',
  parameters: [{ name: 'id', in: 'path', required: true, style: 'simple', explode: false }],
  responses: {
    '200': [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'Job' }],
    default: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'JobErrorResponse' }],
  },
  security: [[{ name: 'BearerAuth', kind: 'bearer' }], []],
};

const streamJobEventsOperation: runtime.ServedOperation = {
  id: 'streamJobEvents',
  method: 'GET',
  path: '/api/v2/jobs/{id}/events',
  parameters: [{ name: 'id', in: 'path', required: true, style: 'simple', explode: false }],
  responses: {
    '2XX': [{ mediaType: 'text/event-stream', bodyFormat: 'events' }],
    default: [{ mediaType: 'application/json', bodyFormat: 'json', schema: 'JobErrorResponse' }],
  },
  security: [[{ name: 'BearerAuth', kind: 'bearer' }], []],
  stream: { events: { status: 'status', progress: 'progress', preview: 'preview' } },
};

const api: runtime.ServedApi = {
  name: 'jobs',
  errors: {
    kind: 'codes',
    policy: {
      kind: 'error-codes',
      code: 'error.code',
      message: 'error.message',
      codes: [
        { name: 'invalid_workflow' },
        { name: 'workflow_format_ui' },
        { name: 'idempotency_key_reuse', status: 422 },
      ],
      roles: {
        invalidGraph: 'invalid_workflow',
        editorFormat: 'workflow_format_ui',
        usedKey: 'idempotency_key_reuse',
      },
    },
  },
  presence: [
    {
      kind: 'presence',
      schema: 'Job',
      property: 'logs',
      operations: ['getJob'],
      surfaces: ['serverless'],
      onlyWhenTerminal: true,
    },
  ],
  lifecycle: { schema: 'Job', property: 'status', terminal: ['succeeded', 'canceled', 'failed', 'expired'] },
  operations: [submitJobOperation, getJobOperation, cancelJobOperation, streamJobEventsOperation],
};

/** Checks values by the schemas that the API names. */
const checks: runtime.Checks = {
  Job: validators.checkJob,
  JobErrorResponse: validators.checkJobErrorResponse,
  WorkflowSubmission: validators.checkWorkflowSubmission,
};
