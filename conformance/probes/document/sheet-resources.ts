import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, MediaType, Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { at } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import { isValid } from './values.ts';
import { put } from './variants.ts';

/** The resource of the sheet whose things have a path, such as `/invoices/{invoiceId}`. */
export function resourceAt(api: OwnApi, path: string): PolicyOf<'resource'> | undefined {
  return resourcesOf(api.contract).find(({ id, operations: { read, replace, patch, delete: remove } }) =>
    [read, replace, patch, remove].some(
      (one) => api.operation(one ?? '')?.path === path && path.endsWith(`/{${id.parameter ?? id.member}}`),
    ),
  );
}

/**
 * Whether a body is invalid only because of a thing in a list that creates several: such a thing may be refused by
 * itself, unless the sheet says that none is created then.
 */
export function isWrongByThing(
  api: OwnApi,
  { id }: Operation,
  content: MediaType,
  { body, valid }: { readonly body: unknown; readonly valid: Json },
): boolean {
  const policy = resourcesOf(api.contract).find(({ operations }) => operations.createMany === id);
  if (policy === undefined || policy.many?.whole === true) return false;
  const path = policy.many?.send;
  const listOf = (value: unknown): unknown => (path === undefined ? value : at(value, path));
  const [list, right] = [listOf(body), listOf(valid)];
  if (!Array.isArray(list) || !Array.isArray(right) || right.length === 0) return false;
  const mended = list.map(() => right[0] as Json);
  return isValid(api, content, path === undefined ? mended : put(body, path.split('.'), mended));
}

/**
 * The operation of the sheet that lists or creates the things with this path: it may be below another path, as
 * `/customers/{customerId}/invoices` is for `/invoices/{invoiceId}`. `undefined` if its own path needs such a thing.
 */
export function operationAround(
  api: OwnApi,
  path: string,
  role: 'create' | 'list',
  above: readonly string[] = [],
): Operation | undefined {
  const operation = api.operation(resourceAt(api, path)?.operations[role] ?? '');
  if (operation === undefined || operation.path === path || above.includes(operation.id)) return undefined;
  const isEndless = pathParameters(operation).some(({ name }) => {
    const outer = operation.path.slice(0, operation.path.indexOf(`/{${name}}`) + name.length + 3);
    const needed = api.operation(resourceAt(api, outer)?.operations[role] ?? '');
    return (
      needed !== undefined &&
      needed.path !== outer &&
      operationAround(api, outer, role, [...above, operation.id]) === undefined
    );
  });
  return isEndless ? undefined : operation;
}
