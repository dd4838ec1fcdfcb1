import type { Behaviour, Call } from '../../call/call.ts';
import { jobAnswer, type Jobs } from './context.ts';
import { findJob } from './job-lookup.ts';
import type { Job, JobState } from './job.ts';

/** The state of a job that counts (document 3, "GET /api/v2/jobs/{id}"). */
export function read(jobs: Jobs): Behaviour {
  return (call) => {
    const found = findJob(jobs, call);
    if ('refusal' in found) return Promise.resolve(found.refusal);
    call.note('read', found.job.state.status, 'A-67');
    const { status } = jobs.assume('A-67');
    return Promise.resolve(jobAnswer(jobs, call, status, found.job, stateTold(call, found.job)));
  };
}

// --- internal ---

/** The state as it is, or as it was a while ago. */
function stateTold({ switches, startedAt }: Call, job: Job): JobState {
  const { readLagMs } = switches;
  if (readLagMs === undefined) return job.state;
  const known = job.statuses.findLast(({ at }) => at <= startedAt - readLagMs) ?? job.statuses[0];
  return known?.state ?? job.state;
}
