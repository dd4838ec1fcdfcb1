import { isRecord, pagesPolicyOf, valueAt } from '../../../contract/index.ts';
import type { Json, Operation, Parameter } from '../../../contract/model.ts';
import { textOfPattern } from '../../../contract/judge/pattern-text.ts';
import { plainName } from '../../../contract/text/plain-name.ts';
import { decoded } from '../../../contract/text/decoded.ts';
import { singular } from '../../../contract/text/singular.ts';
import { followed } from '../../../contract/pointer.ts';
import { at, isObject, member, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { OwnApi } from '../own-api.ts';
import { isScalar, pathParameters } from '../own-api.ts';
import { operationAround } from './sheet-resources.ts';
import { makerByName } from './thing-places.ts';
import { fraction } from './variants.ts';

/** An operation whose answer contains possible values for a path parameter of another one. */
export interface Supplier {
  readonly operation: Operation;
  /** The values for the parameter in such an answer, in order. */
  readonly valuesIn: (answer: Exchange) => readonly Json[];
}

/** The list above a resource, and operations with an OpenAPI link to it. */
export function suppliersOf(api: OwnApi, operation: Operation, parameter: string): readonly Supplier[] {
  const above = collectionOf(operation.path, parameter);
  const list = api.at('get', above) ?? operationAround(api, `${above}/{${parameter}}`, 'list');
  const inList: Supplier[] =
    list === undefined || list.id === operation.id
      ? []
      : [{ operation: list, valuesIn: (answer) => idsIn(api, list, answer, parameter) }];
  return [...linkedTo(api, operation, parameter), ...inList, ...joined(api, operation, parameter)].map(
    (supplier) => ({
      ...supplier,
      valuesIn: (answer) => supplier.valuesIn(answer).filter((id) => fits(api, operation, parameter, id)),
    }),
  );
}

/**
 * The operation that creates the resource of a path parameter: a POST to the collection, a PUT that creates, or the
 * one that the sheet names.
 */
export function creatorOf(api: OwnApi, path: string, parameter: string): Operation | undefined {
  const above = collectionOf(path, parameter);
  const own = `${above}/{${parameter}}`;
  return (
    api.at('post', above) ??
    upsertOf(api, own) ??
    operationAround(api, own, 'create') ??
    // Some have the collection in the plural, and a thing in the singular: `/silences`, `/silence/{silenceID}`.
    creatorsByNoun(api).get(withSingular(above)) ??
    makerByName(api, parameter)
  );
}

/**
 * Whether the path of an operation ends with a parameter. Elsewhere in the path, it is a parent, which can have the name
 * of the thing's own id: `/teams/{id}/members`.
 */
export function endsWith({ path }: Pick<Operation, 'path'>, parameter: string): boolean {
  return path.endsWith(`{${parameter}}`);
}

/**
 * An id that the caller chooses, valid for the last path parameter; `undefined` if the path ends otherwise, or if no
 * known form is valid.
 */
export function chosenId(
  api: OwnApi,
  operation: Operation,
  parameter: string,
  freshKey: () => string,
): Json | undefined {
  const declared = pathParameters(operation).find(({ name }) => name === parameter);
  if (declared === undefined || !endsWith(operation, parameter)) return undefined;
  const key = freshKey();
  const forms = [key, key.slice(0, 8), Number.parseInt(key.slice(0, 7), 16)];
  const fitting = (all: readonly Json[]): Json | undefined =>
    all.find((one) => api.misfits(declared, one).length === 0);
  return fitting(forms) ?? fitting(textsBy(api, declared, freshKey));
}

/**
 * An id that belongs to nothing, as far as can be known: long, or far from those that servers count. `undefined` if the
 * document allows none.
 */
export function idOfNobody(api: OwnApi, parameter: Parameter, freshKey: () => string): Json | undefined {
  const key = freshKey();
  const far = 1_000_000_000 + Number.parseInt(key.slice(0, 6), 16);
  return [key, far, key.slice(0, 8), ...textsBy(api, parameter, freshKey)].find(
    (one) => api.misfits(parameter, one).length === 0,
  );
}

/** The member with the id of the things of an operation, and the member of the answer that contains a thing, as the sheet has them. */
export function idMemberOf(
  { contract: { sheet } }: OwnApi,
  operation: Pick<Operation, 'id'> | undefined,
):
  | { readonly member: string; readonly parameter: string; readonly item?: string; readonly items?: string }
  | undefined {
  for (const policy of sheet?.policies ?? []) {
    if (policy.kind !== 'resource' || operation === undefined) continue;
    if (!Object.values(policy.operations).some((id) => id === operation.id)) continue;
    const { id, item, items } = policy;
    return {
      member: id.member,
      parameter: id.parameter ?? id.member,
      ...(item === undefined ? {} : { item }),
      ...(items === undefined ? {} : { items }),
    };
  }
  return undefined;
}

/** The path before a parameter. */
export function collectionOf(path: string, parameter: string): string {
  return path.slice(0, Math.max(0, path.indexOf(`/{${parameter}}`)));
}

/** The id of a created resource: from its representation, or the last segment of its address. */
export function idOfCreated(api: OwnApi, exchange: Exchange, parameter: string): Json | undefined {
  return idsOfCreated(api, exchange, parameter)[0];
}

/** The same for a path of the document, with an id that is valid for the path parameter. */
export function idForPath(
  api: OwnApi,
  operation: Operation,
  parameter: string,
  made: Exchange,
): Json | undefined {
  return idsOfCreated(api, made, parameter).find((id) => fits(api, operation, parameter, id));
}

/** The id in a representation, for a path parameter with this name. */
export function idOf(item: unknown, parameter: string): Json | undefined {
  if (typeof item === 'string' || typeof item === 'number') return item;
  if (!isObject(item)) return undefined;
  const wanted = plainName(parameter);
  const names = Object.keys(item);
  const found =
    names.find((name) => plainName(name) === wanted) ??
    [...(/id$/.test(wanted) ? ['id'] : []), 'id', 'uuid', 'key', 'slug', 'name', 'code']
      .map((usual) => names.find((name) => plainName(name) === usual))
      .find((name) => name !== undefined) ??
    names.find((name) => plainName(name).endsWith('id'));
  const value = found === undefined ? undefined : item[found];
  return isScalar(value) && value !== '' ? value : undefined;
}

/** The items of a list: the body, the member that the sheet names, or the first member that is a list. */
export function itemsIn(operation: Operation, body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body as unknown[];
  const named = at(body, pagesPolicyOf(operation)?.page?.items ?? '');
  if (Array.isArray(named)) return named as unknown[];
  return isObject(body) ? (Object.values(body).find(Array.isArray) as unknown[] | undefined) : undefined;
}

// --- internal ---

const nouns = new WeakMap<OwnApi, ReadonlyMap<string, Operation>>();

/** The first POST at each path, by the path with its last noun in the singular. */
function creatorsByNoun(api: OwnApi): ReadonlyMap<string, Operation> {
  const known = nouns.get(api);
  if (known !== undefined) return known;
  const posts = api.operations.filter(({ method }) => method === 'post').toReversed();
  const found = new Map(posts.map((operation) => [withSingular(operation.path), operation] as const));
  nouns.set(api, found);
  return found;
}

function withSingular(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return path.slice(0, at) + singular(path.slice(at));
}

const MOST_IDS = 3;
const MOST_TEXTS = 20;

/** Texts for the pattern of a parameter. */
function textsBy(api: OwnApi, { schema }: Parameter, freshKey: () => string): readonly string[] {
  const described = followed(api.root, schema);
  const pattern = isRecord(described) ? described['pattern'] : undefined;
  if (typeof pattern !== 'string') return [];
  const choose = (most: number): number => Math.floor(fraction(freshKey) * (most + 1));
  const texts = Array.from({ length: MOST_TEXTS }, () => textOfPattern(pattern, choose) ?? '');
  // The longer an id, the less likely it is already in use.
  return texts.filter((text) => text !== '').toSorted((one, other) => other.length - one.length);
}

/** The replacement at this path, if the sheet says that it creates a missing resource. */
function upsertOf(api: OwnApi, path: string): Operation | undefined {
  return (api.contract.sheet?.policies ?? [])
    .flatMap((policy) => (policy.kind === 'resource' && policy.upsert === true ? [policy] : []))
    .map(({ operations }) => api.operation(operations.replace ?? ''))
    .find((operation) => operation?.path === path);
}

/** Whether the path parameter can have this value. In a path, a number is text; in an address, it was text. */
function fits(api: OwnApi, operation: Operation, parameter: string, id: Json): boolean {
  const declared = pathParameters(operation).find(({ name }) => name === parameter);
  const forms = [id, String(id), ...(/^-?\d{1,15}$/.test(String(id)) ? [Number(id)] : [])];
  return declared === undefined || forms.some((value) => api.misfits(declared, value).length === 0);
}

/**
 * What may be the id, the surest first. What the request calls the thing is its id only if nothing in the answer is one:
 * something else may have the name of the thing as its id.
 */
function idsOfCreated(api: OwnApi, exchange: Exchange, parameter: string): readonly Json[] {
  const stated = idMemberOf(api, api.operation(exchange.operation ?? ''));
  const thing = stated?.item === undefined ? exchange.json : at(exchange.json, stated.item);
  const own = stated?.parameter === parameter ? at(thing, stated.member) : undefined;
  // An id that the caller chooses is part of the request.
  const sent = parseJson(textOf(exchange));
  const named = isObject(sent)
    ? Object.keys(sent).find((name) => plainName(name) === plainName(parameter))
    : undefined;
  return [
    isScalar(own) ? own : undefined,
    idOf(exchange.json, parameter),
    named === undefined ? undefined : idOf(sent, parameter),
    ...wrappedIds(api, exchange, parameter),
    lastOf(exchange.header('location'), exchange.request.target),
    idOf(sent, parameter),
  ]
    .filter((id) => id !== undefined)
    .filter((id) => id !== '');
}

/** The last segment of an address, unless it is that of the collection. */
function lastOf(address: string | undefined, collection: string): string | undefined {
  const [segment, above] = [address, collection].map((one) => one?.split(/[?#]/)[0]?.split('/').at(-1));
  return segment === undefined || segment === '' || segment === above ? undefined : decoded(segment);
}

/**
 * Ids in the objects that an answer contains, such as `{ agent: { id }, token }`, or in the first result of several,
 * such as `[{ status, agent: { id } }]`.
 */
function wrappedIds(api: OwnApi, { json, operation }: Exchange, parameter: string): readonly Json[] {
  const [first] = Array.isArray(json) ? (json as unknown[]) : [];
  const results = isObject(first) ? [['', first] as const, ...Object.entries(first)] : [];
  const inside = isObject(json) ? Object.entries(json) : results;
  const found = inside.flatMap(([name, inner]) => {
    const id = isObject(inner) ? idOf(inner, parameter) : undefined;
    return id === undefined ? [] : [{ name: plainName(name), id }];
  });
  // Beside what was made, an answer can show other things, such as its owner.
  const noun = plainName(
    singular(
      api
        .operation(operation ?? '')
        ?.path.split('/')
        .at(-1) ?? '',
    ),
  );
  const named = found.filter(
    ({ name }) => name !== '' && (name === noun || plainName(parameter).startsWith(name)),
  );
  return (named.length > 0 ? named : found).map(({ id }) => id);
}

function idsIn(api: OwnApi, list: Operation, answer: Exchange, parameter: string): readonly Json[] {
  const stated = idMemberOf(api, list);
  const named = stated?.items === undefined ? undefined : at(answer.json, stated.items);
  const items = Array.isArray(named) ? (named as unknown[]) : (itemsIn(list, answer.json) ?? []);
  return items.slice(0, MOST_IDS).flatMap((item) => {
    const own = stated?.parameter === parameter ? at(item, stated.member) : undefined;
    return isScalar(own) && own !== '' ? own : (idOf(item, parameter) ?? []);
  });
}

/** A list whose items have ids of several segments, for a path that ends with as many parameters: `/models/{provider}/{model}`. */
function joined(api: OwnApi, operation: Operation, parameter: string): readonly Supplier[] {
  const run = operation.path
    .match(/(?:\/\{[^{}/]+\}){2,}/g)
    ?.find((part) => part.includes(`/{${parameter}}`));
  if (run === undefined) return [];
  const names = [...run.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  const list = api.at('get', operation.path.slice(0, operation.path.indexOf(run)));
  if (list === undefined) return [];
  const valuesIn = (answer: Exchange): readonly Json[] =>
    idsIn(api, list, answer, 'id').flatMap((id) => {
      const segments = String(id).split('/');
      return segments.length === names.length ? (segments[names.indexOf(parameter)] ?? []) : [];
    });
  return [{ operation: list, valuesIn }];
}

/** OpenAPI 3.1, "Link Object", with runtime expressions that lead into the body of the answer. */
function linkedTo(api: OwnApi, operation: Operation, parameter: string): readonly Supplier[] {
  return api.operations.flatMap((from) => {
    // A link to a shorter path could lead to a cycle.
    if (from.method !== 'get' || from.path.length >= operation.path.length) return [];
    return from.responses.flatMap(({ pointer, status }) => {
      if (!/^2/.test(status)) return [];
      const links = valueAt(api.root, `${pointer}/links`);
      return Object.values(isObject(links) ? links : {}).flatMap((link): Supplier[] => {
        if (member(link, 'operationId') !== operation.id) return [];
        const given = member(link, 'parameters');
        const expression = member(given, parameter) ?? member(given, `path.${parameter}`);
        const [, place] = /^\$response\.body#(\/.*)$/.exec(String(expression)) ?? [];
        if (place === undefined) return [];
        const valuesIn = (answer: Exchange): readonly Json[] => {
          const value = valueAt(answer.json, place);
          return isScalar(value) ? [value] : [];
        };
        return [{ operation: from, valuesIn }];
      });
    });
  });
}

function textOf({ request }: Exchange): string {
  return new TextDecoder().decode(request.body);
}
