import { known, undeclaredStatus, type Contradiction } from '../schemas/contradiction.ts';
import { isSuccess, type DeclaredFacts } from './declared-facts.ts';
import { pagesPolicyOf } from './find-policy.ts';
import { idPlace } from './id-place.ts';
import type { Operation, Schema } from '../model.ts';
import { sortKeyOf } from '../policies/sorting.ts';
import { idParameter, type ResourcePolicy, type ResourceRole } from '../policies/resource.ts';

/** Contradictions between a resource policy and the document: paths, methods, members and statuses. */
export function* resourceFacts(policy: ResourcePolicy, reader: DeclaredFacts): Generator<Contradiction> {
  const parameter = idParameter(policy);
  if (policy.many !== undefined && policy.operations.createMany === undefined)
    yield { at: ['many'], message: 'no operation has the role createMany' };
  for (const [role, id] of Object.entries(policy.operations) as [ResourceRole, string][]) {
    for (const operation of reader.operations([id])) {
      const at = ['operations', role];
      if (!METHODS[role].includes(operation.method))
        yield { at, message: `${operation.method.toUpperCase()} cannot ${role} (${id})` };
      const names = operation.parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : []));
      const isNamed = role !== 'create' && role !== 'createMany' && role !== 'list';
      const place = idPlace(operation, { parameter, member: policy.id.member }, reader.root);
      if (isNamed && place === undefined && !names.includes(parameter))
        yield {
          at,
          message: `${id} has no path parameter ${parameter} for the id, and no required one of its query or body`,
        };
      yield* memberFacts(policy, role, operation, reader);
      const isRefused =
        !(role === 'replace' && policy.upsert === true) &&
        !(role === 'delete' && policy.idempotentDelete === true);
      if (isNamed && isRefused)
        yield* undeclaredStatus({ operations: [id] }, ['missing'], policy.missing?.status, reader);
      if (role === 'read')
        yield* undeclaredStatus({ operations: [id] }, ['gone'], policy.gone?.status, reader);
      if (isNamed)
        yield* undeclaredStatus({ operations: [id] }, ['otherCaller'], policy.otherCaller?.status, reader);
      const { owner } = policy;
      const isOwner = ({ in: place, name }: Operation['parameters'][number]): boolean =>
        name === owner && (place === 'header' || place === 'query');
      if (owner !== undefined && !operation.parameters.some(isOwner))
        yield { at: ['owner'], message: `${id} has no header or query parameter ${owner}` };
      if (policy.otherCaller !== undefined && owner === undefined && operation.security.length === 0)
        yield {
          at: ['otherCaller'],
          message: `things belong to their caller, but the document asks for no credential of ${id}`,
        };
      if (role === 'list') yield* filterFacts(policy, operation, reader);
      if (role === 'list') yield* sortFacts(policy, operation, reader);
      if (role === 'createMany') yield* manyFacts(policy, operation, reader);
      if (role === 'create')
        yield* undeclaredStatus({ operations: [id] }, ['taken'], policy.taken?.status, reader);
    }
  }
}

// --- internal ---

const METHODS: Readonly<Record<ResourceRole, readonly string[]>> = {
  create: ['post', 'put'],
  createMany: ['post', 'put', 'patch'],
  list: ['get', 'post'],
  read: ['get'],
  replace: ['put', 'post'],
  patch: ['patch', 'post', 'put'],
  delete: ['delete', 'post'],
  restore: ['post', 'put', 'patch'],
};

/** Several resources are sent as a list, and answered by a list. */
function* manyFacts(
  { many = {}, id }: ResourcePolicy,
  operation: Operation,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  const at = (name: string): readonly string[] => ['many', name];
  if (many.status !== undefined && many.whole === true)
    yield {
      at: at('whole'),
      message:
        'either each resource has its own status, or all are created or none: leave out whole or status',
    };
  const listsOf = function* (
    body: Schema,
    name: 'send' | 'results',
  ): Generator<Contradiction, readonly Schema[]> {
    const path = many[name];
    if (path !== undefined) yield* known(at(name), path, body, operation, reader);
    const lists = path === undefined ? [body] : reader.at(body, path);
    const types = lists.flatMap((list) => reader.says(list, 'type').flat());
    if (types.length > 0 && !types.includes('array'))
      yield {
        at: at(name),
        message: `${path ?? (name === 'send' ? 'the request' : 'the answer')} of ${operation.id} is not a list; name the member that contains the list`,
      };
    return lists.flatMap((list) => reader.says(list, 'items') as readonly Schema[]);
  };
  for (const body of reader.requestBodies(operation)) yield* listsOf(body, 'send');
  for (const body of reader.bodies(operation, isSuccess)) {
    for (const result of yield* listsOf(body, 'results')) {
      if (many.status !== undefined) yield* known(at('status'), many.status, result, operation, reader);
      if (many.item !== undefined) yield* known(at('item'), many.item, result, operation, reader);
      const things = many.item === undefined ? [result] : reader.at(result, many.item);
      for (const thing of things) yield* known(['id', 'member'], id.member, thing, operation, reader);
    }
  }
}

/** Filters are query parameters of the list, and compare members of the things. */
function* filterFacts(
  { filters = {}, items }: ResourcePolicy,
  list: Operation,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  for (const [parameter, member] of Object.entries(filters)) {
    const at = ['filters', parameter];
    if (!list.parameters.some(({ in: place, name }) => place === 'query' && name === parameter))
      yield { at, message: `${list.id} has no query parameter ${parameter}` };
    for (const body of reader.bodies(list, isSuccess)) {
      const shown = itemsOf(body, items ?? pagesPolicyOf(list)?.page?.items, reader);
      if (shown.some((item) => lacks(item, member, reader)))
        yield { at, message: `the document has no member ${member} in what ${list.id} lists` };
    }
  }
}

/** The order is a query parameter of the list; where the document lists its values, they name members. */
function* sortFacts(
  { sort, items }: ResourcePolicy,
  list: Operation,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  if (sort === undefined) return;
  const parameter = list.parameters.find(
    ({ in: place, name }) => place === 'query' && name === sort.parameter,
  );
  if (parameter === undefined) {
    yield { at: ['sort', 'parameter'], message: `${list.id} has no query parameter ${sort.parameter}` };
    return;
  }
  const shown = reader
    .bodies(list, isSuccess)
    .flatMap((body) => itemsOf(body, items ?? pagesPolicyOf(list)?.page?.items, reader))
    .flatMap((item) => reader.members(item));
  const values = reader.values(parameter.schema).map(String);
  const isNone = values.every((value) => sortKeyOf(sort, value, shown) === undefined);
  if (shown.length > 0 && values.length > 0 && isNone)
    yield {
      at: ['sort'],
      message: `no value of ${sort.parameter} names a member of what ${list.id} lists`,
    };
}

function lacks(item: Schema, member: string, reader: DeclaredFacts): boolean {
  return reader.members(item).length > 0 && reader.at(item, member).length === 0;
}

function itemsOf(body: Schema, path: string | undefined, reader: DeclaredFacts): readonly Schema[] {
  const lists = path === undefined ? [body] : reader.at(body, path);
  return lists.flatMap((list) => reader.says(list, 'items') as readonly Schema[]);
}

function* memberFacts(
  { id, item, items }: ResourcePolicy,
  role: ResourceRole,
  operation: Operation,
  reader: DeclaredFacts,
): Generator<Contradiction> {
  for (const body of reader.bodies(operation, isSuccess)) {
    if (role === 'list') {
      if (items !== undefined) yield* known(['items'], items, body, operation, reader);
    } else if (item !== undefined && role !== 'createMany')
      yield* known(['item'], item, body, operation, reader);
    if (role === 'read') {
      const path = item === undefined ? id.member : `${item}.${id.member}`;
      if (item === undefined || reader.at(body, item).length > 0)
        yield* known(['id', 'member'], path, body, operation, reader);
    }
  }
}
