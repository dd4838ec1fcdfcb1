import type { HeaderLine } from '../../answer.ts';
import type { Behaviour, Call } from '../../call.ts';
import { scenarioNamed } from '../../scenarios.ts';
import { refuse, type Router } from './context.ts';

/**
 * How much a caller may have in flight: so many calls, and so much committed spend (document 1, POST 429; the bounds
 * are silent-points A-07). Only what would reach a model is counted; a place is free again as soon as its answer is made.
 */
export function capacity(router: Router): Behaviour {
  return async (call, next) => {
    if (!isRun(router, call)) return next();
    const { inFlight, catalogue } = router.state;
    const scope = call.facts.caller?.scope ?? '';
    const held = inFlight.get(scope) ?? { calls: 0, cents: 0 };
    const { cents } = catalogue.get(call.facts.modelId ?? '') ?? { cents: 0 };
    const bounds = boundsOf(router, call);
    const bySpend = bounds.cents !== null && held.cents + cents > bounds.cents;
    const byCalls = held.calls >= bounds.calls;
    if (bySpend || byCalls) {
      if (call.switches.capacityNeverFrees === true)
        inFlight.set(scope, { calls: Infinity, cents: Infinity });
      const bound = byCalls
        ? `The number of concurrent calls is the bound: ${String(bounds.calls)} in flight.`
        : `The committed spend of your calls in flight is the bound: ${String(bounds.cents)} US cents.`;
      return refuse(router, call, {
        role: 'capacity',
        detail: bound,
        headers: byCalls || bounds.cents === null ? [] : spendHeaders(router, bounds.cents, held.cents),
      });
    }
    inFlight.set(scope, { calls: held.calls + 1, cents: held.cents + cents });
    try {
      return await next();
    } finally {
      const now = inFlight.get(scope) ?? { calls: 1, cents };
      if (now.calls > 1) inFlight.set(scope, { calls: now.calls - 1, cents: now.cents - cents });
      else inFlight.delete(scope);
    }
  };
}

// --- internal ---

function isRun(router: Router, call: Call): boolean {
  return call.operation !== undefined && router.facts.deadline.operations.includes(call.operation.id);
}

function boundsOf(router: Router, call: Call): { calls: number; cents: number | null } {
  const { callsInFlight, committedSpendCents } = router.assume('A-07');
  const own = scenarioNamed(call.facts.caller?.scenario ?? '')?.caller;
  if (own?.kind !== 'bounded') return { calls: callsInFlight, cents: committedSpendCents };
  return { calls: own.callsInFlight ?? callsInFlight, cents: own.cents ?? committedSpendCents };
}

/** US cents as decimal strings, on a refusal by spend only (silent-points A-21). */
function spendHeaders(router: Router, limit: number, current: number): HeaderLine[] {
  const { spend } = router.facts.headers;
  if (spend === undefined) return [];
  return [
    [spend.limit, String(limit)],
    [spend.current, String(current)],
    [spend.remaining, String(Math.max(0, limit - current))],
  ];
}
