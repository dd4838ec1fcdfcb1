import type { Answer } from '../../call/answer.ts';
import type { Call } from '../../call/call.ts';
import { pathValue, refuseJob, scopeOf, type Jobs } from './context.ts';
import type { Job } from './job.ts';

/** The job that a call is about, or the refusal for one that does not exist or is another caller's (open point A-85). */
export function findJob(jobs: Jobs, call: Call): { readonly job: Job } | { readonly refusal: Answer } {
  const job = jobs.state.board.find(pathValue(call, 'id'));
  const { jobsOfOthers, hiddenForMs = 0 } = call.switches;
  const isOwn = job?.scope === scopeOf(call) || jobsOfOthers === true;
  const isHidden = job !== undefined && call.startedAt < job.createdAt + hiddenForMs;
  if (job !== undefined && isOwn && !isHidden) return { job };
  const message = 'There is no such job, or there is none any more.';
  return { refusal: refuseJob(jobs, call, { role: 'unknownJob', message }) };
}
