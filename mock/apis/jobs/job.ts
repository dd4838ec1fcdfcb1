import type { Work } from './stored-forms.ts';
import type { Breakdown, NodeOutput, WorkPosition, Preview, Progress } from './work.ts';

/**
 * One execution of a graph. Its state is an immutable value that is replaced, so that earlier states can be
 * kept.
 */
export interface Job {
  readonly id: string;
  /** The scope of its owner. */
  readonly scope: string;
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The earliest time at which it may leave the queue. */
  readonly readyAt: number;
  /** The number of fictitious jobs before it in the queue, which leave one by one. */
  readonly ahead: { readonly jobs: number; readonly eachMs: number };
  /** Cleared at the end. */
  work: Work | undefined;
  state: JobState;
  /** Its statuses in order; of several states with the same status, the latest. */
  statuses: StatusEntry[];
  /** Counters of progress updates and of previews. */
  progressCount: number;
  previewCount: number;
  /** The time of its next scheduled event. */
  due: number | undefined;
  place: WorkPosition;
  /** States that a cancelled job still has to pass. */
  comingStates: readonly string[];
}

/** The phase of a job, independent of its names in the contract. */
export type Stage = 'waiting' | 'working' | 'stopping' | 'over';

export interface JobState {
  readonly stage: Stage;
  readonly status: string;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  /** 1 for the next job to start; null outside the queue. */
  readonly queuePosition: number | null;
  readonly progress: Progress | null;
  readonly preview: Preview | null;
  readonly outputs: readonly NodeOutput[];
  readonly breakdown: Breakdown | null;
  /** The log of the run; null while it runs. */
  readonly printed: string | null;
}

export interface StatusEntry {
  /** Increases over the life of the job; a replaced entry gets a new number. */
  readonly count: number;
  readonly at: number;
  readonly state: JobState;
}

/** Records a state that the status event reports. */
export function recordStatus(job: Job, at: number): void {
  const last = job.statuses.at(-1);
  const entry: StatusEntry = { count: (last?.count ?? 0) + 1, at, state: job.state };
  const earlier = last?.state.status === job.state.status ? job.statuses.slice(0, -1) : job.statuses;
  job.statuses = [...earlier, entry];
}
