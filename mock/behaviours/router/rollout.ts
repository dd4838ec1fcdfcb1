import type { Behaviour } from '../../call.ts';
import { refuse, type Router } from './context.ts';

/** Before the rollout an authenticated call finds nothing (document 1, "Availability"; silent-points A-34). */
export function rollout(router: Router): Behaviour {
  return (call, next) => {
    if (router.profile !== 'not-rolled-out') return next();
    call.note('rollout', 'not rolled out', 'A-34');
    const refusal = { role: 'unknownModel', detail: 'Nothing is served here yet.', because: 'A-34' } as const;
    return Promise.resolve(refuse(router, call, refusal));
  };
}
