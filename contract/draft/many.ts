import { isSuccess } from '../sheet/declared-facts.ts';
import type { Contract, Operation, Schema } from '../model.ts';
import type { ManyFact } from '../policies/resource.ts';
import { partsOf } from '../schemas/schema-parts.ts';
import { bodyOf, membersOf } from './proposal.ts';

/** Whether a request contains a list. */
export function isList({ document }: Contract, { requestBody }: Operation): boolean {
  return (requestBody?.content ?? []).some(({ schema }) =>
    [...partsOf(schema, document.root, 'all')].some(({ type }) => type === 'array'),
  );
}

/** The operation that creates many things of a collection at a path such as `/notes/batch` or `/notes:import`. */
export function manyAt({ operations }: Contract, collection: string): Operation | undefined {
  return operations.find(
    ({ method, path }) =>
      method === 'post' && path.startsWith(collection) && MANY.test(path.slice(collection.length)),
  );
}

/** The members of its bodies; `undefined` if the bodies do not show that it creates things of this kind. */
export function manyOf(
  contract: Contract,
  operation: Operation,
  id: string | undefined,
): ManyFact | undefined {
  const sent = (operation.requestBody?.content ?? []).flatMap(
    ({ schema }) => listIn(contract, schema) ?? [],
  )[0];
  const shown = listIn(contract, bodyOf(operation, isSuccess));
  if (sent === undefined || shown === undefined) return undefined;
  const members = membersOf(contract, shown.items);
  const status = ['status', 'statusCode', 'code'].find(
    (name) => members.get(name)?.types.includes('integer') === true,
  );
  const item = [...members].find(
    ([, { schema, types }]) => types.includes('object') && membersOf(contract, schema).has(id ?? 'id'),
  )?.[0];
  if (item === undefined && !members.has(id ?? 'id')) return undefined;
  return {
    ...(sent.path === undefined ? {} : { send: sent.path }),
    ...(shown.path === undefined ? {} : { results: shown.path }),
    ...(item === undefined ? {} : { item }),
    ...(status === undefined ? {} : { status }),
  };
}

// --- internal ---

const MANY = /^[/:](?:_?bulk|_?batch|import|many)(?:[-_]?create|[-_]?import)?$/i;

/** The only list of objects in a body: its path, if it is not the whole body, and its items. */
function listIn(
  contract: Contract,
  schema: Schema | undefined,
): { readonly path?: string; readonly items: Schema } | undefined {
  const { root } = contract.document;
  const itemsOf = (list: Schema | undefined): readonly Schema[] =>
    [...partsOf(list, root, 'all')].flatMap(({ items }) => (items === undefined ? [] : [items as Schema]));
  const [own] = itemsOf(schema);
  if (own !== undefined) return { items: own };
  const lists = [...membersOf(contract, schema)].flatMap(([path, { schema: list }]) =>
    itemsOf(list)
      .filter((items) => membersOf(contract, items).size > 0)
      .map((items) => ({ path, items })),
  );
  return lists.length === 1 ? lists[0] : undefined;
}
