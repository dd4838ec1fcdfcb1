import { durationMs } from '../../../contract/policies/duration.ts';
import { withHeaders } from '../../answer.ts';
import type { Behaviour, Call } from '../../call.ts';
import { keyId } from '../../store.ts';
import type { Router } from './context.ts';

/**
 * Charges a run by how it ended. A key is charged at most once in its window, however often it is dispatched (document 1,
 * "Idempotency key handling", introduction): the first attempt that costs something pays (open point A-95).
 */
export function charging(router: Router): Behaviour {
  return async (call, next) => {
    const answer = await next();
    const { facts } = call;
    if (facts.billed !== false && wasCharged(router, call)) {
      facts.billed = false;
      call.note('charge', 'the key was charged before', 'router.idem.charged-once');
    }
    if (facts.billed !== true) return answer;
    remember(router, call);
    call.note('charge', 'charged');
    // On billed answers of flagged models only (document 1, "What the service does"; open point A-32).
    const { credits } = router.facts.headers;
    const model = router.state.catalogue.get(facts.modelId ?? '');
    if (model?.creditsHeader !== true || credits === undefined) return answer;
    return withHeaders(answer, [[credits, '1.25']]);
  };
}

// --- internal ---

function wasCharged({ state, clock }: Router, call: Call): boolean {
  const id = chargedId(call);
  const until = id === undefined ? undefined : state.charged.get(id);
  return until !== undefined && until > clock.now();
}

function remember({ state, clock, facts }: Router, call: Call): void {
  const id = chargedId(call);
  if (id !== undefined)
    state.charged.set(id, clock.now() + durationMs(facts.idempotency.window), clock.now());
}

function chargedId({ facts }: Call): string | undefined {
  const { idempotencyKey, caller } = facts;
  return idempotencyKey === undefined ? undefined : keyId(caller?.scope ?? '', idempotencyKey);
}
