import type { Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlan, RequestPlans, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import { call } from '../document/reads.ts';
import { thingParameter, thingPlace } from '../document/thing-places.ts';
import { bodyFor } from '../document/values.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import { thingsOf } from './things.ts';
import type { Things } from './things.ts';

/**
 * Operations below the path of a resource that need no other id, such as POST /payments/{id}/capture, and those elsewhere that
 * name it, such as POST /capturePayment. Only those with a declared refusal, so that a server has to check whether the resource
 * exists.
 *
 * @param thing an operation on the resource
 */
export function callsBelow(api: OwnApi, thing: Operation, status: number): readonly Operation[] {
  return api.operations
    .filter(
      (operation) =>
        (isBelow(operation, thing) || isAbout(api, operation, thing)) &&
        operation.responses.some((response) => response.status === String(status)) &&
        (operation.requestBody?.required !== true || bodyFor(api, operation, {}) !== undefined) &&
        operation.parameters.every(
          ({ in: place, name, required }) =>
            place === 'path' || !required || name === thingParameter(api, operation),
        ),
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
  const names = [...pathParameters(operation).map(({ name }) => name), thingParameter(api, operation)];
  const own = names.filter((name) => name !== '').map((name) => [name, values[name] ?? ''] as const);
  return call(
    session,
    nameOf(operation, more),
    operation,
    inputFor(api, operation, session, Object.fromEntries(own)),
  );
}

/** Whether the path of an operation is below that of a thing, and needs no other id. */
export function isBelow({ path }: Operation, thing: Operation): boolean {
  const rest = restOf(path, thing.path);
  return /^[/:]/.test(rest) && !rest.includes('{');
}

/** The things that are made below a thing. */
export function thingsBelow(api: OwnApi, thing: Operation): readonly Things[] {
  return resourcesOf(api.contract)
    .map((policy) => thingsOf(api, policy))
    .filter((things) => {
      const create = things.operation('create');
      return create !== undefined && isBelow(create, thing);
    });
}

// --- internal ---

const MOST_CALLS = 16;

/** Whether an operation names a thing of the same resource, and has none of the roles that the sheet gives. */
function isAbout(api: OwnApi, operation: Operation, thing: Operation): boolean {
  const own = thingPlace(api, operation)?.resource;
  if (own === undefined || own !== thingPlace(api, thing)?.resource) return false;
  const { restore: _, ...roles } = own.operations;
  return !Object.values(roles).includes(operation.id) && operation.path !== thing.path;
}

function restOf(path: string, above: string): string {
  return path.startsWith(above) ? path.slice(above.length) : '';
}

/** Another caller than the usual one. */
type More = Partial<Pick<RequestPlan, 'as'>>;

function nameOf({ id }: Operation, { as }: More): string {
  return as === undefined ? `below ${id}` : `below ${id} as ${as}`;
}
