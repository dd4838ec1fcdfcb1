import { policyFor } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { decoded } from '../../../contract/text/decoded.ts';
import { singular } from '../../../contract/text/singular.ts';
import { at, isObject, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlan } from '../../scenarios/scenario.ts';
import { hasFreshKey, isLostInPath } from '../../writes/known-ids.ts';
import { collectionPath, isOfOneThing, thingAddress } from '../../writes/made-thing.ts';
import type { ApiWrites, CallOfThing, Fill, LedgerCall, MadeThing } from '../../writes/made-thing.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import { endingsOf, showsEnd, type Ending } from './endings.ts';
import { creatorOf, idForPath, idMemberOf, idOf } from './ids.ts';
import { ANY_KEY, inputFor, newBody, withVersion } from './input.ts';
import { documentedIds, makerOf, referencesIn } from './references.ts';
import { thingPlace } from './thing-places.ts';
import { written } from './wire-body.ts';

/** What the calls of an API of a user's own make, and how it is taken back. */
export function ownWrites(api: OwnApi): ApiWrites {
  // Runs without writes do not need them.
  let known: ReturnType<typeof itemsByCreator> | undefined;
  let endings: readonly Ending[] | undefined;
  const itemsOf = (id: string): readonly ItemPath[] =>
    (known ??= itemsByCreator(api, (endings ??= endingsOf(api)))).get(id) ?? [];
  const removalsOf: ApiWrites['removalsOf'] = (id) =>
    itemsOf(id)
      .flatMap(({ removal, ending }) => removal ?? ending ?? [])
      .slice(0, 1)
      .map((removal) => api.plan(removal));
  const made = (plan: RequestPlan, fill: Fill, exchange: Exchange): readonly MadeThing[] => {
    const { operation = '', as, method, effect } = plan;
    const basic = { api: api.name, operation, as, exchange: exchange.id };
    const own = itemsOf(operation);
    if (method === 'PUT' && thingAddress(plan.target, fill) !== undefined) {
      const isOwn = isOfOneThing(plan.target);
      // Below a thing, it is an action, or it makes a thing of its own.
      if (!isOwn && exchange.status !== 201) return [];
      const address = isOwn ? thingAddress(plan.target, fill) : collectionPath(plan.target, fill);
      const removal = api.at('delete', api.operation(operation)?.path ?? '');
      return [{ ...basic, addresses: [address ?? ''], ...removalBy(api, removal, fill) }];
    }
    if (own.length === 0)
      return effect?.kind === 'creates' || exchange.status === 201 ? [{ ...basic, addresses: [] }] : [];
    return thingsIn(api, own, exchange).map((ids): MadeThing => {
      const filled = own.flatMap((item, index) => {
        const values = { ...fill, ...idAt(item, ids[index]) };
        const place = thingAddress(item.path, values);
        return isLostInPath(String(ids[index] ?? '')) || place === undefined || place.includes('{')
          ? []
          : [{ item, place, values }];
      });
      const [removed] = [
        ...filled.filter(({ item }) => item.removal !== undefined),
        ...filled.filter(({ item }) => item.ending !== undefined),
      ];
      return {
        ...basic,
        addresses: filled.map(({ place }) => place),
        ...removalBy(api, removed?.item.removal, removed?.values ?? {}, removed?.item.ending),
      };
    });
  };
  const bodyOf: ApiWrites['bodyOf'] = (id, fixtures) => {
    const operation = api.operation(id);
    const body = operation && newBody(api, operation, { fixtures, freshKey: () => ANY_KEY });
    return body && written(body.value, body);
  };
  const namedIn: ApiWrites['namedIn'] = (id, body) => {
    const operation = api.operation(id);
    return (operation === undefined ? [] : referencesIn(api, operation, body)).map((reference) => ({
      pointer: `/${reference.path.join('/')}`,
      id: String(reference.value),
      addresses: itemsOf(makerOf(api, reference)?.id ?? '').flatMap(
        (item) => thingAddress(item.path, idAt(item, reference.value)) ?? [],
      ),
    }));
  };
  const callOf: ApiWrites['callOf'] = (plan, fill, bodyOf) => {
    const operation = api.operation(plan.operation ?? '');
    return operation && aboutThing(api, operation, { plan, fill }, bodyOf);
  };
  return {
    bodyOf,
    callOf,
    madeBy: made,
    namedIn,
    isOver: (exchange, id) => showsEnd(api, (endings ??= endingsOf(api)), exchange, id),
    removalsOf,
    isDocumented: (id) => documentedIds(api).has(id),
  };
}

// --- internal ---

/**
 * A call, with the address of the thing that its path, its query or its body names. What the sheet calls a deletion is one by
 * any method. A call that names nothing is about a thing without an id, which no run has made: a server may take all for it.
 */
function aboutThing(api: OwnApi, operation: Operation, call: LedgerCall, bodyOf: () => unknown): LedgerCall {
  const place = thingPlace(api, operation);
  if (place === undefined) return call;
  const { read, delete: removal } = place.resource.operations;
  const methods = { [removal ?? '']: 'DELETE', [read ?? '']: 'GET' };
  const plan = { ...call.plan, method: methods[operation.id] ?? call.plan.method };
  if (place.in === 'path') return { ...call, plan };
  const ids = place.in === 'query' ? asked(call.fill, place.name) : [at(bodyOf(), place.name)];
  const named = ids.filter((id) => id !== undefined && id !== null && typeof id !== 'object').map(String);
  // A call that names several things is about none: the run knows no thing by several ids.
  const id = encodeURIComponent([...new Set(named)].join(','));
  return { plan: { ...plan, target: place.target }, fill: { ...call.fill, [place.parameter]: id } };
}

/** The values of a parameter in the query of a call. */
function asked(fill: Fill, name: string): readonly string[] {
  return new URLSearchParams(fill['?query'] ?? '').getAll(name);
}

/** A path that ends with the id of a thing, and the operation that removes what is there. */
interface ItemPath {
  readonly path: string;
  readonly parameter: string;
  /** Any operation with this path in its own. */
  readonly operation: Operation;
  readonly removal: Operation | undefined;
  /** The operation that ends what is there, if none removes it. */
  readonly ending: Operation | undefined;
}

/** The paths to the things that an operation makes. */
function itemsByCreator(api: OwnApi, endings: readonly Ending[]): ReadonlyMap<string, readonly ItemPath[]> {
  const found = new Map<string, ItemPath[]>();
  const add = (creator: string, item: ItemPath): void => {
    const known = found.get(creator) ?? [];
    if (!known.some(({ path }) => path === item.path)) found.set(creator, [...known, item]);
  };
  for (const operation of byPlace(api)) {
    const place = thingPlace(api, operation);
    const { create, delete: removes } = place?.resource.operations ?? {};
    const removal = removes === operation.id ? operation : undefined;
    if (place !== undefined && place.in !== 'path') {
      const { target: path, parameter } = place;
      if (create !== undefined) add(create, { path, parameter, operation, removal, ending: undefined });
      continue;
    }
    const parameter = pathParameters(operation)
      .map(({ name }) => name)
      .toSorted((one, other) => operation.path.indexOf(`{${one}}`) - operation.path.indexOf(`{${other}}`))
      .at(-1);
    if (parameter === undefined) continue;
    const path = operation.path.slice(0, operation.path.indexOf(`{${parameter}}`) + parameter.length + 2);
    const ending = endings.find((one) => one.path === path)?.operation;
    const item = { path, parameter, operation, removal: api.at('delete', path) ?? removal, ending };
    const creator = creatorOf(api, operation.path, parameter);
    if (creator !== undefined) add(creator.id, item);
    if (operation.method === 'put' && operation.path === path) add(operation.id, item);
    for (const many of manyOf(api, operation)) add(many, item);
  }
  return found;
}

/** The operations, those with the id of a thing in their path first: only these have an address that people can ask for. */
function byPlace(api: OwnApi): readonly Operation[] {
  const isElsewhere = (operation: Operation): number =>
    Number((thingPlace(api, operation)?.in ?? 'path') !== 'path');
  return api.operations.toSorted((one, other) => isElsewhere(one) - isElsewhere(other));
}

/** The operations of the sheet that create several of the things that another operation is about. */
function manyOf({ contract: { sheet } }: OwnApi, { id, path }: Operation): readonly string[] {
  return (sheet?.policies ?? []).flatMap((policy) => {
    if (policy.kind !== 'resource' || policy.operations.createMany === undefined) return [];
    const { createMany, read, replace, patch, delete: remove } = policy.operations;
    const isOwn = [read, replace, patch, remove].includes(id);
    return isOwn && path.endsWith('}') ? [createMany] : [];
  });
}

/** For each thing that an answer shows to be made, its id for each of the paths; `undefined` where that is not certain. */
function thingsIn(
  api: OwnApi,
  items: readonly ItemPath[],
  exchange: Exchange,
): readonly (readonly (Json | undefined)[])[] {
  const list = resultsIn(api, exchange);
  if (list === undefined)
    return [
      items.map(({ path, operation, parameter }) =>
        Array.isArray(exchange.json) || leadsElsewhere(exchange, path)
          ? undefined
          : idForPath(api, operation, parameter, exchange),
      ),
    ];
  return list.map((result) =>
    items.map(({ parameter, operation }) => {
      const stated = idMemberOf(api, operation);
      const inside = isObject(result) ? [result, ...Object.values(result).filter(isObject)] : [];
      const named = stated === undefined ? [] : inside.map((one) => at(one, stated.member));
      return [...named, ...inside.map((one) => idOf(one, parameter))].find(
        (one) => typeof one === 'string' || typeof one === 'number',
      );
    }),
  );
}

/** Whether the address in an answer is not one of these things: then the answer shows another thing than what was made. */
function leadsElsewhere(exchange: Exchange, path: string): boolean {
  const nounIn = (segments: readonly (string | undefined)[]): string =>
    singular(segments.at(-2) ?? '').toLowerCase();
  const [address = ''] = exchange.header('location')?.split(/[?#]/) ?? [];
  const segments = address.split('/').filter((segment) => segment !== '');
  const isCollection = segments.at(-1) === exchange.request.target.split(/[?#]/)[0]?.split('/').at(-1);
  return segments.length > 1 && !isCollection && nounIn(segments) !== nounIn(path.split('/'));
}

/** The results of a call that creates several things: as many as it has sent, at most. */
function resultsIn(
  { contract: { sheet } }: OwnApi,
  { operation, json, request }: Exchange,
): readonly unknown[] | undefined {
  for (const policy of sheet?.policies ?? []) {
    if (policy.kind !== 'resource' || policy.operations.createMany !== operation) continue;
    const results = policy.many?.results === undefined ? json : at(json, policy.many.results);
    return Array.isArray(results) ? (results as unknown[]) : [];
  }
  if (!Array.isArray(json)) return undefined;
  const sent = parseJson(new TextDecoder().decode(request.body));
  if (Array.isArray(sent) && json.length <= sent.length) return json as unknown[];
  // A list of all things has also the new one.
  const own = (json as unknown[]).filter((item) => hasFreshKey({ request }, JSON.stringify(item)));
  return own.length === 1 ? own : undefined;
}

function idAt({ parameter }: ItemPath, id: Json | undefined): Fill {
  return id === undefined ? {} : { [parameter]: encodeURIComponent(String(id)) };
}

/** The call that removes a thing, or else ends it. */
function removalBy(
  api: OwnApi,
  deletion: Operation | undefined,
  fill: Fill,
  ending?: Operation,
): Pick<MadeThing, 'removal'> {
  const removal = deletion ?? ending;
  if (removal === undefined) return {};
  const place = thingPlace(api, removal);
  const inPath = pathParameters(removal).map(({ name }) => name);
  const parameters = inPath.length === 0 && place !== undefined ? [place.parameter] : inPath;
  if (!parameters.every((name) => Object.hasOwn(fill, name))) return {};
  const values = Object.fromEntries(parameters.map((name) => [name, decoded(fill[name] ?? '')] as const));
  const call = (operation: Operation): CallOfThing => ({
    plan: api.plan(operation),
    options: (session) => inputFor(api, operation, session, values),
  });
  const { plan, options } = call(removal);
  const beside = inPath.length === 0 ? undefined : api.at('get', removal.path);
  const reader = beside ?? api.operation(place?.resource.operations.read ?? '');
  return {
    removal: {
      plan,
      isDeletion: deletion !== undefined,
      needsContract: removal.method !== 'delete',
      options: (session) => {
        const input = options(session);
        const isGuarded = policyFor(removal, 'conditional-write') !== undefined;
        return isGuarded ? { ...input, headers: withVersion(input.headers ?? [], '*') } : input;
      },
      ...(reader === undefined ? {} : { shows: call(reader) }),
    },
  };
}
