import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { propertyAt } from '../../../contract/schemas/schema-parts.ts';
import { followed } from '../../../contract/pointer.ts';
import { at, isObject } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { freshBody } from '../document/input.ts';
import { bodyFor } from '../document/values.ts';
import { otherBody, put } from '../document/variants.ts';
import { shownSchema } from './differing-members.ts';
import type { Things } from './things.ts';

type Many = NonNullable<PolicyOf<'resource'>['many']>;

/** A request with a list of things. */
export interface ManyThings {
  readonly body: Json;
  readonly things: readonly Json[];
}

/** What an answer says about one thing of a list. */
export interface ShownResult {
  /** `undefined` if the results have none. */
  readonly status: number | undefined;
  readonly id: Json | undefined;
  readonly shown: unknown;
}

/**
 * A valid request that creates several things, which differ in one member if the document allows it.
 *
 * @throws {NotExercised} if none is known
 */
export function manyThings(things: Things, session: Session, many: Many, count: number): ManyThings {
  const { api, bodies } = things;
  const operation = things.operation('createMany') as Operation;
  const own = bodyFor(api, operation, session.fixtures)?.value;
  const wrap = (list: readonly Json[]): Json => wrapped(many, own, list);
  const single = things.operation('create');
  const listed: unknown = many.send === undefined ? own : at(own, many.send);
  const given = Array.isArray(listed) ? (listed as Json[]) : [];
  const isGiven = Object.hasOwn(session.fixtures.bodies ?? {}, operation.id);
  const candidates = [
    ...(single === undefined || isGiven ? [] : bodies.creations(session, single, {})),
    ...given,
  ];
  const takes = (thing: Json): boolean =>
    [[thing], Array.from({ length: count }, () => thing)].some((list) =>
      bodies.takes('createMany', wrap(list)),
    );
  const first = candidates.find((one): one is Json => one !== undefined && takes(one));
  if (first === undefined)
    throw new NotExercised(`bodies.${operation.id}`, `needs a body for ${operation.id}`);
  const list: Json[] = [];
  let last = first;
  for (let n = 0; n < count; n += 1) {
    list.push(single === undefined ? last : freshBody(api, single, last, session));
    const known = list.map((one) => JSON.stringify(one));
    last =
      (single &&
        otherBody(api, single, last, (name, value) => {
          const other = { ...(last as object), [name]: value } as Json;
          return !known.includes(JSON.stringify(other)) && takes(other);
        })) ??
      last;
  }
  return { body: wrap(list), things: list };
}

/** The request with other things. */
export function wrapped({ send }: Many, body: Json | undefined, list: readonly Json[]): Json {
  return send === undefined ? list : put(isObject(body) ? body : {}, send.split('.'), list);
}

/** The results in an answer, in order; `undefined` if it has no list of them. */
export function resultsIn(things: Things, many: Many, seen: Exchange): readonly ShownResult[] | undefined {
  const list = many.results === undefined ? seen.json : at(seen.json, many.results);
  if (!Array.isArray(list)) return undefined;
  return (list as unknown[]).map((result) => {
    const shown = many.item === undefined ? result : at(result, many.item);
    const status = many.status === undefined ? undefined : Number(at(result, many.status));
    return { status, id: (things.idIn(shown) ?? things.idIn(result)) as Json | undefined, shown };
  });
}

/** The schema of a thing in a result. */
export function resultSchema(
  { api }: Things,
  operation: Operation,
  { results, item }: Many,
  seen: Exchange,
): ReturnType<typeof shownSchema> {
  const list = followed(api.root, shownSchema(api, operation, seen, results));
  const result = isObject(list) ? (list['items'] as ReturnType<typeof shownSchema>) : undefined;
  return item === undefined ? result : propertyAt(result, item, api.root)[0];
}
