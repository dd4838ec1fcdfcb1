import { pagesPolicyOf, policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { resourcesOf } from '../../../contract/sheet/resources-of.ts';
import { at, isObject, isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { RequestPlan, RequestPlans, SendOptions, Session } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import { chosenId, endsWith, idOf, idOfCreated } from '../document/ids.ts';
import {
  freshBody,
  otherTexts,
  refusalOf,
  requiredValues,
  withBody,
  withThingId,
} from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import { formOfGiven } from '../document/values.ts';
import { written } from '../document/wire-body.ts';
import type { OwnApi, Values } from '../own-api.ts';
import type { MakeOptions, Role, Roles, SentThing, Thing } from './thing.ts';
import { ThingBodies } from './thing-bodies.ts';

/** Waiting for a thing that is created after its answer. */
const MOST_LOOKS = 8;
const PAUSE_MS = 250;
const LOOK = 'look';

/** What a call sends, with the key that it has instead of a new one. */
type KeyedThing = Omit<SentThing, 'as'> & { readonly key?: string };

/** How many refused creations one scenario may have besides its own. */
const MOST_REFUSED = 6;

/** Creates resources, and calls the operations on them. It changes only resources that it has created. */
export class Things {
  readonly api: OwnApi;
  readonly roles: Roles;
  readonly bodies: ThingBodies;
  readonly #operations: Readonly<Partial<Record<Role, Operation>>>;
  readonly #parents: MadeResources | undefined;

  constructor(api: OwnApi, roles: Roles) {
    this.api = api;
    this.roles = roles;
    this.#operations = Object.fromEntries(
      Object.entries(roles.operations).flatMap(([role, id]) => {
        const operation = api.operation(id);
        return operation === undefined ? [] : [[role, operation]];
      }),
    );
    this.bodies = new ThingBodies(api, roles, this.#operations);
    const { create = this.#operations.createMany } = this.#operations;
    this.#parents =
      create && new MadeResources(api, create, endsWith(create, roles.parameter) ? [roles.parameter] : []);
  }

  operation(role: Role): Operation | undefined {
    return this.#operations[role];
  }

  /**
   * @param times how often the operations are called at most
   * @param parents how many parents are made at most
   */
  requests(
    times: Readonly<Partial<Record<Role, number>>>,
    more: Partial<RequestPlan> = {},
    parents = 1,
  ): RequestPlans {
    const plans = Object.entries(times).flatMap(([role, most]) => {
      const operation = this.operation(role as Role);
      const times = role === 'create' ? most + MOST_REFUSED : most;
      return operation === undefined ? [] : [[role, this.api.plan(operation, { times, ...more })]];
    });
    const { create, read } = this.#operations;
    const isLater = times.create !== undefined && create?.responses.some(({ status }) => status === '202');
    return {
      ...this.#parents?.requests(parents),
      ...(Object.fromEntries(plans) as RequestPlans),
      ...(isLater === true && read !== undefined
        ? { [LOOK]: this.api.plan(read, { times: MOST_LOOKS * (times.create ?? 0) }) }
        : {}),
    };
  }

  /** The parent of the resources. */
  async within(session: Session): Promise<Values> {
    return (await this.#parents?.values(session)) ?? {};
  }

  /** Whether the resources are below others, which the suite can create. */
  get hasParents(): boolean {
    return this.#parents?.hasCreators === true;
  }

  /** A second parent; `undefined` if the suite does not create parents, so that there is only one. */
  async elsewhere(session: Session, within: Values): Promise<Values | undefined> {
    const other = await this.within(session);
    const isOther = Object.keys(other).some((name) => other[name] !== within[name]);
    return isOther ? other : undefined;
  }

  /**
   * Creates a thing: with optional members, or without them if the server does not accept them.
   *
   * @throws {NotExercised} if none can be created
   */
  async make(session: Session, within: Values, options: MakeOptions = {}): Promise<Thing> {
    const create = this.operation('create');
    if (create === undefined)
      throw new NotExercised('an opportunity', 'no operation of the sheet creates a resource');
    const bodies = this.bodies.creations(session, create, options);
    if (bodies.every((body) => body === undefined) && create.requestBody?.required === true)
      throw new NotExercised(`bodies.${create.id}`, `needs a body for ${create.id}`);
    let last: Exchange | undefined;
    for (const begun of bodies.flatMap((body) => this.bodies.begun(body, options))) {
      // A server may know no chunks (RFC 9112, section 6.1), or want the length (RFC 9110, section 15.5.12).
      const isUnchunked = last?.status === 411 || last?.status === 501;
      const sent = this.#fresh(session, create, begun);
      // A value may have to be unique although the sheet does not say so.
      for (const isOther of [false, true]) {
        if (isOther && last?.status !== 409) break;
        const own = isOther ? otherTexts(this.api, create, sent, session.freshKey) : sent;
        const values = { ...within, ...this.#ownId(session, create) };
        last = await this.send(session, 'create', create, values, {
          body: own,
          isChunked: options.isRich === true && !isUnchunked,
          ...creationOf(create),
        });
        if (isSuccess(last)) return this.#made(session, last, values, own, options.isLater === true);
      }
      if (last?.status === 409) break;
    }
    throw new NotExercised(
      `bodies.${create.id}`,
      `nothing was created: ${last === undefined ? 'no answer' : refusalOf(last)}`,
    );
  }

  /**
   * One more creation, whatever its answer is.
   *
   * @param parts.key that of an earlier call, instead of a new one
   * @throws {NotExercised} if no request can be made
   */
  async attempt(
    session: Session,
    within: Values,
    { as = 'create', key }: { readonly as?: string; readonly key?: string | undefined } = {},
  ): Promise<Exchange> {
    const create = this.operation('create') as Operation;
    const [body] = this.bodies.creations(session, create, {});
    const values = { ...within, ...this.#ownId(session, create) };
    return this.send(session, as, create, values, {
      body: this.#fresh(session, create, body),
      ...(key === undefined ? {} : { key }),
      ...creationOf(create),
    });
  }

  /** The key of a creation; `undefined` if it has none. */
  keyOf({ request }: Exchange): string | undefined {
    const create = this.operation('create');
    const header = create && policyFor(create, 'idempotency')?.requestHeader.toLowerCase();
    return request.headers.find(([name]) => name.toLowerCase() === header)?.[1];
  }

  /** The same body again: for a second resource with the same id, or with the same key if calls have one. */
  async makeAgain(
    session: Session,
    { within, values, sent, made }: Thing,
    { isSameKey = false, as = 'create' }: { readonly isSameKey?: boolean; readonly as?: string } = {},
  ): Promise<Exchange> {
    const create = this.operation('create') as Operation;
    const key = this.keyOf(made);
    const own = endsWith(create, this.roles.parameter) ? values : within;
    const isGuarded = policyFor(create, 'conditional-write') !== undefined;
    return this.send(session, as, create, own, {
      body: sent,
      ifMatch: isGuarded ? ((await this.tag(session, values)) ?? null) : null,
      ...(isSameKey && key !== undefined ? { key } : {}),
    });
  }

  /**
   * @param body of a change; with `null`, `ifMatch` is left out; by default it is requested if the sheet
   * requires it
   */
  async call(
    session: Session,
    role: Role,
    values: Values,
    { body, ifMatch, ifNoneMatch, as }: SentThing = {},
  ): Promise<Exchange> {
    const operation = this.operation(role) as Operation;
    const isGuarded = ifMatch === undefined && policyFor(operation, 'conditional-write') !== undefined;
    const tag = isGuarded && role !== 'read' ? await this.tag(session, values) : ifMatch;
    const conditions = { ifMatch: tag ?? null, ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) };
    return this.send(session, as ?? role, operation, values, { body, ...conditions });
  }

  /** The current entity tag of a resource; `undefined` for none. */
  async tag(session: Session, values: Values): Promise<string | undefined> {
    if (this.operation('read') === undefined) return undefined;
    return (await this.call(session, 'read', values)).header('etag');
  }

  /** The thing in an answer. */
  shownIn(seen: Exchange): Readonly<Record<string, unknown>> | undefined {
    const { item } = this.roles;
    const shown = item === undefined ? seen.json : at(seen.json, item);
    return isObject(shown) ? shown : undefined;
  }

  idIn(shown: unknown): unknown {
    const { member: name, parameter } = this.roles;
    return isObject(shown) && name !== undefined ? member(shown, name) : idOf(shown, parameter);
  }

  /** The same things, created by their replacement. */
  replacing(): Things {
    const { replace = '', ...operations } = this.roles.operations;
    return new Things(this.api, { ...this.roles, operations: { ...operations, create: replace } });
  }

  /** The id of a thing in the answer to its creation; `undefined` if it has none. */
  madeId(made: Exchange): Json | undefined {
    const own = this.idIn(this.shownIn(made)) as Json | undefined;
    return own ?? idOfCreated(this.api, made, this.roles.parameter);
  }

  async #made(
    session: Session,
    made: Exchange,
    values: Values,
    sent: Json | undefined,
    isLater: boolean,
  ): Promise<Thing> {
    const { parameter } = this.roles;
    const create = this.operation('create');
    const chosen =
      create !== undefined && endsWith(create, this.roles.parameter) ? values[parameter] : undefined;
    const id = chosen ?? this.madeId(made);
    if (id === undefined || id === null)
      throw new NotExercised(
        'an opportunity',
        `the answer has no id of the created resource: ${sketchAnswer(made)}`,
      );
    const thing = { values: { ...values, [parameter]: id }, within: values, id, sent, made };
    if (made.status === 202 && !isLater) await this.#isThere(session, thing);
    return thing;
  }

  /** @throws {NotExercised} if a thing that is created after the answer (202) does not come to exist */
  async #isThere(session: Session, { values }: Thing): Promise<void> {
    for (let look = 0; look < MOST_LOOKS && this.operation('read') !== undefined; look += 1) {
      if (isSuccess(await this.call(session, 'read', values, { as: LOOK }))) return;
      await session.clock.sleep(PAUSE_MS);
    }
    throw new NotExercised('an opportunity', 'the resource is created later than the suite waits: 202');
  }

  /** Sends a request of an operation; a key that no call had before if the sheet requires one. */
  send(
    session: Session,
    name: string,
    operation: Operation,
    values: Values,
    sent: KeyedThing,
  ): Promise<Exchange> {
    return session.send(name, this.#optionsOf(session, operation, values, sent));
  }

  /** Changes of a thing at the same time, under the same condition. */
  race(
    session: Session,
    role: Role,
    values: Values,
    {
      bodies,
      ...condition
    }: { readonly bodies: readonly Json[] } & Pick<SentThing, 'ifMatch' | 'ifNoneMatch'>,
  ): Promise<readonly Exchange[]> {
    const operation = this.operation(role) as Operation;
    return session.race(
      role,
      bodies.map((body) => this.#optionsOf(session, operation, values, { body, ...condition })),
    );
  }

  #optionsOf(
    session: Session,
    operation: Operation,
    values: Values,
    { body: given, ifMatch = null, ifNoneMatch, isChunked = false, key: own }: KeyedThing,
  ): SendOptions {
    const known = requiredValues(this.api, operation, session, values);
    const sent = serialisedParameters(operation, known);
    const key = policyFor(operation, 'idempotency')?.requestHeader;
    const body = withThingId(this.api, operation, given, values);
    const conditions = ['if-match', 'if-none-match', ...(own === undefined ? [] : [key?.toLowerCase()])];
    const headers: (readonly [string, string])[] = sent.headers.filter(
      ([header]) => !conditions.includes(header.toLowerCase()),
    );
    if (ifMatch !== null) headers.push(['If-Match', ifMatch]);
    if (ifNoneMatch !== undefined) headers.push(['If-None-Match', ifNoneMatch]);
    if (own !== undefined && key !== undefined) headers.push([key, own]);
    const isKeyed = headers.some(([header]) => header.toLowerCase() === key?.toLowerCase());
    if (key !== undefined && !isKeyed) headers.push([key, session.freshKey()]);
    const options: SendOptions = { ...sent, headers };
    const form = body === undefined ? undefined : formOfGiven(this.api, operation, body);
    if (body === undefined || form === undefined) return options;
    return { ...withBody(options, written(body, form), form.mediaType), isChunked };
  }

  /** A body with unique values where these are required. */
  #fresh(session: Session, create: Operation, value: Json | undefined): Json | undefined {
    if (value === undefined) return undefined;
    return freshBody(this.api, create, value, session);
  }

  /** A new id for a path that has one. */
  #ownId(session: Session, create: Operation): Values {
    const { parameter } = this.roles;
    if (!endsWith(create, this.roles.parameter)) return {};
    const id = chosenId(this.api, create, parameter, session.freshKey);
    if (id === undefined) throw new NotExercised(`parameters.${parameter}`, `needs a value for ${parameter}`);
    return { [parameter]: id };
  }
}

/** The condition of a creation, where the sheet requires one of all changes by the operation. */
function creationOf(create: Operation): Pick<SentThing, 'ifNoneMatch'> {
  const guard = policyFor(create, 'conditional-write');
  return guard?.required !== undefined && guard.exists !== undefined ? { ifNoneMatch: '*' } : {};
}

/** The resources of a policy. */
export function thingsOf(api: OwnApi, policy: PolicyOf<'resource'>): Things {
  const { id, operations, item, items, upsert } = policy;
  const list = api.operation(operations.list ?? '');
  const create = operations.create ?? (upsert === true ? operations.replace : undefined);
  return new Things(api, {
    operations: create === undefined ? operations : { ...operations, create },
    parameter: id.parameter ?? id.member,
    member: id.member,
    item,
    items: items ?? (list && pagesPolicyOf(list)?.page?.items),
  });
}

/** The things of the resource that an operation has a role for; `undefined` if the sheet has none. */
export function thingsBy(
  api: OwnApi,
  role: keyof PolicyOf<'resource'>['operations'],
  { id }: Pick<Operation, 'id'>,
): Things | undefined {
  const policy = resourcesOf(api.contract).find(({ operations }) => operations[role] === id);
  return policy && thingsOf(api, policy);
}
