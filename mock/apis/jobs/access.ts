import type { BucketRole } from '../../../contract/policies/error-buckets.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { refusedCaller } from '../../scenarios/refused-caller.ts';
import { refuseJob, type JobRefusal, type Jobs } from './context.ts';
import type { JobErrorRole } from './facts.ts';

/**
 * Valid credentials that are refused nevertheless. Credits are required only for submitting, so only a
 * submission checks them.
 */
export function access(jobs: Jobs): Behaviour {
  return (call, next) => {
    const refusal = callerRefusal(call);
    return refusal === undefined || refusal.role === 'noCredits' ? next() : refuseJob(jobs, call, refusal);
  };
}

/** The refusal of the caller, if its credential or its scenario asks for one. */
export function callerRefusal(call: Call): JobRefusal | undefined {
  const refused = refusedCaller(call, ({ role }) => roles[role] !== undefined);
  const role = refused && roles[refused.role];
  return role === undefined ? undefined : { role, message: refused?.detail ?? '' };
}

// --- internal ---

/** These magic keys belong to the model router, whose errors have other roles. */
const roles: Partial<Record<BucketRole, JobErrorRole>> = {
  noAccess: 'noAccess',
  notEnabled: 'noAccess',
  noCredits: 'noCredits',
  rateLimit: 'rateLimit',
};
