import { policyFor } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { isObject, at } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlan } from '../../scenarios/scenario.ts';
import { thingAddress, decoded } from '../../writes/made-thing.ts';
import type { ApiWrites, Fill, MadeThing } from '../../writes/made-thing.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';
import { creatorOf, idForPath, idMemberOf, idOf } from './ids.ts';
import { inputFor, withVersion } from './input.ts';
import { documentedIds } from './references.ts';

/** What the calls of an API of a user's own make, and how it is taken back. */
export function ownWrites(api: OwnApi): ApiWrites {
  const items = itemsByCreator(api);
  const removalOf = (id: string): RequestPlan | undefined => {
    const found = (items.get(id) ?? []).flatMap(({ removal }) => removal ?? []);
    return found[0] === undefined ? undefined : api.plan(found[0]);
  };
  const made = (plan: RequestPlan, fill: Fill, exchange: Exchange): readonly MadeThing[] => {
    const { operation = '', as, method, effect } = plan;
    const basic = { api: api.name, operation, as, exchange: exchange.id };
    const own = items.get(operation) ?? [];
    const address = method === 'PUT' ? thingAddress(plan.target, fill) : undefined;
    if (address !== undefined) return [{ ...basic, addresses: [address], ...removalAt(api, own, fill) }];
    if (own.length === 0)
      return effect?.kind === 'creates' || exchange.status === 201 ? [{ ...basic, addresses: [] }] : [];
    return thingsIn(api, own, exchange).map((ids): MadeThing => {
      const filled = own.flatMap((item, index) => {
        const values = { ...fill, ...idAt(item, ids[index]) };
        const place = thingAddress(item.path, values);
        return ids[index] === undefined || place === undefined || place.includes('{')
          ? []
          : [{ item, place, values }];
      });
      const removed = filled.find(({ item }) => item.removal !== undefined);
      return {
        ...basic,
        addresses: filled.map(({ place }) => place),
        ...(removed === undefined ? {} : removalAt(api, [removed.item], removed.values)),
      };
    });
  };
  return { madeBy: made, removalOf, isDocumented: (id) => documentedIds(api).has(id) };
}

// --- internal ---

/** A path that ends with the id of a thing, and the operation that removes what is there. */
interface ItemPath {
  readonly path: string;
  readonly parameter: string;
  /** Any operation with this path in its own. */
  readonly operation: Operation;
  readonly removal: Operation | undefined;
}

/** The paths to the things that an operation makes. */
function itemsByCreator(api: OwnApi): ReadonlyMap<string, readonly ItemPath[]> {
  const found = new Map<string, ItemPath[]>();
  const add = (creator: string, item: ItemPath): void => {
    const known = found.get(creator) ?? [];
    if (!known.some(({ path }) => path === item.path)) found.set(creator, [...known, item]);
  };
  for (const operation of api.operations) {
    const parameter = pathParameters(operation)
      .map(({ name }) => name)
      .toSorted((one, other) => operation.path.indexOf(`{${one}}`) - operation.path.indexOf(`{${other}}`))
      .at(-1);
    if (parameter === undefined) continue;
    const path = operation.path.slice(0, operation.path.indexOf(`{${parameter}}`) + parameter.length + 2);
    const item = { path, parameter, operation, removal: api.at('delete', path) };
    const creator = creatorOf(api, operation.path, parameter);
    if (creator !== undefined) add(creator.id, item);
    if (operation.method === 'put' && operation.path === path) add(operation.id, item);
    for (const many of manyOf(api, operation)) add(many, item);
  }
  return found;
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

/** For each thing that an answer shows, its id for each of the paths. */
function thingsIn(
  api: OwnApi,
  items: readonly ItemPath[],
  exchange: Exchange,
): readonly (readonly (Json | undefined)[])[] {
  const list = resultsIn(api, exchange);
  if (list === undefined)
    return [items.map(({ operation, parameter }) => idForPath(api, operation, parameter, exchange))];
  return list.map((result) =>
    items.map(({ parameter, operation }) => {
      const stated = idMemberOf(api, operation);
      const inside = isObject(result) ? [result, ...Object.values(result).filter(isObject)] : [];
      const named = stated === undefined ? [] : inside.map((one) => at(one, stated.member));
      const [id] = [...named, ...inside.map((one) => idOf(one, parameter))].filter(
        (one) => typeof one === 'string' || typeof one === 'number',
      );
      return id;
    }),
  );
}

/** The results of a call that creates several things. */
function resultsIn(
  { contract: { sheet } }: OwnApi,
  { operation, json }: Exchange,
): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json as unknown[];
  for (const policy of sheet?.policies ?? []) {
    if (policy.kind !== 'resource' || policy.operations.createMany !== operation) continue;
    const results = policy.many?.results === undefined ? json : at(json, policy.many.results);
    return Array.isArray(results) ? (results as unknown[]) : [];
  }
  return undefined;
}

function idAt({ parameter }: ItemPath, id: Json | undefined): Fill {
  return id === undefined ? {} : { [parameter]: encodeURIComponent(String(id)) };
}

/** The call that removes the thing at a path. */
function removalAt(api: OwnApi, [item]: readonly ItemPath[], fill: Fill): Pick<MadeThing, 'removal'> {
  const { removal } = item ?? {};
  if (removal === undefined) return {};
  const parameters = pathParameters(removal).map(({ name }) => name);
  if (!parameters.every((name) => Object.hasOwn(fill, name))) return {};
  const values = Object.fromEntries(parameters.map((name) => [name, decoded(fill[name] ?? '')] as const));
  return {
    removal: {
      plan: api.plan(removal),
      options: (session) => {
        const input = inputFor(api, removal, session, values);
        const isGuarded = policyFor(removal, 'conditional-write') !== undefined;
        return isGuarded ? { ...input, headers: withVersion(input.headers ?? [], '*') } : input;
      },
    },
  };
}
