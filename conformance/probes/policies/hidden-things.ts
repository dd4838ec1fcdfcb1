import type { PolicyOf } from '../../../contract/index.ts';
import { isObject, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Oracle } from '../../oracle.ts';
import { isRead } from '../own-api.ts';
import { callsBelow } from './below.ts';
import type { OperationFacts } from './facts.ts';
import type { Things } from './things.ts';

/** Calls about a thing that its caller may not see, as the fixtures say: none succeeds, and none shows the thing. */
export function hiddenThings(facts: OperationFacts<PolicyOf<'resource'>>, things: Things): readonly Oracle[] {
  const { api, policy } = facts;
  const { otherCaller: stated, idempotentDelete, upsert, id } = policy;
  if (stated === undefined) return [];
  const below = callsBelow(api, facts.operation, stated.status);
  const roles = (['read', 'patch', 'replace', 'delete', 'restore'] as const)
    // Where nothing is to be removed, a removal may succeed, and what is replaced may be made.
    .filter((role) => !(role === 'delete' && idempotentDelete) && !(role === 'replace' && upsert))
    .map((role) => things.operation(role));
  const ids = new Set([...roles, ...below].map((operation) => operation?.id));
  const names = [id.member, things.roles.parameter];
  return facts.oracle(['owned'], {
    *look(exchange) {
      const operation = api.operation(exchange.operation ?? '');
      if (exchange.occasion !== 'hidden' || operation === undefined || !ids.has(operation.id)) return;
      if (!isSuccess(exchange) || exchange.status === 202) return;
      if (isRead(operation) && !shows(exchange, names)) return;
      yield* facts.judge(
        'owned',
        exchange,
        false,
        `${stated.status} to ${operation.id}, because the fixtures say that the thing is hidden from this caller`,
        sketchAnswer(exchange),
      );
    },
  });
}

// --- internal ---

/** Whether an answer has the id that its address names. */
function shows({ json, request: { target } }: Exchange, names: readonly string[]): boolean {
  const named = new Set(target.split(/[/?&=]/));
  const isShown = (value: unknown, depth: number): boolean =>
    isObject(value) &&
    Object.entries(value).some(([name, inner]) =>
      names.includes(name) && ['string', 'number'].includes(typeof inner)
        ? named.has(encodeURIComponent(String(inner)))
        : depth > 0 && isShown(inner, depth - 1),
    );
  return isShown(json, DEEPEST);
}

const DEEPEST = 3;
