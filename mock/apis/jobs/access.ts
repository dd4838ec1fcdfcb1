import type { BucketRole } from '../../../contract/policies/error-buckets.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { scenarioNamed } from '../../scenarios/scenarios.ts';
import { refuseJob, type JobRefusal, type Jobs } from './context.ts';
import type { JobErrorRole } from './facts.ts';

/** Credentials that are good and are refused all the same. Credits are needed to submit only, and looked at there. */
export function access(jobs: Jobs): Behaviour {
  return (call, next) => {
    const refusal = refusedCaller(call);
    if (refusal === undefined || refusal.role === 'noCredits') return next();
    return Promise.resolve(refuseJob(jobs, call, refusal));
  };
}

/** Why the caller is refused, where its credential or its wish says so. */
export function refusedCaller(call: Call): JobRefusal | undefined {
  const scenario = scenarioNamed(call.facts.scenario ?? call.facts.caller?.scenario ?? '');
  if (scenario?.caller?.kind !== 'refused') return undefined;
  const role = roles[scenario.caller.role];
  if (role === undefined) return undefined;
  call.facts.scenario = scenario.name;
  return { role, message: scenario.caller.detail };
}

// --- internal ---

/** The magic keys are those of the model router, whose errors have other parts to play. */
const roles: Partial<Record<BucketRole, JobErrorRole>> = {
  noAccess: 'noAccess',
  notEnabled: 'noAccess',
  noCredits: 'noCredits',
  rateLimit: 'rateLimit',
};
