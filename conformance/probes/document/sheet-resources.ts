import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';

/** The resource of the sheet whose things have a path, such as `/invoices/{invoiceId}`. */
export function resourceAt(api: OwnApi, path: string): PolicyOf<'resource'> | undefined {
  return (api.contract.sheet?.policies ?? [])
    .filter((policy) => policy.kind === 'resource')
    .find(({ id, operations: { read, replace, patch, delete: remove } }) =>
      [read, replace, patch, remove].some(
        (one) => api.operation(one ?? '')?.path === path && path.endsWith(`/{${id.parameter ?? id.member}}`),
      ),
    );
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
