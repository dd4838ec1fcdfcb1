import type { Behaviour } from '../../call/call.ts';
import { refusedCaller } from '../../scenarios/refused-caller.ts';
import { refuse, type Router } from './context.ts';

/**
 * Valid credentials that are refused nevertheless: no access, no credits, not enabled, too many requests. It runs
 * after the key, because such an answer has a caller and is recorded like any other (open point A-12).
 */
export function access(router: Router): Behaviour {
  return (call, next) => {
    // Credits are required for running a model, not for reading about it.
    const isRun = call.operation?.method === 'post';
    const refusal = refusedCaller(call, ({ role }) => isRun || role !== 'noCredits');
    if (refusal === undefined) return next();
    const headers = refusal.role === 'rateLimit' ? ([['Retry-After', '1']] as const) : [];
    return refuse(router, call, { ...refusal, headers });
  };
}
