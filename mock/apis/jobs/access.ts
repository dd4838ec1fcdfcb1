import type { BucketRole } from '../../../contract/policies/error-buckets.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { refusedCaller } from '../../scenarios/refused-caller.ts';
import { refuseJob, type JobRefusal, type Jobs } from './context.ts';
import type { JobErrorRole } from './facts.ts';

/** Credentials that are good and are refused nevertheless. Credits are needed to submit only, and looked at there. */
export function access(jobs: Jobs): Behaviour {
  return (call, next) => {
    const refusal = callerRefusal(call);
    return refusal === undefined || refusal.role === 'noCredits' ? next() : refuseJob(jobs, call, refusal);
  };
}

/** Why the caller is refused, if its credential or its scenario says so. */
export function callerRefusal(call: Call): JobRefusal | undefined {
  const refused = refusedCaller(call, ({ role }) => roles[role] !== undefined);
  const role = refused && roles[refused.role];
  return role === undefined ? undefined : { role, message: refused?.detail ?? '' };
}

// --- internal ---

/** The magic keys are those of the model router, whose errors have other parts to play. */
const roles: Partial<Record<BucketRole, JobErrorRole>> = {
  noAccess: 'noAccess',
  notEnabled: 'noAccess',
  noCredits: 'noCredits',
  rateLimit: 'rateLimit',
};
