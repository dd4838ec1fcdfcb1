import type { Behaviour } from '../../call/call.ts';
import { scenarioNamed } from '../../scenarios/scenarios.ts';
import { refuse, type Router } from './context.ts';

/**
 * Credentials that are good but are refused all the same: no access, no credits, not enabled, too many requests. It
 * stands behind the key, because such an answer has a caller and is recorded like any other (open point A-12).
 */
export function access(router: Router): Behaviour {
  return (call, next) => {
    const scenario = scenarioNamed(call.facts.scenario ?? call.facts.caller?.scenario ?? '');
    if (scenario?.caller?.kind !== 'refused') return next();
    const { role, detail } = scenario.caller;
    // Credits are needed to run a model, not to read about it.
    if (role === 'noCredits' && call.operation?.method !== 'post') return next();
    call.facts.scenario = scenario.name;
    const headers = role === 'rateLimit' ? ([['Retry-After', '1']] as const) : [];
    return Promise.resolve(refuse(router, call, { role, detail, headers }));
  };
}
