import { idPlace } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { plainName } from '../../../contract/text/plain-name.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { isIdWord, wordsOf } from '../../writes/names.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';

type Resource = PolicyOf<'resource'>;

/** Where the calls of an operation name the thing of the sheet that they are about. */
export interface ThingPlace {
  readonly resource: Resource;
  readonly in: 'path' | 'query' | 'body';
  /** Of the parameter, or of the member of the body. */
  readonly name: string;
  /** Under which the id is among the values of a call. */
  readonly parameter: string;
  /** The path with the id, which follows it if it is elsewhere in the request: the address under which a run knows the thing. */
  readonly target: string;
}

/**
 * Where an operation names its thing; `undefined` if the sheet does not say that it is about one. It says so by the role of
 * the operation, by a transition that the operation causes, or by a parameter which only the things of one resource have.
 */
export function thingPlace(api: OwnApi, operation: Operation): ThingPlace | undefined {
  let places = known.get(api);
  if (places === undefined) known.set(api, (places = new Map()));
  if (!places.has(operation.id)) places.set(operation.id, findPlace(api, operation));
  return places.get(operation.id);
}

/** The name under which the id of the thing of an operation is among its values; empty if it names none. */
export function thingParameter(api: OwnApi, operation: Operation): string {
  return pathParameters(operation).at(-1)?.name ?? thingPlace(api, operation)?.parameter ?? '';
}

/** Whether an operation has the name of a transition's cause, such as `capture`. */
export function isCalled({ id, path }: Pick<Operation, 'id' | 'path'>, on: string): boolean {
  const wanted = plainName(on);
  return plainName(path.split(/[/:]/).at(-1) ?? '') === wanted || plainName(id) === wanted;
}

/** The operation that makes the things whose id has this name, if it says of which resource of the sheet they are. */
export function makerByName(api: OwnApi, name: string): Operation | undefined {
  const words = wordsOf(name);
  if (words.length < 2 || !isIdWord(words.at(-1) ?? '')) return undefined;
  const [resource, ...others] = resourcesOf(api.contract).filter(
    ({ id }) => (id.parameter ?? id.member) === name,
  );
  const maker = others.length === 0 ? api.operation(resource?.operations.create ?? '') : undefined;
  return maker !== undefined && pathParameters(maker).length === 0 ? maker : undefined;
}

// --- internal ---

const known = new WeakMap<OwnApi, Map<string, ThingPlace | undefined>>();

function findPlace(api: OwnApi, operation: Operation): ThingPlace | undefined {
  for (const resource of resourcesOf(api.contract))
    if (isStated(api, resource, operation)) {
      const place = placeIn(api, resource, operation, true);
      if (place !== undefined) return place;
    }
  const makes = resourcesOf(api.contract).some(({ operations: { create, createMany } }) =>
    [create, createMany].includes(operation.id),
  );
  if (makes) return undefined;
  for (const { in: place, name } of operation.parameters) {
    if (place !== 'path' && place !== 'query') continue;
    const maker = makerByName(api, name);
    const resource = resourcesOf(api.contract).find(({ operations }) => operations.create === maker?.id);
    if (maker !== undefined && resource !== undefined) return placeIn(api, resource, operation, false);
  }
  return undefined;
}

/** By the role of the operation, or by a transition of what the resource shows. */
function isStated(api: OwnApi, { operations }: Resource, operation: Operation): boolean {
  const { read, replace, patch, delete: removal, restore } = operations;
  if ([read, replace, patch, removal, restore].includes(operation.id)) return true;
  const shown = JSON.stringify(api.operation(read ?? operations.create ?? '')?.responses ?? []);
  return (api.contract.sheet?.policies ?? []).some(
    (policy) =>
      policy.kind === 'lifecycle' &&
      shown.includes(`#/components/schemas/${policy.schema}"`) &&
      policy.transitions.some(({ on }) => isCalled(operation, on)),
  );
}

function placeIn(
  api: OwnApi,
  resource: Resource,
  operation: Operation,
  isInBody: boolean,
): ThingPlace | undefined {
  const { member, parameter = member } = resource.id;
  const place = idPlace(operation, { member, parameter }, api.root);
  if (place === undefined || (place.in === 'body' && !isInBody)) return undefined;
  const target = place.in === 'path' ? operation.path : `${operation.path}/{${parameter}}`;
  return { resource, parameter, ...place, target };
}
