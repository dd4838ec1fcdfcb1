import type { Behaviour, Call } from '../../call/call.ts';
import { jobAnswer, type Jobs } from './context.ts';
import type { Job, JobState } from './job.ts';

/** The authoritative state of a job (document 3, "GET /api/v2/jobs/{id}"). */
export function read(jobs: Jobs): Behaviour {
  return (call) => {
    const found = jobs.mechanisms.findJob(jobs, call);
    if ('refusal' in found) return found.refusal;
    call.note('read', found.job.state.status, 'A-67');
    const { status } = jobs.assume('A-67');
    return jobAnswer(jobs, call, status, found.job, jobs.mechanisms.stateToShow(jobs, call, found.job));
  };
}

/** A read returns the actual state. */
export function stateToShow(_jobs: Jobs, _call: Call, { state }: Job): JobState {
  return state;
}
