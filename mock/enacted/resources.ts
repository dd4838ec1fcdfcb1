import { isRecord, pagesPolicyOf } from '../../contract/index.ts';
import type { Contract, JsonObject, Operation } from '../../contract/model.ts';
import { idParameter, mergePatch, roleOf, type ResourceRole } from '../../contract/policies/resource.ts';
import { uniquenessClaim } from '../../contract/policies/uniqueness.ts';
import type { LooseReply } from '../../engine/handler.ts';
import { type Refusal, statedRefusal } from '../../engine/refusal.ts';
import type { ServedApi, SheetRefusal } from '../../engine/served-api.ts';
import { paged } from '../samples/example-pages.ts';
import { type Action, actionsOf } from './actions.ts';
import { Collection, successOf } from './collection.ts';
import type { WatchedThing } from './event-streams.ts';
import { tagOf } from './hash.ts';
import type { Lifecycles } from './lifecycles.ts';
import { seededRows } from './seeded-rows.ts';
import { replaced, worksOn, type Replacing } from '../deviations/replacements.ts';
import type { Tables, Row, TableView } from './tables.ts';
import { idOf, madeId, pathOf, serverMade, totalHeaders, totals, touched, writable } from './thing.ts';

/** A request to a collection. */
export interface ResourceCall {
  readonly input: Readonly<Record<string, unknown>>;
  /** Path and query, for the addresses of other pages. */
  readonly target: string;
  /** The id of the caller, to which the things belong that it creates. */
  readonly caller: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly note: (decision: string) => void;
}

/** The collections of a contract: the effect of its operations on the things in their tables. */
export class Resources {
  readonly #api: ServedApi;
  readonly #contract: Contract;
  readonly #collections: readonly Collection[];
  readonly #deviations: readonly Replacing[];
  readonly #lifecycles: Lifecycles;
  readonly #actions: ReadonlyMap<string, Action>;

  /** @param parts equal seeds make equal things */
  constructor(
    contract: Contract,
    api: ServedApi,
    {
      seed,
      deviations,
      lifecycles,
    }: {
      readonly seed: string;
      readonly deviations: readonly Replacing[];
      readonly lifecycles: Lifecycles;
    },
  ) {
    this.#deviations = deviations;
    this.#api = api;
    this.#contract = contract;
    this.#collections = (contract.sheet?.policies ?? []).flatMap((policy) =>
      policy.kind === 'resource' ? [new Collection(contract, policy, seed)] : [],
    );
    this.#lifecycles = lifecycles;
    this.#actions = actionsOf(contract, this.#collections, lifecycles);
  }

  get names(): readonly string[] {
    return this.#collections.map(({ policy }) => policy.collection);
  }

  /** The path parameters of an existing thing, for an operation of its collection. */
  pathOfSome(operationId: string, tables: Tables): Readonly<Record<string, string>> {
    const role = (policy: Collection['policy']): string | undefined => roleOf(policy, operationId);
    const policy = this.#collections.map((each) => each.policy).find((each) => role(each) !== undefined);
    const row = policy === undefined ? undefined : tables.table(policy.collection).rows()[0];
    return policy === undefined || row === undefined ? {} : { ...row.within, [idParameter(policy)]: row.id };
  }

  /** Puts the initial things into empty tables. */
  fill(tables: Tables, isWanted: (collection: string) => boolean = () => true): void {
    for (const collection of this.#collections) {
      if (!isWanted(collection.policy.collection)) continue;
      const table = tables.table(collection.policy.collection);
      for (const row of seededRows(collection)) {
        table.made += 1;
        table.put(row);
      }
    }
  }

  /**
   * Performs an operation; `undefined` if no collection has it, or if the document declares an answer of
   * another form than the thing. @throws {Refusal} as the sheet and the document state
   */
  answer(operationId: string, tables: Tables, call: ResourceCall): LooseReply | undefined {
    for (const collection of this.#collections) {
      const role = roleOf(collection.policy, operationId);
      const operation = role === undefined ? undefined : collection.operations[role];
      if (role === undefined || operation === undefined) continue;
      this.#requireParents(collection, tables, call);
      return this.#act(role, {
        collection,
        operation,
        table: this.#table(collection, operation, tables),
        call,
      });
    }
    this.#requireThing(operationId, tables, call);
    return this.#transition(operationId, tables, call);
  }

  /**
   * The thing below whose path a call is; `undefined` if it is below none.
   *
   * @throws {Refusal} if it does not exist
   */
  thingOf(
    operationId: string,
    tables: Tables,
    call: Pick<ResourceCall, 'input' | 'caller' | 'now'>,
  ): WatchedThing | undefined {
    // That of a nested collection is deeper.
    const collection = this.#collections
      .filter((one) => this.#isBelow(operationId, one))
      .sort((one, other) => other.parents.length - one.parents.length)[0];
    if (collection === undefined) return undefined;
    const table = tables.table(collection.policy.collection);
    this.#requireParents(collection, tables, call);
    return { collection, table, row: this.#row({ collection, table, call }) };
  }

  /** Whether a collection has the operation. */
  isAmong(operationId: string): boolean {
    return this.#collections.some(({ policy }) => roleOf(policy, operationId) !== undefined);
  }

  /**
   * The tag of the thing that an operation changes; `undefined` if the operation may create it.
   *
   * @throws {Refusal} if there is nothing to change
   */
  version(operationId: string, tables: Tables, call: Omit<ResourceCall, 'note'>): string | undefined {
    const { collection, operation, role } = this.#placeOf(operationId);
    this.#requireParents(collection, tables, call);
    const at = { collection, operation, table: this.#table(collection, operation, tables), call };
    const id = String(call.input[idParameter(collection.policy)]);
    const isNew = at.table.get(collection.within(call.input), id) === undefined;
    return isNew && role === 'replace' && collection.policy.upsert === true
      ? undefined
      : tagOf(JSON.stringify(this.#row(at).item));
  }

  /** Whether another thing has the value of a request. */
  isTaken(operationId: string, member: string, tables: Tables, call: Omit<ResourceCall, 'note'>): boolean {
    const { collection, operation } = this.#placeOf(operationId);
    const within = collection.within(call.input);
    const own = call.input[idParameter(collection.policy)];
    const claimOf = (body: unknown): string => uniquenessClaim({ member, within: [] }, body, () => '').within;
    const wanted = claimOf(call.input['body']);
    return this.#table(collection, operation, tables)
      .rows(within)
      .some(({ id, item }) => id !== String(own) && claimOf(item) === wanted);
  }

  #placeOf(operationId: string): Pick<At, 'collection' | 'operation'> & { readonly role: ResourceRole } {
    for (const collection of this.#collections) {
      const role = roleOf(collection.policy, operationId);
      const operation = role === undefined ? undefined : collection.operations[role];
      if (role !== undefined && operation !== undefined) return { collection, operation, role };
    }
    throw new Error(`no collection has ${operationId}`);
  }

  #table({ policy }: Collection, operation: Operation, tables: Tables): TableView {
    const deviations = this.#deviations.filter((deviation) => worksOn(deviation, operation.id));
    return replaced(deviations, 'things', tables.table(policy.collection));
  }

  #act(role: ResourceRole, at: At): LooseReply | undefined {
    switch (role) {
      case 'list':
        return this.#list(at);
      case 'create':
        return this.#create(at);
      case 'read':
        return this.#shown(at, this.#row(at), [200]);
      case 'replace':
      case 'patch':
        return this.#change(at, role);
      case 'delete': {
        const { policy } = at.collection;
        const id = String(at.call.input[idParameter(policy)]);
        if (
          policy.idempotentDelete === true &&
          at.table.get(at.collection.within(at.call.input), id) === undefined
        )
          return { status: successOf(at.operation, [204, 200, 202]) ?? 204 };
        const row = this.#row(at);
        at.table.delete(row);
        at.call.note(`deleted ${row.id}`);
        return this.#shown(at, row, [204, 200, 202], { isGone: true });
      }
    }
  }

  #list({ collection, operation, table, call }: At): LooseReply | undefined {
    const { input } = call;
    const { filters: stated = {} } = collection.policy;
    const filters = operation.parameters.flatMap(({ in: place, name }) => {
      const member = Object.hasOwn(stated, name) ? (stated[name] ?? name) : name;
      const isFilter = place === 'query' && input[name] !== undefined && collection.members.includes(member);
      return isFilter ? [{ member, wanted: input[name] }] : [];
    });
    const items = table
      .rows(collection.within(input))
      .filter((row) => isVisible(collection, row, call))
      .map((row) => this.#lifecycles.settled(collection, table, row, call.now).item)
      .filter((item) => filters.every(({ member, wanted }) => isAmong(item[member], wanted)));
    const { page, members, headers } = paged(pagesPolicyOf(operation), items, input, call.target);
    const body = collection.list(operation, page, {
      ...totals(collection, operation, items.length),
      ...members,
    });
    call.note(`${String(page.length)} of ${String(items.length)} things`);
    const counted = totalHeaders(operation, items.length);
    return body === undefined ? undefined : { status: 200, headers: { ...counted, ...headers }, body };
  }

  #create(at: At): LooseReply | undefined {
    const { collection, operation, table, call } = at;
    const { body } = call.input;
    if (body !== undefined && !isRecord(body)) return undefined;
    const whole = { ...collection.defaults(operation), ...(body as JsonObject | undefined) };
    const given = writable(collection, whole);
    const within = collection.within(call.input);
    const id = this.#newId(at, (body ?? {}) as JsonObject);
    if (table.get(within, id) !== undefined)
      throw this.#refusal(collection.policy.taken, 409, `There is already a resource with the id ${id}.`);
    if (table.size >= MOST_THINGS)
      throw this.#refusal(undefined, 507, 'This collection of the mock is full.');
    table.made += 1;
    const row = this.#stored(at, { within, id, given });
    this.#lifecycles.put(table, row, call.now);
    call.note(`created ${id}`);
    return this.#shown(at, row, [201, 200, 202]);
  }

  #change(at: At, role: 'replace' | 'patch'): LooseReply | undefined {
    const { collection, operation, table, call } = at;
    const { policy } = collection;
    const { body } = call.input;
    if (!isRecord(body)) return undefined;
    const defaults = role === 'replace' ? collection.defaults(operation) : {};
    const id = String(call.input[idParameter(policy)]);
    const within = collection.within(call.input);
    const found = table.get(within, id);
    if (found !== undefined) this.#requireOwner(collection, found, call);
    const before = found && this.#lifecycles.settled(collection, table, found, call.now);
    if (before === undefined && !(role === 'replace' && policy.upsert === true)) this.#row(at);
    const given = writable(collection, { ...defaults, ...(body as JsonObject) });
    if (before === undefined) {
      table.made += 1;
      const row = this.#stored(at, { within, id, given });
      table.put(row);
      call.note(`created ${id}`);
      return this.#shown(at, row, [201, 200, 204]);
    }
    const kept = serverMade(collection, before.item);
    const merged = (role === 'patch' ? mergePatch(before.item, given) : { ...kept, ...given }) as JsonObject;
    const item = touched(collection, { ...merged, ...idOf(collection, id) }, call.now, 'changed');
    const misfit = collection.misfit(item);
    if (misfit !== undefined) throw this.#refusal(undefined, this.#badInput(at), `${misfit}.`);
    this.#requireWay(collection, before.item, item);
    const row = { ...before, item };
    this.#lifecycles.put(table, row, call.now);
    call.note(`${role === 'patch' ? 'patched' : 'replaced'} ${id}`);
    return this.#shown(at, row, [200, 204, 201]);
  }

  #stored({ collection, table, call }: At, row: Omit<Row, 'item'> & { readonly given: JsonObject }): Row {
    const { within, id, given } = row;
    const parents = Object.fromEntries(
      Object.entries(within).filter(([name]) => collection.members.includes(name)),
    );
    const lifecycle = this.#lifecycles.of(collection);
    const state = lifecycle === undefined ? {} : { [lifecycle.property]: lifecycle.initial };
    const whole = { ...state, ...parents, ...given, ...idOf(collection, id) };
    const item = collection.completed(touched(collection, whole, call.now, 'created'), table.made, {
      sparse: true,
    });
    return { within, id, item, ...(collection.policy.otherCaller && { owner: call.caller }) };
  }

  #shown(
    { collection, operation }: At,
    row: Row,
    statuses: readonly number[],
    { isGone = false }: { readonly isGone?: boolean } = {},
  ): LooseReply | undefined {
    const status = successOf(operation, statuses) ?? statuses[0] ?? 200;
    const headers: Record<string, string> = isGone ? {} : { ETag: tagOf(JSON.stringify(row.item)) };
    const { read } = collection.operations;
    if ((status === 201 || status === 202) && read !== undefined)
      headers['Location'] = pathOf(read, collection, row);
    const isBare =
      (operation.responses.find((each) => each.status === String(status))?.content ?? []).length === 0;
    if (isBare) return { status, headers };
    const body = collection.body(operation, status, row.item, row.id);
    return body === undefined ? undefined : { status, headers, body };
  }

  #row(
    at: Pick<At, 'collection' | 'table'> & { readonly call: Pick<ResourceCall, 'input' | 'caller' | 'now'> },
  ): Row {
    const { collection, table, call } = at;
    const id = String(call.input[idParameter(collection.policy)]);
    const row = table.get(collection.within(call.input), id);
    if (row === undefined)
      throw this.#refusal(collection.policy.missing, 404, `There is no resource with the id ${id}.`);
    this.#requireOwner(collection, row, call);
    return this.#lifecycles.settled(collection, table, row, call.now);
  }

  #requireOwner(collection: Collection, row: Row, call: Pick<ResourceCall, 'caller'>): void {
    if (isVisible(collection, row, call)) return;
    // Only a status that is not the one of missing things may say that there is one.
    const { otherCaller, missing = { status: 404 } } = collection.policy;
    const says =
      otherCaller?.status === missing.status
        ? `There is no resource with the id ${row.id}.`
        : 'The resource belongs to another caller.';
    throw this.#refusal(otherCaller, 404, says);
  }

  /** Whether the path of an operation continues that of a thing. */
  #isBelow(
    operationId: string,
    { operations: { read, replace, patch, delete: remove } }: Collection,
  ): boolean {
    const path = (read ?? replace ?? patch ?? remove)?.path;
    const called = this.#contract.operations.find(({ id }) => id === operationId)?.path;
    return path !== undefined && called?.startsWith(path) === true && /^[/:]/.test(called.slice(path.length));
  }

  /** A call below the path of a thing requires the thing, if the document declares the refusal. */
  #requireThing(
    operationId: string,
    tables: Tables,
    call: Pick<ResourceCall, 'input' | 'caller' | 'now'>,
  ): void {
    const called = this.#contract.operations.find(({ id }) => id === operationId);
    for (const collection of this.#collections) {
      const { missing = { status: 404 }, otherCaller } = collection.policy;
      const declares = (status: number | undefined): boolean =>
        called?.responses.some((response) => response.status === String(status)) === true;
      const isBelow = this.#isBelow(operationId, collection);
      const table = tables.table(collection.policy.collection);
      if (isBelow && declares(missing.status)) {
        this.#requireParents(collection, tables, call);
        this.#row({ collection, table, call });
      } else if (isBelow && declares(otherCaller?.status)) {
        const row = table.get(
          collection.within(call.input),
          String(call.input[idParameter(collection.policy)]),
        );
        if (row !== undefined) this.#requireOwner(collection, row, call);
      }
    }
  }

  /** An action brings about its transition, or is refused as the sheet says; `undefined` for any other call. */
  #transition(operationId: string, tables: Tables, call: ResourceCall): LooseReply | undefined {
    const action = this.#actions.get(operationId);
    if (action === undefined) return undefined;
    const { operation, collection, policy, ways } = action;
    const at = { collection, operation, table: this.#table(collection, operation, tables), call };
    const row = this.#row(at);
    const from = String(row.item[policy.property]);
    const way = ways.find((one) => one.from === from);
    const isDeclared = operation.responses.some(({ status }) => status === '409');
    if (way === undefined && (policy.refusal !== undefined || isDeclared))
      throw this.#refusal(policy.refusal, 409, `${operationId} is not possible in the state ${from}.`);
    if (way === undefined) return this.#shown(at, row, ACTION_STATUSES);
    const item = touched(collection, { ...row.item, [policy.property]: way.to }, call.now, 'changed');
    this.#lifecycles.put(at.table, { ...row, item }, call.now);
    call.note(`${row.id}: ${from} to ${way.to}`);
    return this.#shown(at, { ...row, item }, ACTION_STATUSES);
  }

  /** A change of the state by a body follows a transition, where the sheet says how another one is refused. */
  #requireWay(collection: Collection, before: JsonObject, after: JsonObject): void {
    const policy = this.#lifecycles.of(collection);
    if (policy?.refusal === undefined) return;
    const [from, to] = [before[policy.property], after[policy.property]];
    if (from === undefined || from === to || !policy.states.includes(String(from))) return;
    if (policy.transitions.some((way) => way.from === from && way.to === to)) return;
    throw this.#refusal(policy.refusal, 409, `No transition leads from ${String(from)} to ${String(to)}.`);
  }

  /** A nested collection exists as long as its parent thing. */
  #requireParents(
    collection: Collection,
    tables: Tables,
    call: Pick<ResourceCall, 'input' | 'caller' | 'now'>,
  ): void {
    for (const name of collection.parents) {
      const parent = this.#collections.find(
        (other) => other !== collection && idParameter(other.policy) === name,
      );
      if (parent === undefined) continue;
      const id = String(call.input[name]);
      const rows = tables.table(parent.policy.collection).rows(parent.within(call.input));
      const row = rows.find((each) => each.id === id);
      if (row === undefined)
        throw this.#refusal(parent.policy.missing, 404, `There is no resource with the id ${id}.`);
      this.#requireOwner(parent, row, call);
    }
  }

  #newId({ collection, operation, table, call }: At, body: JsonObject): string {
    const { id } = collection.policy;
    const fromPath = call.input[idParameter(collection.policy)];
    if (fromPath !== undefined && operation.path.includes(`{${idParameter(collection.policy)}}`))
      return String(fromPath);
    if (id.form === 'caller' && body[id.member] !== undefined) return String(body[id.member]);
    const within = collection.within(call.input);
    let made = madeId(collection, table.made + 1);
    // With a narrow pattern, generated ids can collide.
    for (let n = 2; n < MOST_TRIES && table.get(within, made) !== undefined; n += 1)
      made = madeId(collection, table.made + n);
    return made;
  }

  #badInput({ operation }: At): number {
    const declared = operation.responses.map(({ status }) => status);
    return [422, 400].find((status) => declared.includes(String(status))) ?? 400;
  }

  #refusal(stated: SheetRefusal | undefined, usual: number, message: string): Refusal {
    return statedRefusal(this.#api, stated ?? { status: usual }, message);
  }
}

// --- internal ---

const MOST_THINGS = 50_000;

const MOST_TRIES = 20;

/** The successes of an action, in order of preference. */
const ACTION_STATUSES = [200, 204, 202];

/** The table and the thing that an operation concerns. */
interface At {
  readonly collection: Collection;
  readonly operation: Operation;
  readonly table: TableView;
  readonly call: ResourceCall;
}

/** Whether a caller may see a thing. Things without an owner were there from the beginning. */
function isVisible(
  { policy }: Collection,
  { owner }: Row,
  { caller }: Pick<ResourceCall, 'caller'>,
): boolean {
  return policy.otherCaller === undefined || owner === undefined || owner === caller;
}

/** Whether a member has the value of a filter, or one of its values. */
function isAmong(value: unknown, wanted: unknown): boolean {
  const texts = (Array.isArray(wanted) ? wanted : [wanted]).map(String);
  return (Array.isArray(value) ? value : [value]).some((each) => texts.includes(String(each)));
}
