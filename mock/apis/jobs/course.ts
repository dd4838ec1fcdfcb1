import type { Answer } from '../../call/answer.ts';
import type { Call } from '../../call/call.ts';
import type { CourseParts } from '../../call/course.ts';
import { refuseJob, type Jobs } from './context.ts';

/** The specifics of the jobs for the engine's handling of keys. */
export function jobsCourse(jobs: Jobs): CourseParts {
  const { facts, clock, deviations, mechanisms } = jobs;
  return {
    ...{ contract: facts.contract, clock, deviations },
    store: () => jobs.state.store,
    refused: (call, { message, decision }) =>
      decision?.case === 'used'
        ? mechanisms.usedKey(jobs, call, message)
        : refuseJob(jobs, call, { role: 'badRequest', message }),
  };
}

/** The answer to a key that was used before. */
export function usedKey(jobs: Jobs, call: Call, message: string): Answer {
  return refuseJob(jobs, call, { role: 'usedKey', message });
}
