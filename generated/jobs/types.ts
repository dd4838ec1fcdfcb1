// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

/** The graph to run, in the format of the API. An export of the editor is refused. */
export interface WorkflowSubmission {
  /** Passed to the worker of this submission, and not stored. Unknown keys are refused. */
  extra_data?: {
    [key: string]: unknown;
  };
  webhook_url?: never;
  inputs?: never;
  [key: string]: unknown;
}

/** The execution of a submitted graph. It is kept until `expires_at`. */
export interface Job {
  /**
   * The id of the job.
   * Format `uuid`.
   */
  id: string;
  /** The status of the job. */
  status: 'queued' | 'running' | 'succeeded' | 'canceling' | 'canceled' | 'failed' | 'expired';
  /**
   * The time of the submission.
   * Format `date-time`.
   */
  created_at: string;
  /**
   * The time at which it began to run.
   * Format `date-time`.
   */
  started_at: string | null;
  /**
   * The time at which it ended.
   * Format `date-time`.
   */
  completed_at: string | null;
  /**
   * The time until which it is kept. The platform decides how long that is.
   * Format `date-time`.
   */
  expires_at: string;
  /** The position in the queue. */
  queue_position: number | null;
  /** The progress of the run, the same as in the stream. */
  progress: {
    [key: string]: unknown;
  } | null;
  /** The outputs so far. The list grows while the job runs. */
  outputs: {
    [key: string]: unknown;
  }[];
  /** The reason why the job failed. It is not an error of the request. */
  error: {
    [key: string]: unknown;
  } | null;
  /**
   * Links to follow. A link that begins with a slash is relative to the origin of the request, not to
   * a base address. Do not build links yourself.
   */
  urls: {
    [key: string]: unknown;
  };
  /** The logs of the run. Only in the answer of the read, and only if there are logs. */
  logs?: {
    [key: string]: unknown;
  };
  /** Measurements of the run. A value that is not known yet is null. */
  metrics?: {
    [key: string]: unknown;
  };
}

/** The reason of a failure. */
export interface JobErrorResponse {
  /** The failure. */
  error: {
    /**
     * The code of the failure. There are more codes than the contract shows.
     * @example "invalid_workflow"
     */
    code: string;
    /** The explanation in words. */
    message: string;
    /** Further details, depending on the code. */
    details?: {
      /** For an invalid workflow, the faults by node. */
      node_errors?: {
        [key: string]: {
          /** The faulty field of the node. */
          field: string;
          /**
           * The fault.
           * @example "missing_input"
           */
          reason: string;
        }[];
      };
      [key: string]: unknown;
    };
  };
}

/** What `submitJob` sends. */
export type SubmitJobBody = WorkflowSubmission;

/** What `submitJob` takes. */
export type SubmitJobParameters = {
  /** The graph in API format. */
  body: SubmitJobBody;
};

/** What `submitJob` is answered with, by status. */
export interface SubmitJobResponses {
  /** The job is recorded and queued. */
  201: Job;
  /** No job was created. The key was used before; other refusals may have this status too. */
  422: JobErrorResponse;
  /** The request failed. The contract leaves the status open. */
  default: JobErrorResponse;
}

/** What `getJob` takes. */
export type GetJobParameters = {
  /** The job. */
  id: string;
};

/** What `getJob` is answered with, by status. */
export interface GetJobResponses {
  /** The job. */
  '2XX': Job;
  /** The request failed. The contract leaves the status open. */
  default: JobErrorResponse;
}

/** What `cancelJob` takes. */
export type CancelJobParameters = {
  /** The job. */
  id: string;
};

/** What `cancelJob` is answered with, by status. */
export interface CancelJobResponses {
  /** The job as it is now. */
  200: Job;
  /** The request failed. The contract leaves the status open. */
  default: JobErrorResponse;
}

/** What `streamJobEvents` takes. */
export type StreamJobEventsParameters = {
  /** The job. */
  id: string;
};

/** What `streamJobEvents` is answered with, by status. */
export interface StreamJobEventsResponses {
  /** The events. */
  '2XX': string;
  /** The request failed. The contract leaves the status open. */
  default: JobErrorResponse;
}

