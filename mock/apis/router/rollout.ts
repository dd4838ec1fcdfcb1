import { rolloutStatus } from '../../../contract/policies/rollout.ts';
import { scenarioOf } from '../../scenarios/scenarios.ts';
import type { Behaviour } from '../../call/call.ts';
import { NOT_ROLLED_OUT } from './scenarios.ts';
import { refuse, type Router } from './context.ts';

/** Before the rollout an authenticated call finds nothing (document 1, "What the service does", availability; open point A-34). */
export function rollout(router: Router): Behaviour {
  return (call, next) => {
    const isEarly = scenarioOf(call.facts) === NOT_ROLLED_OUT;
    const served = router.profile !== 'not-rolled-out' && !isEarly;
    const status = rolloutStatus(router.facts.rollout, {
      served,
      authenticated: call.facts.caller !== undefined,
    });
    if (status === undefined) return next();
    call.note('rollout', 'not rolled out', 'A-34');
    return refuse(router, call, {
      role: 'unknownModel',
      status,
      detail: 'Nothing is served here yet.',
      because: 'A-34',
    });
  };
}
