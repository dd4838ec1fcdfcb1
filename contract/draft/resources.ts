import { singular } from '../text/singular.ts';
import { isSuccess } from '../sheet/declared-facts.ts';
import type { Contract, Operation, Schema } from '../model.ts';
import type { ResourceOperations, ResourceRole } from '../policies/resource.ts';
import { sortKeyOf, type SortingFact } from '../policies/sorting.ts';
import { partsOf } from '../schemas/schema-parts.ts';
import { isList, manyAt, manyOf } from './many.ts';
import { bodyOf, membersOf, operationName, type Proposal } from './proposal.ts';

/** Proposes collections: a path such as /notes, with /notes/{id} below it. */
export function* draftResources(contract: Contract): Generator<Proposal> {
  const names = new Set<string>();
  const paths = new Set(contract.operations.map(({ path }) => path));
  for (const path of paths) {
    const [, parent = '', segment = '', parameter = ''] = /^(.*)\/([^/{}]+)\/\{([^/{}]+)\}$/.exec(path) ?? [];
    if (parameter === '') continue;
    const found = withParent(contract, segment, operationsOf(contract, `${parent}/${segment}`, path));
    const { read, list, create } = found;
    if (read === undefined || (list === undefined && create === undefined)) continue;
    const name = names.has(segment)
      ? path.replaceAll(/[{}]/g, '').split('/').filter(Boolean).join('-')
      : segment;
    names.add(segment);
    const shown = membersOf(contract, bodyOf(read, isSuccess));
    const envelope = [...shown].filter(([, { types }]) => types.includes('object'));
    const inner = envelope.map(([name, { schema }]) => ({ name, members: membersOf(contract, schema) }));
    const named = inner.filter(({ members }) => idIn(members, parameter, segment) !== undefined);
    const candidates = named.length > 0 ? named : inner;
    const isWrapped = idIn(shown, parameter, segment) === undefined && candidates.length === 1;
    const wrapped = isWrapped ? candidates[0] : undefined;
    const thing = wrapped?.members ?? shown;
    const member = idIn(thing, parameter, segment);
    const items = list === undefined ? undefined : itemsOf(contract, list);
    const many = found.createMany && manyOf(contract, found.createMany, member);
    const roles = (Object.entries(found) as [ResourceRole, Operation | undefined][]).flatMap(
      ([role, operation]) =>
        operation === undefined || (role === 'createMany' && many === undefined)
          ? []
          : [[role, operation] as const],
    );
    const operations: ResourceOperations = Object.fromEntries(roles.map(([role, { id }]) => [role, id]));
    const doubt =
      member === undefined
        ? `no member of the answer to ${operationName(read)} is plainly the id`
        : items === 'unknown'
          ? `the answer to ${list === undefined ? '' : operationName(list)} has several lists, or none`
          : list !== undefined && !listsById(contract, list, items?.member, member)
            ? `what ${operationName(list)} lists has no member ${member}`
            : undefined;
    const makes = found.replace?.responses.find(({ status }) => status === '201');
    const gone = read.responses.find(({ status }) => status === '410');
    const isChosen = create === undefined && makes !== undefined;
    const filters = list === undefined ? {} : filtersOf(contract, list, thing);
    const sort = list === undefined ? undefined : sortOf(contract, list, thing);
    yield {
      policy: {
        kind: 'resource',
        collection: name.replaceAll(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'things',
        id: {
          member: member ?? 'id',
          ...(member === parameter ? {} : { parameter }),
          ...(isChosen ? { form: 'caller' } : {}),
        },
        operations,
        ...(many === undefined || Object.keys(many).length === 0 ? {} : { many }),
        ...(isChosen ? { upsert: true } : {}),
        ...(Object.keys(filters).length === 0 ? {} : { filters }),
        ...(sort === undefined ? {} : { sort }),
        ...(gone === undefined ? {} : { gone: { status: 410 } }),
        ...(wrapped === undefined ? {} : { item: wrapped.name }),
        ...(items === undefined || items === 'unknown' ? {} : { items: items.member }),
      },
      reasons: [
        ...roles.map(([role, operation]) => ({
          says: `${operationName(operation)} can ${SAYS[role] ?? role}`,
          pointer: operation.pointer,
        })),
        ...(isChosen && found.replace !== undefined
          ? [{ says: `${operationName(found.replace)} creates with 201`, pointer: makes.pointer }]
          : []),
        ...(gone === undefined
          ? []
          : [{ says: `${operationName(read)} answers 410`, pointer: gone.pointer }]),
      ],
      ...(doubt === undefined ? {} : { doubt }),
    };
  }
}

// --- internal ---

function operationsOf(contract: Contract, collection: string, item: string): Found {
  const { operations } = contract;
  const at = (path: string, method: string): Operation | undefined =>
    operations.find((operation) => operation.path === path && operation.method === method);
  const found = {
    create: at(collection, 'post'),
    list: at(collection, 'get'),
    read: at(item, 'get'),
    replace: at(item, 'put'),
    patch: at(item, 'patch'),
    delete: at(item, 'delete'),
    restore: operations.find(
      ({ method, path }) =>
        method === 'post' && path.startsWith(item) && RESTORES.test(path.slice(item.length)),
    ),
  };
  // A PATCH of another kind, such as a list of operations (RFC 6902), is not a merge patch.
  const isMerge = found.patch?.requestBody?.content.some(({ mediaType }) =>
    /^application\/(?:merge-patch\+)?json\b/.test(mediaType),
  );
  const isOne = found.create === undefined || !isList(contract, found.create);
  return {
    ...found,
    patch: isMerge === true ? found.patch : undefined,
    // A call with a list of things creates several.
    create: isOne ? found.create : undefined,
    createMany: isOne ? manyAt(contract, collection) : found.create,
  };
}

const SAYS: Readonly<Partial<Record<ResourceRole, string>>> = { createMany: 'create many' };

/** The end of the path of a call that takes back a deletion. */
const RESTORES = /^[/:](?:restore|undelete|recover|untrash)$/;

type Found = Record<ResourceRole, Operation | undefined>;

/** Things with a path of their own can be created and listed below another one, such as /customers/{id}/invoices. */
function withParent({ operations }: Contract, segment: string, found: Found): Found {
  if (found.create !== undefined || found.list !== undefined || found.read === undefined) return found;
  const isBelow = (path: string): boolean => path.endsWith(`}/${segment}`);
  const paths = new Set(operations.flatMap(({ path }) => (isBelow(path) ? [path] : [])));
  const [only = ''] = paths;
  const hasItems = operations.some(({ path }) => path.startsWith(`${only}/{`));
  if (paths.size !== 1 || hasItems) return found;
  const at = (method: string): Operation | undefined =>
    operations.find((operation) => operation.path === only && operation.method === method);
  return { ...found, create: at('post'), list: at('get') };
}

/**
 * Query parameters with the name of a member that has few values, or is a reference such as `vehicleId`: they select things by it.
 * `assignee` may be the short name of `assignee_id`, if it is said to be an id.
 */
function filtersOf(
  { document }: Contract,
  { parameters }: Operation,
  members: ReturnType<typeof membersOf>,
): Readonly<Record<string, string>> {
  const isListed = (schema: Schema | undefined): boolean =>
    [...partsOf(schema, document.root, 'all')].some(
      ({ enum: values, type }) => Array.isArray(values) || type === 'boolean',
    );
  const isReference = (name: string): boolean =>
    /(?:_id|Id)$/.test(name) && ['string', 'integer'].some((type) => members.get(name)?.types.includes(type));
  const pairs = parameters.flatMap(({ in: place, name, schema, description = '' }) => {
    if (place !== 'query') return [];
    if (isListed(schema) && isListed(members.get(name)?.schema)) return [[name, name] as const];
    const others = members.has(name) || !/\bids?\b/i.test(description) ? [] : [`${name}_id`, `${name}Id`];
    const member = [name, ...others].find(isReference);
    return member === undefined ? [] : [[name, member] as const];
  });
  return Object.fromEntries(pairs);
}

/** A query parameter whose listed values are members, with or without a sign that reverses the order. */
function sortOf(
  { document }: Contract,
  { parameters }: Operation,
  members: ReturnType<typeof membersOf>,
): SortingFact | undefined {
  const names = [...members.keys()];
  for (const { in: place, name, schema } of parameters) {
    if (place !== 'query' || !SORTS.test(name)) continue;
    const listed = [...partsOf(schema, document.root, 'all')].flatMap(({ enum: values }) => values ?? []);
    const values = [listed].flat().map(String);
    const [descending, ascending] = [DOWN, UP].map((marks) =>
      marks.find((mark) =>
        values.some((value) => sortKeyOf({ parameter: name, descending: mark }, value, names)?.isDescending),
      ),
    );
    const fact = {
      parameter: name,
      ...(descending === undefined ? {} : { descending }),
      ...(ascending === undefined ? {} : { ascending }),
    };
    if (values.length > 0 && values.every((value) => sortKeyOf(fact, value, names) !== undefined))
      return fact;
  }
  return undefined;
}

const SORTS = /^(?:sort|order)(?:[-_]?by)?$/i;
/** Signs of the two orders, the longer ones first. */
const DOWN = [':desc', '_desc', '.desc', ' desc', '-desc', '-'];
const UP = [':asc', '_asc', '.asc', ' asc', '-asc', '+'];

function idIn(members: ReturnType<typeof membersOf>, parameter: string, segment: string): string | undefined {
  const one = singular(segment);
  const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  // The `code` of /plans/{planCode}.
  const rest = plain(parameter).startsWith(plain(one)) ? plain(parameter).slice(plain(one).length) : '';
  const wanted = [parameter, 'id', `${one}id`, 'uuid', `${one}uuid`, rest].map(plain);
  const scalar = [...members].filter(
    ([, { types }]) => !types.includes('object') && !types.includes('array'),
  );
  for (const name of wanted) {
    const found = scalar.find(([member]) => plain(member) === name)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The member of a list that contains the resources; `undefined` if the body is the list. */
function itemsOf(contract: Contract, list: Operation): { readonly member: string } | 'unknown' | undefined {
  const schema = bodyOf(list, isSuccess);
  const isList = [...partsOf(schema, contract.document.root, 'any')].some(({ type }) => type === 'array');
  if (isList) return undefined;
  const lists = [...membersOf(contract, schema)].filter(([, { types }]) => types.includes('array'));
  const [only] = lists;
  return only === undefined || lists.length > 1 ? 'unknown' : { member: only[0] };
}

/** Whether the resources in a list have their id; `true` if the document does not describe them. */
function listsById(contract: Contract, list: Operation, member: string | undefined, id: string): boolean {
  const { root } = contract.document;
  const body = bodyOf(list, isSuccess);
  const lists = member === undefined ? body : membersOf(contract, body).get(member)?.schema;
  const things = [...partsOf(lists, root, 'any')].flatMap(({ items }) => items ?? []) as readonly Schema[];
  const parts = things.flatMap((thing) => [...partsOf(thing, root, 'any')]);
  const isSaid = parts.some(({ type, properties }) => type !== undefined || properties !== undefined);
  return !isSaid || things.some((thing) => membersOf(contract, thing).has(id));
}
