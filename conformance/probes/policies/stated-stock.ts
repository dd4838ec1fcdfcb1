import { policyFor } from '../../../contract/index.ts';
import type { StatesStock } from '../../health/stocks.ts';
import type { OwnApi } from '../own-api.ts';
import { statesStatus } from '../own-api.ts';
import { statesBucket } from './refusal.ts';

/** Whether an answer is the refusal of one thing too many, as `capacity` states it, and can be nothing else. */
export function statedStock(api: OwnApi): StatesStock {
  return (exchange) => {
    const operation = api.operation(exchange.operation ?? '');
    const policy = operation && policyFor(operation, 'capacity');
    if (policy?.things === undefined || policy.calls !== undefined) return false;
    const policies = operation?.policies.filter((other) => other !== policy) ?? [];
    return (
      exchange.status === policy.status &&
      (policy.bucket !== undefined || !statesStatus({ policies }, policy.status)) &&
      statesBucket(api, exchange, policy.bucket)
    );
  };
}
