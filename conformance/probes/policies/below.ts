import type { Operation } from '../../../contract/model.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlan, RequestPlans, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import { call } from '../document/reads.ts';
import { bodyFor } from '../document/values.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';

/**
 * Operations below the path of a resource that need no other id, such as POST /payments/{id}/capture. Only
 * those with a declared refusal, so that a server has to check whether the resource exists.
 */
export function callsBelow(api: OwnApi, { path }: Operation, status: number): readonly Operation[] {
  return api.operations
    .filter(
      (operation) =>
        /^[/:]/.test(restOf(operation.path, path)) &&
        !restOf(operation.path, path).includes('{') &&
        operation.responses.some((response) => response.status === String(status)) &&
        (operation.requestBody?.required !== true || bodyFor(api, operation, {}) !== undefined) &&
        operation.parameters.every(({ in: place, required }) => place === 'path' || !required),
    )
    .slice(0, MOST_CALLS);
}

export function requestsBelow(api: OwnApi, operations: readonly Operation[], more: More = {}): RequestPlans {
  return Object.fromEntries(operations.map((one) => [nameOf(one, more), api.plan(one, more)]));
}

/** @param values of the path parameters */
export function callBelow(
  api: OwnApi,
  session: Session,
  operation: Operation,
  values: Values,
  more: More = {},
): Promise<Exchange> {
  const own = pathParameters(operation).map(({ name }) => [name, values[name] ?? ''] as const);
  return call(
    session,
    nameOf(operation, more),
    operation,
    inputFor(api, operation, session, Object.fromEntries(own)),
  );
}

// --- internal ---

const MOST_CALLS = 6;

function restOf(path: string, above: string): string {
  return path.startsWith(above) ? path.slice(above.length) : '';
}

/** Another caller than the usual one. */
type More = Partial<Pick<RequestPlan, 'as'>>;

function nameOf({ id }: Operation, { as }: More): string {
  return as === undefined ? `below ${id}` : `below ${id} as ${as}`;
}
