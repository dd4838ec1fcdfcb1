// Generated from specs/jobs.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

/**
 * The graph to run, in the format of the API. It is taken as it is; an export of the editor is
 * refused.
 */
export interface WorkflowSubmission {
  /**
   * Passed on to the worker with this submission and not kept. Only keys that the server knows are
   * taken.
   */
  extra_data?: {
    [key: string]: unknown;
  };
  webhook_url?: never;
  inputs?: never;
  [key: string]: unknown;
}

/** A graph that was submitted, on its way through execution. It is kept until `expires_at`. */
export interface Job {
  /**
   * Names the job.
   * Format `uuid`.
   */
  id: string;
  /** How far the job has come. */
  status: 'queued' | 'running' | 'succeeded' | 'canceling' | 'canceled' | 'failed' | 'expired';
  /**
   * When it was submitted.
   * Format `date-time`.
   */
  created_at: string;
  /**
   * When it began to run.
   * Format `date-time`.
   */
  started_at: string | null;
  /**
   * When it ended.
   * Format `date-time`.
   */
  completed_at: string | null;
  /**
   * Until when it is kept. How long that is, each platform decides.
   * Format `date-time`.
   */
  expires_at: string;
  /** Where it stands in the queue. */
  queue_position: number | null;
  /** How far its run has come; the stream pushes the same. */
  progress: {
    [key: string]: unknown;
  } | null;
  /** What it made so far. Grows while it runs. */
  outputs: {
    [key: string]: unknown;
  }[];
  /** Why its run failed. This is no error of the request. */
  error: {
    [key: string]: unknown;
  } | null;
  /**
   * Links to follow. A link that begins with a slash counts from the origin of the request and not
   * from a base address; do not put links together yourself.
   */
  urls: {
    [key: string]: unknown;
  };
  /** What its run printed. Left out where there is nothing to show, and everywhere but on the read. */
  logs?: {
    [key: string]: unknown;
  };
  /** Figures about it. Those that are not known yet are null. */
  metrics?: {
    [key: string]: unknown;
  };
}

/** Why the request failed. */
export interface JobErrorResponse {
  /** The failure. */
  error: {
    /**
     * What went wrong. There are more codes than the contract shows.
     * @example "invalid_workflow"
     */
    code: string;
    /** The same for people. */
    message: string;
    /** More about it, depending on the code. */
    details?: {
      /** For an invalid workflow, what is wrong with its nodes, by node. */
      node_errors?: {
        [key: string]: {
          /** Where in the node. */
          field: string;
          /**
           * What is wrong there.
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
  /** No job came of this request. The key was used before; other refusals may have this status too. */
  422: JobErrorResponse;
  /** The request failed. Under which statuses this comes is open. */
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
  /** The request failed. Under which statuses this comes is open. */
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
  /** The request failed. Under which statuses this comes is open. */
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
  /** The request failed. Under which statuses this comes is open. */
  default: JobErrorResponse;
}

