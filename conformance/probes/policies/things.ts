import { pagesPolicyOf, policyFor } from '../../../contract/index.ts';
import type { PolicyOf } from '../../../contract/index.ts';
import type { Json, Operation } from '../../../contract/model.ts';
import { at, isObject, isSuccess, member } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { propertiesOf } from '../../../contract/schema-parts.ts';
import { NotExercised } from '../../scenario.ts';
import type { RequestPlan, RequestPlans, SendOptions, Session } from '../../scenario.ts';
import { sketchAnswer } from '../../sketch.ts';
import { chosenId, idOf, idOfCreated, itemsIn } from '../document/ids.ts';
import { freshBody, requiredValues, withBody } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import { bodyFor, isValid } from '../document/values.ts';
import { bodyForm, written } from '../document/wire-body.ts';
import { fullerBody, otherBody, variedBody } from '../document/variants.ts';
import type { OwnApi, Values } from '../own-api.ts';
import { pathParameters, sentContent } from '../own-api.ts';
import { listsIds } from './listed-ids.ts';
import { nextPlace } from './pages.ts';

export type Role = 'create' | 'list' | 'read' | 'replace' | 'patch' | 'delete';

/** Operations on resources of one kind. */
export interface Roles {
  readonly operations: Readonly<Partial<Record<Role, string>>>;
  /** The path parameter with the id of a thing. */
  readonly parameter: string;
  /** The member of a thing with its id; if left out, it is guessed. */
  readonly member?: string | undefined;
  /**
   * The member of an answer that contains the thing, and of a list that contains the things; if left out, the
   * whole body.
   */
  readonly item?: string | undefined;
  readonly items?: string | undefined;
}

/** A resource that the suite has created. */
export interface Thing {
  /** Of the path parameters. */
  readonly values: Values;
  readonly id: Json;
  /** The body that created it. */
  readonly sent: Json | undefined;
  readonly made: Exchange;
}

/** Creates resources, and calls the operations on them. It changes only resources that it has created. */
export class Things {
  readonly api: OwnApi;
  readonly roles: Roles;
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
    const { create } = this.#operations;
    this.#parents = create && new MadeResources(api, create, [roles.parameter]);
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
      return operation === undefined ? [] : [[role, this.api.plan(operation, { times: most, ...more })]];
    });
    return { ...this.#parents?.requests(parents), ...(Object.fromEntries(plans) as RequestPlans) };
  }

  /** The parent of the resources. */
  async within(session: Session): Promise<Values> {
    return (await this.#parents?.values(session)) ?? {};
  }

  /** Whether the resources are below others, which the suite can create. */
  get hasParents(): boolean {
    return Object.keys(this.#parents?.requests() ?? {}).length > 0;
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
  async make(
    session: Session,
    within: Values,
    { isLater = false, isVaried = false, isSmall = false }: MakeOptions = {},
  ): Promise<Thing> {
    const create = this.operation('create');
    if (create === undefined)
      throw new NotExercised('an opportunity', 'no operation of the sheet creates a resource');
    const body = bodyFor(this.api, create, session.fixtures);
    if (body === undefined && create.requestBody?.required === true)
      throw new NotExercised(`bodies.${create.id}`, `needs a body for ${create.id}`);
    const isGiven = Object.hasOwn(session.fixtures.bodies ?? {}, create.id);
    const small = body?.value;
    const full = small === undefined || isGiven ? small : fullerBody(this.api, create, small);
    let last: Exchange | undefined;
    const varied =
      isVaried && !isGiven && full !== undefined
        ? [true, false].map((isLong) => variedBody(this.api, create, full, { takes: this.#mayVary, isLong }))
        : [];
    const values = isSmall ? [this.smallBody('create', small) ?? small] : [...varied, full, small];
    for (const value of new Map(values.map((one) => [JSON.stringify(one), one])).values()) {
      const sent = this.#fresh(session, create, value);
      const values = { ...within, ...this.#ownId(session, create) };
      last = await this.#send(session, 'create', create, values, { body: sent });
      if (isSuccess(last)) return this.#made(last, values, sent, isLater);
    }
    throw new NotExercised(
      `bodies.${create.id}`,
      `nothing was created: ${last === undefined ? 'no answer' : sketchAnswer(last)}`,
    );
  }

  /** The same body again: for a second resource with the same id, or with the same key if calls have one. */
  async makeAgain(
    session: Session,
    { values, sent, made }: Thing,
    { isSameKey = false, as = 'create' }: { readonly isSameKey?: boolean; readonly as?: string } = {},
  ): Promise<Exchange> {
    const create = this.operation('create') as Operation;
    const header = policyFor(create, 'idempotency')?.requestHeader.toLowerCase();
    const key = made.request.headers.find(([name]) => name.toLowerCase() === header)?.[1];
    return this.#send(session, as, create, values, {
      body: sent,
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
    { body, ifMatch, as }: SentThing = {},
  ): Promise<Exchange> {
    const operation = this.operation(role) as Operation;
    const isGuarded = ifMatch === undefined && policyFor(operation, 'conditional-write') !== undefined;
    const tag = isGuarded && role !== 'read' ? await this.tag(session, values) : ifMatch;
    return this.#send(session, as ?? role, operation, values, { body, ifMatch: tag ?? null });
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

  /**
   * Searches the list for things, page by page.
   *
   * @returns the ids that it has, the pages, and whether this is the whole list as far as can be known
   */
  async listed(
    session: Session,
    within: Values,
    { as = 'list', query = {}, limit: own, mostPages = MOST_PAGES }: ListOptions = {},
  ): Promise<{
    readonly ids: ReadonlySet<string>;
    readonly items: readonly unknown[];
    readonly pages: readonly Exchange[];
    readonly isAll: boolean;
  }> {
    const list = this.operation('list') as Operation;
    const policy = pagesPolicyOf(list);
    const limit = list.parameters.find(({ name }) => name === policy?.limitParameter);
    const most = own ?? policy?.maximumLimit ?? 1;
    const isTaken = own !== null && limit !== undefined && this.api.misfits(limit, most).length === 0;
    const size: Values = isTaken ? { [limit.name]: most } : {};
    const [ids, all, pages] = [new Set<string>(), [] as unknown[], [] as Exchange[]];
    let place: Values | undefined = {};
    let count = 0;
    while (place !== undefined && pages.length < mostPages) {
      const seen: Exchange = await this.#send(
        session,
        as,
        list,
        { ...within, ...query, ...size, ...place },
        {},
      );
      pages.push(seen);
      const items = this.#itemsOf(list, seen);
      if (!isSuccess(seen) || items === undefined) return { ids, items: all, pages, isAll: false };
      const found = items.map((item) => this.idIn(item));
      if (
        found.length > 0 &&
        found.every((id) => id === undefined) &&
        !listsIds(this.api, list, seen.status, this.roles.member)
      )
        throw new NotExercised('an opportunity', `the items of ${list.id} have no ${this.roles.member}`);
      all.push(...items);
      for (const id of found) ids.add(String(id));
      count += items.length;
      if (policy === undefined) return { ids, items: all, pages, isAll: !mayBePaged(list, seen) };
      place = items.length === 0 ? undefined : nextPlace(policy, seen, { pages: pages.length, items: count });
    }
    return { ids, items: all, pages, isAll: place === undefined };
  }

  /**
   * A body for a change that differs from the body of the thing: from the fixtures file, or derived from that
   * body. A patch contains only the differences.
   */
  changeBody(session: Session, role: Role, sent: Json | undefined): Json | undefined {
    const operation = this.operation(role);
    if (operation?.requestBody === undefined) return undefined;
    const { bodies = {} } = session.fixtures;
    if (Object.hasOwn(bodies, operation.id)) return bodies[operation.id];
    const create = this.operation('create');
    if (role === 'patch')
      return this.#patch(operation, create, sent) ?? bodyFor(this.api, operation, session.fixtures)?.value;
    const own = [sent, bodyFor(this.api, operation, session.fixtures)?.value].find(
      (value) => value !== undefined && this.takes(role, value),
    );
    return own === undefined ? undefined : (otherBody(this.api, operation, own) ?? own);
  }

  /** A body without its optional members; `undefined` if it has none. */
  smallBody(role: Role, value: Json | undefined): Json | undefined {
    if (!isObject(value)) return undefined;
    let small = value as Record<string, Json>;
    for (const name of Object.keys(value)) {
      const { [name]: _, ...others } = small;
      if (Object.keys(others).length > 0 && this.takes(role, others)) small = others;
    }
    return Object.keys(small).length < Object.keys(value).length ? small : undefined;
  }

  /** Whether a body is valid by the document for an operation. */
  takes(role: Role, value: Json): boolean {
    const operation = this.operation(role);
    const content = operation && sentContent(operation);
    return content !== undefined && isValid(this.api, content, value);
  }

  /** The same things, created by their replacement. */
  replacing(): Things {
    const { replace = '', ...operations } = this.roles.operations;
    return new Things(this.api, { ...this.roles, operations: { ...operations, create: replace } });
  }

  /** A patch of one member that its schema names, because a server may ignore any other. */
  #patch(operation: Operation, create: Operation | undefined, sent: Json | undefined): Json | undefined {
    const { schema, mediaType = '' } = sentContent(operation) ?? {};
    if (create === undefined || !isObject(sent) || /json-patch/i.test(mediaType)) return undefined;
    const named = propertiesOf(schema, this.api.root).map(([name]) => name);
    const takes = (name: string, value: Json): boolean =>
      (named.length === 0 || named.includes(name)) && this.takes('patch', { [name]: value });
    const other = otherBody(this.api, create, sent, takes);
    const changed = Object.entries(other ?? {}).filter(([name, value]) => value !== sent[name]);
    return changed.length === 0 ? undefined : Object.fromEntries(changed);
  }

  /** Whether a member may have any valid value: not an id and not the state of a lifecycle, which have side effects. */
  readonly #mayVary = (name: string): boolean =>
    name !== this.roles.member &&
    !(this.api.contract.sheet?.policies ?? []).some(
      (policy) => policy.kind === 'lifecycle' && policy.property === name,
    );

  #itemsOf(list: Operation, seen: Exchange): readonly unknown[] | undefined {
    const { items } = this.roles;
    if (items === undefined) return itemsIn(list, seen.json);
    const named = at(seen.json, items);
    return Array.isArray(named) ? (named as unknown[]) : undefined;
  }

  #made(made: Exchange, values: Values, sent: Json | undefined, isLater: boolean): Thing {
    const { parameter } = this.roles;
    const own = this.idIn(this.shownIn(made));
    const id = values[parameter] ?? (own as Json | undefined) ?? idOfCreated(this.api, made, parameter);
    if (made.status === 202 && !isLater)
      throw new NotExercised('an opportunity', 'resources are created later: the answer is 202');
    if (id === undefined || id === null)
      throw new NotExercised(
        'an opportunity',
        `the answer has no id of the created resource: ${sketchAnswer(made)}`,
      );
    return { values: { ...values, [parameter]: id }, id, sent, made };
  }

  /** A body with unique values where these are required. */
  #fresh(session: Session, create: Operation, value: Json | undefined): Json | undefined {
    if (value === undefined) return undefined;
    return freshBody(this.api, create, value, session.freshKey);
  }

  /** A new id for a path that has one. */
  #ownId(session: Session, create: Operation): Values {
    const { parameter } = this.roles;
    if (!pathParameters(create).some(({ name }) => name === parameter)) return {};
    const id = chosenId(this.api, create, parameter, session.freshKey);
    if (id === undefined) throw new NotExercised(`parameters.${parameter}`, `needs a value for ${parameter}`);
    return { [parameter]: id };
  }

  #send(
    session: Session,
    name: string,
    operation: Operation,
    values: Values,
    { body, ifMatch = null, key: own }: Omit<SentThing, 'as'> & { readonly key?: string },
  ): Promise<Exchange> {
    const known = requiredValues(this.api, operation, session, values);
    const sent = serialisedParameters(operation, known);
    const key = policyFor(operation, 'idempotency')?.requestHeader;
    const given = ['if-match', ...(own === undefined ? [] : [key?.toLowerCase()])];
    const headers: (readonly [string, string])[] = sent.headers.filter(
      ([header]) => !given.includes(header.toLowerCase()),
    );
    if (ifMatch !== null) headers.push(['If-Match', ifMatch]);
    if (own !== undefined && key !== undefined) headers.push([key, own]);
    const isKeyed = headers.some(([header]) => header.toLowerCase() === key?.toLowerCase());
    if (key !== undefined && !isKeyed) headers.push([key, session.freshKey()]);
    const options: SendOptions = { ...sent, headers };
    const content = sentContent(operation);
    if (body === undefined || content === undefined) return session.send(name, options);
    const form = bodyForm(this.api, content);
    return session.send(name, withBody(options, written(body, form), form.mediaType));
  }
}

export interface MakeOptions {
  /** Whether a thing that is created later (202) is accepted. */
  readonly isLater?: boolean;
  /** Whether members get another value than usual, if the document names several. */
  readonly isVaried?: boolean;
  /** Whether all optional members are left out. */
  readonly isSmall?: boolean;
}

export interface ListOptions {
  /** The name of the planned request, if it is not the role. */
  readonly as?: string;
  /** Other parameters of the list. */
  readonly query?: Values;
  /** The size of a page; `null` for a request without one; default: the maximum. */
  readonly limit?: number | null;
  readonly mostPages?: number;
}

export interface SentThing {
  readonly body?: Json | undefined;
  /** `null` for a request without the header; default: the current tag of the thing. */
  readonly ifMatch?: string | null;
  /** The name of the planned request, if it is not the role. */
  readonly as?: string;
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

// --- internal ---

const MOST_PAGES = 20;

/** Whether a list without a pagination policy looks paginated. */
function mayBePaged({ parameters }: Operation, seen: Exchange): boolean {
  const isPlace = /page|cursor|offset|limit|size|after|before|start|skip|token|count|top/i;
  return (
    parameters.some(({ in: place, name }) => place === 'query' && isPlace.test(name)) ||
    seen.header('link') !== undefined
  );
}
