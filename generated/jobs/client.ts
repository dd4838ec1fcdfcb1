// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { readStream } from '../runtime/answers.js';
import { json, prepareBody } from '../runtime/bodies.js';
import { connect } from '../runtime/connection.js';
import type { Connection, ConnectionOptions } from '../runtime/connection.js';
import { follow } from '../runtime/follow.js';
import type { FollowOptions, FollowRules, Update } from '../runtime/follow.js';
import { send } from '../runtime/http.js';
import { randomKey } from '../runtime/keys.js';
import { at, linkIn } from '../runtime/links.js';
import type { Answer, Api, CallOptions, Operation } from '../runtime/operation.js';
import { singleText } from '../runtime/parameters.js';
import { idempotentMethodRules, otherMethodRules } from '../runtime/policies/retry.js';
import { bearer } from '../runtime/secrets.js';
import type { Call } from '../runtime/settle.js';
import { failure } from './errors.js';
import type { JobsError } from './errors.js';
import type {
  CancelJobParameters,
  GetJobParameters,
  Job,
  StreamJobEventsParameters,
  SubmitJobParameters,
} from './types.js';

const api: Api = {
  name: 'jobs',
  failure,
};

const bearerAuth: NonNullable<Operation['security']> = [[{ name: 'BearerAuth', write: bearer }], []];

/** The options of a client of this API; credentials by the names of the document's security schemes. */
export type JobsOptions = ConnectionOptions<'BearerAuth'>;

export type SubmitJobAnswer = Answer<Job, 201>;

const submitJobOperation: Operation = {
  api,
  id: 'submitJob',
  method: 'POST',
  path: '/api/v2/jobs',
  body: { prepare: prepareBody, write: json, mediaType: 'application/json', required: true },
  security: bearerAuth,
  key: { header: 'Idempotency-Key', create: randomKey },
  retry: { resend: [425, 429], unanswered: 'give-up' },
};

/**
 * Submit a workflow
 *
 * Validates the graph, including its node classes and assets, and queues a job. A key can be used
 * for one job only: its second use is an error, and does not return the first answer.
 *
 * `POST /api/v2/jobs`
 */
export function submitJob(
  connection: Connection,
  input: SubmitJobParameters,
  options?: CallOptions,
): Call<SubmitJobAnswer, JobsError> {
  return send(connection, submitJobOperation, input, options) as Promise<SubmitJobAnswer>;
}

export type GetJobAnswer = Answer<Job, number>;

const getJobOperation: Operation = {
  api,
  id: 'getJob',
  method: 'GET',
  path: '/api/v2/jobs/{id}',
  parameters: [{ name: 'id', in: 'path', style: singleText }],
  security: bearerAuth,
  retry: idempotentMethodRules,
};

/**
 * Read a job
 *
 * Returns the current state of a job, with its logs if they are kept.
 *
 * `GET /api/v2/jobs/{id}`
 */
export function getJob(
  connection: Connection,
  input: GetJobParameters,
  options?: CallOptions,
): Call<GetJobAnswer, JobsError> {
  return send(connection, getJobOperation, input, options) as Promise<GetJobAnswer>;
}

/** `getJob` by the link in the body of an answer; by its own address if there is no link. */
export function getJobOf(
  connection: Connection,
  answer: Answer<Job>,
  options?: CallOptions,
): Call<GetJobAnswer, JobsError> {
  const link = linkIn(answer, 'urls', 'self');
  return getJob(link === undefined ? connection : at(connection, link), { id: answer.data.id }, options);
}

export type CancelJobAnswer = Answer<Job, 200>;

const cancelJobOperation: Operation = {
  api,
  id: 'cancelJob',
  method: 'POST',
  path: '/api/v2/jobs/{id}/cancel',
  parameters: [{ name: 'id', in: 'path', style: singleText }],
  security: bearerAuth,
  retry: otherMethodRules,
};

/**
 * Ask to cancel a job
 *
 * A running job changes to `canceling`, and later to `canceled`.
 *
 * `POST /api/v2/jobs/{id}/cancel`
 */
export function cancelJob(
  connection: Connection,
  input: CancelJobParameters,
  options?: CallOptions,
): Call<CancelJobAnswer, JobsError> {
  return send(connection, cancelJobOperation, input, options) as Promise<CancelJobAnswer>;
}

/** `cancelJob` by the link in the body of an answer; by its own address if there is no link. */
export function cancelJobOf(
  connection: Connection,
  answer: Answer<Job>,
  options?: CallOptions,
): Call<CancelJobAnswer, JobsError> {
  const link = linkIn(answer, 'urls', 'cancel');
  return cancelJob(link === undefined ? connection : at(connection, link), { id: answer.data.id }, options);
}

export type StreamJobEventsAnswer = Answer<Response['body'], number>;

const streamJobEventsOperation: Operation = {
  api,
  id: 'streamJobEvents',
  method: 'GET',
  path: '/api/v2/jobs/{id}/events',
  parameters: [{ name: 'id', in: 'path', style: singleText }],
  security: bearerAuth,
  accept: 'text/event-stream',
  read: readStream,
  retry: idempotentMethodRules,
};

/**
 * Watch a job
 *
 * Sends the current state of the job, then every change, and ends after the terminal status. Events
 * are not repeated: a client that reconnects starts with the state at that time.
 *
 * `GET /api/v2/jobs/{id}/events`
 */
export function streamJobEvents(
  connection: Connection,
  input: StreamJobEventsParameters,
  options?: CallOptions,
): Call<StreamJobEventsAnswer, JobsError> {
  return send(connection, streamJobEventsOperation, input, options) as Promise<StreamJobEventsAnswer>;
}

/** `streamJobEvents` by the link in the body of an answer; by its own address if there is no link. */
export function streamJobEventsOf(
  connection: Connection,
  answer: Answer<Job>,
  options?: CallOptions,
): Call<StreamJobEventsAnswer, JobsError> {
  const link = linkIn(answer, 'urls', 'events');
  return streamJobEvents(link === undefined ? connection : at(connection, link), { id: answer.data.id }, options);
}

const jobFollowRules: FollowRules = {
  events: { status: 'status', progress: 'progress', preview: 'preview' },
  property: 'status',
  terminal: ['succeeded', 'canceled', 'failed', 'expired'],
  links: { property: 'urls', stream: 'events', read: 'self' },
};

/**
 * Watches a `Job` to its end: each change as it happens, and the complete resource at the end.
 * Leaving the loop ends the watch. With `from`, the answer that contained it, its own links are followed.
 */
export function followJob(
  connection: Connection,
  input: GetJobParameters,
  options?: FollowOptions<Job>,
): AsyncGenerator<Update<Job>, void, undefined> {
  const calls = {
    stream: (via: Connection, call: CallOptions) => streamJobEvents(via, input, call),
    read: (via: Connection, call: CallOptions) => getJob(via, input, call),
  };
  return follow(connection, jobFollowRules, calls, options);
}

/** The `Job` after it has reached a terminal state, whichever that is. */
export async function waitForJob(
  connection: Connection,
  input: GetJobParameters,
  options?: FollowOptions<Job>,
): Promise<Job> {
  for await (const update of followJob(connection, input, options)) {
    if (update.kind === 'end') return update.resource;
  }
  throw new Error('a watch ends with its resource');
}

/** All operations of Workflow Job API over one connection. */
export interface JobsClient {
  /** Pass this to the functions of this module, and to those of the runtime. */
  readonly connection: Connection;
  /**
   * Submit a workflow
   *
   * Validates the graph, including its node classes and assets, and queues a job. A key can be used
   * for one job only: its second use is an error, and does not return the first answer.
   *
   * `POST /api/v2/jobs`
   */
  readonly submitJob: (input: SubmitJobParameters, options?: CallOptions) => Call<SubmitJobAnswer, JobsError>;
  /**
   * Read a job
   *
   * Returns the current state of a job, with its logs if they are kept.
   *
   * `GET /api/v2/jobs/{id}`
   */
  readonly getJob: {
    (input: GetJobParameters, options?: CallOptions): Call<GetJobAnswer, JobsError>;
    /** By the link in the body of an answer; by its own address if there is no link. */
    of(answer: Answer<Job>, options?: CallOptions): Call<GetJobAnswer, JobsError>;
  };
  /**
   * Ask to cancel a job
   *
   * A running job changes to `canceling`, and later to `canceled`.
   *
   * `POST /api/v2/jobs/{id}/cancel`
   */
  readonly cancelJob: {
    (input: CancelJobParameters, options?: CallOptions): Call<CancelJobAnswer, JobsError>;
    /** By the link in the body of an answer; by its own address if there is no link. */
    of(answer: Answer<Job>, options?: CallOptions): Call<CancelJobAnswer, JobsError>;
  };
  /**
   * Watch a job
   *
   * Sends the current state of the job, then every change, and ends after the terminal status.
   * Events are not repeated: a client that reconnects starts with the state at that time.
   *
   * `GET /api/v2/jobs/{id}/events`
   */
  readonly streamJobEvents: {
    (input: StreamJobEventsParameters, options?: CallOptions): Call<StreamJobEventsAnswer, JobsError>;
    /** By the link in the body of an answer; by its own address if there is no link. */
    of(answer: Answer<Job>, options?: CallOptions): Call<StreamJobEventsAnswer, JobsError>;
  };
  /** Watches a `Job` to its end: each change as it happens, and the complete resource at the end. */
  readonly followJob: (
    input: GetJobParameters,
    options?: FollowOptions<Job>,
  ) => AsyncGenerator<Update<Job>, void, undefined>;
  /** The `Job` after it has reached a terminal state, whichever that is. */
  readonly waitForJob: (input: GetJobParameters, options?: FollowOptions<Job>) => Promise<Job>;
}

/**
 * A client with all operations. For a bundle with only the used calls, use `connect` and the functions.
 *
 * @throws {TypeError} when paths cannot be appended to `baseUrl`
 */
export function createJobs(options: JobsOptions): JobsClient {
  const connection = connect(options);
  return {
    connection,
    submitJob: (input, options) => submitJob(connection, input, options),
    getJob: Object.assign(
      (input: GetJobParameters, options?: CallOptions) => getJob(connection, input, options),
      {
        of: (answer: Answer<Job>, options?: CallOptions) => getJobOf(connection, answer, options),
      },
    ),
    cancelJob: Object.assign(
      (input: CancelJobParameters, options?: CallOptions) => cancelJob(connection, input, options),
      {
        of: (answer: Answer<Job>, options?: CallOptions) => cancelJobOf(connection, answer, options),
      },
    ),
    streamJobEvents: Object.assign(
      (input: StreamJobEventsParameters, options?: CallOptions) => streamJobEvents(connection, input, options),
      {
        of: (answer: Answer<Job>, options?: CallOptions) => streamJobEventsOf(connection, answer, options),
      },
    ),
    followJob: (input, options) => followJob(connection, input, options),
    waitForJob: (input, options) => waitForJob(connection, input, options),
  };
}
