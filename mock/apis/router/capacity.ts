import {
  admitCall,
  nothingHeld,
  releaseCall,
  type CapacityBounds,
} from '../../../contract/policies/capacity.ts';
import type { HeaderLine } from '../../answer.ts';
import type { Behaviour, Call } from '../../call.ts';
import { scenarioNamed } from '../../scenarios.ts';
import { refuse, roleOf, type Router } from './context.ts';

/**
 * How much a caller may have in flight: so many calls, and so much committed spend (document 1, POST /v1/models/{provider}/{model}, 429; the bounds
 * are open point A-07). Only what would reach a model is counted; a place is free again as soon as its answer is made.
 */
export function capacity(router: Router): Behaviour {
  return async (call, next) => {
    const policy = router.facts.capacity;
    if (call.operation === undefined || !policy.operations.includes(call.operation.id)) return next();
    const { inFlight, catalogue } = router.state;
    const scope = call.facts.caller?.scope ?? '';
    const { cents } = catalogue.get(call.facts.modelId ?? '') ?? { cents: 0 };
    const bounds = boundsOf(router, call);
    const admission = admitCall(inFlight.get(scope) ?? nothingHeld, bounds, cents);
    if (!admission.admitted) {
      if (call.switches.capacityNeverFrees === true)
        inFlight.set(scope, { calls: Infinity, cents: Infinity });
      return refuse(router, call, {
        role: roleOf(router, policy.bucket),
        status: policy.status,
        detail:
          admission.bound === 'calls'
            ? `The number of concurrent calls is the bound: ${String(bounds.calls)} in flight.`
            : `The committed spend of your calls in flight is the bound: ${String(bounds.cents)} US cents.`,
        headers: admission.bound === 'calls' ? [] : spendHeaders(router, admission.spend, cents),
      });
    }
    inFlight.set(scope, admission.held);
    try {
      return await next();
    } finally {
      const held = releaseCall(inFlight.get(scope) ?? nothingHeld, cents);
      if (held.calls === 0) inFlight.delete(scope);
      else inFlight.set(scope, held);
    }
  };
}

// --- internal ---

function boundsOf(router: Router, call: Call): CapacityBounds {
  const { callsInFlight, committedSpendCents } = router.assume('A-07');
  const usual = { calls: callsInFlight, cents: committedSpendCents ?? undefined };
  const own = scenarioNamed(call.facts.scenario ?? call.facts.caller?.scenario ?? '')?.caller;
  if (own?.kind !== 'bounded') return usual;
  return { calls: own.callsInFlight ?? usual.calls, cents: own.cents ?? usual.cents };
}

/** US cents, on a refusal by spend only; their form is open (open point A-21). */
function spendHeaders(
  router: Router,
  { limit, current }: { limit: number; current: number },
  wanted: number,
): HeaderLine[] {
  const { spend } = router.facts.headers;
  if (spend === undefined) return [];
  const { form, remaining: counted } = router.assume('A-21');
  const remaining = limit - current - (counted === 'after this call' ? wanted : 0);
  const cents = (amount: number): string => (form === 'integer' ? String(amount) : amount.toFixed(2));
  return [
    [spend.limit, cents(limit)],
    [spend.current, cents(current)],
    [spend.remaining, cents(remaining)],
  ];
}
