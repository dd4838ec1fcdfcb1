import type { Behaviour, Call } from '../../call/call.ts';
import { jobAnswer, type Jobs } from './context.ts';
import type { Job } from './job.ts';

/**
 * Asks a job to stop (document 3, "POST /api/v2/jobs/{id}/cancel"). For a queued job, open point A-81 decides; a job
 * that has ended does not change; a key is ignored.
 */
export function cancel(jobs: Jobs): Behaviour {
  return (call) => {
    const found = jobs.mechanisms.findJob(jobs, call);
    if ('refusal' in found) return found.refusal;
    const { job } = found;
    const { stage } = job.state;
    jobs.mechanisms.stopJob(jobs, call, job);
    call.note('cancel', `${stage}, then ${job.state.status}`, restsOn[stage]);
    return jobAnswer(jobs, call, CURRENT_STATE, job);
  };
}

export function stopJob(jobs: Jobs, _call: Call, job: Job): void {
  const isOverAtOnce = jobs.assume('A-91').isOver === 'before the answer';
  jobs.state.board.cancel(job, isOverAtOnce ? 'at-once' : undefined);
}

// --- internal ---

/** Document 3, "POST /api/v2/jobs/{id}/cancel": in any state of the job. */
const CURRENT_STATE = 200;

const restsOn = { waiting: 'A-81', working: undefined, stopping: 'A-82', over: 'A-82' } as const;
