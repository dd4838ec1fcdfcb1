import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { responseFor } from '../own-api.ts';
import type { Facts } from './facts.ts';
import type { Role } from './thing.ts';

/** Whether the sheet or the document states that an operation is refused for a thing that does not exist. */
export function isDeclared(
  { policy }: Facts<PolicyOf<'resource'>>,
  operation: Operation,
  status: number,
): boolean {
  return policy.missing !== undefined || responseFor(operation, status) !== undefined;
}

/** Whether a deletion succeeds although there is nothing, and the document does not declare that it is refused. */
export function isDoneAgain(operation: Operation, role: Role, seen: Exchange, status: number): boolean {
  return role === 'delete' && isSuccess(seen) && responseFor(operation, status) === undefined;
}

/** Whether a precondition or the body was checked first, which no policy forbids. */
export function isRefusedBefore(operation: Operation, { status }: Exchange): boolean {
  const guard = operation.policies.find((policy) => policy.kind === 'conditional-write');
  return guard !== undefined && [guard.mismatch.status, guard.required?.status].includes(status);
}
