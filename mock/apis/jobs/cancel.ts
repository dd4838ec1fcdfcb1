import type { Behaviour } from '../../call/call.ts';
import { jobAnswer, type Jobs } from './context.ts';
import { findJob } from './job-lookup.ts';

/**
 * Asks a job to stop (document 3, "POST /api/v2/jobs/{id}/cancel"). One in the queue goes the way of open point A-81,
 * one that has ended stays as it is; a key means nothing here.
 */
export function cancel(jobs: Jobs): Behaviour {
  return (call) => {
    const found = findJob(jobs, call);
    if ('refusal' in found) return Promise.resolve(found.refusal);
    const { job } = found;
    const { stage } = job.state;
    const isOverAtOnce = jobs.assume('A-91').isOver === 'before the answer';
    const how = call.switches.cancel ?? (isOverAtOnce ? 'at-once' : undefined);
    if (how !== 'ignored') jobs.state.board.cancel(job, how);
    call.note('cancel', `${stage}, then ${job.state.status}`, restsOn[stage]);
    return Promise.resolve(jobAnswer(jobs, call, CURRENT_STATE, job));
  };
}

// --- internal ---

/** Document 3, "POST /api/v2/jobs/{id}/cancel": whatever the state of the job. */
const CURRENT_STATE = 200;

const restsOn = { waiting: 'A-81', working: undefined, stopping: 'A-82', over: 'A-82' } as const;
