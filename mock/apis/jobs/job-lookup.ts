import type { Answer } from '../../call/answer.ts';
import { pathParameter } from '../../call/path-parameter.ts';
import type { Call } from '../../call/call.ts';
import { refuseJob, scopeOf, type Jobs } from './context.ts';
import type { Job } from './job.ts';

export type FoundJob = { readonly job: Job } | { readonly refusal: Answer };

/** The job that a call is about, or the refusal for one that does not exist or is another caller's (open point A-85). */
export function findJob(jobs: Jobs, call: Call): FoundJob {
  const job = jobs.state.board.find(pathParameter(call, 'id'));
  if (job?.scope === scopeOf(call)) return { job };
  const message = 'This job does not exist, or has expired.';
  return { refusal: refuseJob(jobs, call, { role: 'unknownJob', message }) };
}
