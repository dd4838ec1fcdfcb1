import type { Work } from './stored-forms.ts';
import type { Breakdown, NodeOutput, WorkPosition, Preview, Progress } from './work.ts';

/** One execution of a graph. Its state is a value that is replaced, so that a holder of an earlier one may keep it. */
export interface Job {
  readonly id: string;
  /** The caller that it belongs to. */
  readonly scope: string;
  /** Epoch milliseconds, as all times here. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When it may leave the queue at the earliest. */
  readonly readyAt: number;
  /** The number of fictitious jobs before it in the queue, which leave one by one. */
  readonly ahead: { readonly jobs: number; readonly eachMs: number };
  /** Given up at the end. */
  work: Work | undefined;
  state: JobState;
  /** Its statuses in their order; of several states with one status the latest. */
  statuses: StatusEntry[];
  /** Count up with each new progress and each new preview. */
  progressCount: number;
  previewCount: number;
  /** When something happens to it by itself. */
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
  /** 1 for the next one to start; null outside the queue. */
  readonly queuePosition: number | null;
  readonly progress: Progress | null;
  readonly preview: Preview | null;
  readonly outputs: readonly NodeOutput[];
  readonly breakdown: Breakdown | null;
  /** The log of the run; null while it runs. */
  readonly printed: string | null;
}

export interface StatusEntry {
  /** Counts up over the life of the job; a replaced entry gets a new one. */
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
