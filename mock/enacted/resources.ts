import { isRecord } from '../../contract/index.ts';
import { isJson } from '../../contract/judge/body-format.ts';
import type { Misfit } from '../../contract/judge/judge.ts';
import type { Contract, JsonObject, Operation } from '../../contract/model.ts';
import { countsThing, type BoundedThings } from '../../contract/policies/capacity.ts';
import { idParameter, mergePatch, roleOf, type ResourceRole } from '../../contract/policies/resource.ts';
import { uniquenessClaim } from '../../contract/policies/uniqueness.ts';
import type { LooseReply } from '../../engine/handler.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import { type Action, actionsOf } from './actions.ts';
import { Collection } from './collection.ts';
import { badInput, successOf } from './declared-answers.ts';
import type { WatchedThing } from './event-streams.ts';
import { tagOf } from './hash.ts';
import { Counters } from './counters.ts';
import { jsonPatched, PatchFault } from './json-patch.ts';
import { listed } from './lists.ts';
import { createdMany } from './many-things.ts';
import { NewThings } from './new-things.ts';
import { type At, ownerOf, ResourceAccess, type ResourceCall } from './resource-access.ts';
import type { Lifecycles } from './lifecycles.ts';
import { ACTION_STATUSES, shownThing } from './shown-thing.ts';
import { atEnd, requireWay, transitioned } from './transitions.ts';
import { InitialThings } from './initial-things.ts';
import { replaced, worksOn, type Replacing } from '../deviations/replacements.ts';
import type { Tables, TableView } from './tables.ts';
import { idOf, serverMade, touched, writable } from './thing.ts';

/** The collections of a contract: the effect of its operations on the things in their tables. */
export class Resources {
  readonly #access: ResourceAccess;
  readonly #collections: readonly Collection[];
  readonly #deviations: readonly Replacing[];
  readonly #lifecycles: Lifecycles;
  readonly #newThings: NewThings;
  readonly #counters: Counters;
  readonly #initial: InitialThings;
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
    this.#collections = (contract.sheet?.policies ?? []).flatMap((policy) =>
      policy.kind === 'resource' ? [new Collection(contract, policy, seed)] : [],
    );
    this.#lifecycles = lifecycles;
    this.#access = new ResourceAccess(contract, api, { collections: this.#collections, lifecycles });
    this.#counters = new Counters(this.#collections, this.#access, lifecycles);
    const { access, counters } = { access: this.#access, counters: this.#counters };
    this.#newThings = new NewThings(api, { access, lifecycles, counters });
    this.#initial = new InitialThings(this.#collections, { access, lifecycles, counters });
    this.#actions = actionsOf(contract, this.#collections, lifecycles);
  }

  get names(): readonly string[] {
    return this.#collections.map(({ policy }) => policy.collection);
  }

  /** The path parameters of an existing thing, for an operation of its collection. */
  pathOfSome(operationId: string, tables: Tables): Readonly<Record<string, string>> {
    const collection = this.#collections.find(({ policy }) => roleOf(policy, operationId) !== undefined);
    const row = collection && tables.table(collection.policy.collection).rows()[0];
    return collection === undefined || row === undefined
      ? {}
      : collection.parents.pathValues(operationId, row);
  }

  /** Puts the initial things into empty tables. */
  fill(tables: Tables, isWanted: (collection: string) => boolean = () => true): void {
    this.#initial.fill(tables, isWanted);
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
      const own = { ...call, input: collection.parents.inputOf(operation, call.input) };
      this.#access.requireParents(collection, tables, own);
      this.#initial.fillBelow(collection, tables, own.input);
      const table = this.#table(collection, operation, tables);
      const reply = this.#act(role, { collection, operation, table, call: own });
      if (role !== 'read' && role !== 'list') this.#counters.recount(collection, tables);
      return reply;
    }
    this.#access.requireThing(operationId, tables, call);
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
      .filter((one) => this.#access.isBelow(operationId, one))
      .sort((one, other) => depthOf(other) - depthOf(one))[0];
    if (collection === undefined) return undefined;
    const table = tables.table(collection.policy.collection);
    this.#access.requireParents(collection, tables, call);
    return { collection, table, row: this.#access.row({ collection, table, call }) };
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
    const own = { ...call, input: collection.parents.inputOf(operation, call.input) };
    this.#access.requireParents(collection, tables, own);
    const at = { collection, operation, table: this.#table(collection, operation, tables), call: own };
    const isNew = collection.find(at.table, own.input) === undefined;
    return isNew && role === 'replace' && collection.policy.upsert === true
      ? undefined
      : tagOf(JSON.stringify(this.#access.row(at).item));
  }

  /** What is wrong with a request that creates several things, apart from the things. */
  judgedList(operationId: string, body: unknown): readonly Misfit[] {
    const { collection, operation } = this.#placeOf(operationId);
    return collection.judgedThings(operation, body).others;
  }

  /** Whether another thing has the value of a request. */
  isTaken(operationId: string, member: string, tables: Tables, call: Omit<ResourceCall, 'note'>): boolean {
    const { collection, operation } = this.#placeOf(operationId);
    const input = collection.parents.inputOf(operation, call.input);
    const within = collection.parents.within(input);
    const own = input[idParameter(collection.policy)];
    const claimOf = (body: unknown): string => uniquenessClaim({ member, within: [] }, body, () => '').within;
    const wanted = claimOf(call.input['body']);
    return this.#table(collection, operation, tables)
      .rows(within)
      .some(({ id, item }) => id !== String(own) && claimOf(item) === wanted);
  }

  /** How many things of a caller exist that count towards a bound. Those from the beginning have no owner. */
  existing(
    operationId: string,
    bound: BoundedThings,
    tables: Tables,
    call: Pick<ResourceCall, 'caller' | 'input' | 'now'>,
  ): number {
    const { collection, operation } = this.#placeOf(operationId);
    const { policy } = collection;
    const table = this.#table(collection, operation, tables);
    const property = this.#lifecycles.of(collection)?.property;
    return table
      .rows()
      .filter(({ owner }) => owner === ownerOf(policy, call))
      .map((row) => this.#lifecycles.settled(collection, table, row, call.now))
      .filter(({ item }) => countsThing(bound, property === undefined ? undefined : item[property])).length;
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
        return listed(at, this.#lifecycles);
      case 'create':
        return this.#create(at);
      case 'createMany':
        return createdMany(at, this.#newThings);
      case 'read':
        return shownThing(at, this.#access.row(at), [200]);
      case 'replace':
      case 'patch':
        return this.#change(at, role);
      case 'delete': {
        const isGone = at.collection.find(at.table, at.call.input) === undefined;
        if (at.collection.policy.idempotentDelete === true && isGone)
          return { status: successOf(at.operation, [204, 200, 202]) ?? 204 };
        const row = this.#access.row(at);
        at.table.delete(row, at.collection.keepsGone);
        at.call.note(`deleted ${row.id}`);
        return shownThing(at, row, [204, 200, 202], { isGone: true });
      }
      case 'restore':
        return this.#restore(at);
    }
  }

  #create(at: At): LooseReply | undefined {
    const { body } = at.call.input;
    // What is not JSON, such as a file, says nothing of the members of the thing.
    const isJsonBody = at.operation.requestBody?.content.some(({ mediaType }) => isJson(mediaType)) === true;
    if (body !== undefined && !isRecord(body) && isJsonBody) return undefined;
    const row = this.#newThings.create(at, (isRecord(body) ? body : {}) as JsonObject);
    at.call.note(`created ${row.id}`);
    return shownThing(at, row, [201, 200, 202]);
  }

  #change(at: At, role: 'replace' | 'patch'): LooseReply | undefined {
    const { collection, operation, table, call } = at;
    const { policy } = collection;
    const { body } = call.input;
    const isPatch = role === 'patch' && Array.isArray(body);
    if (!isRecord(body) && !isPatch) return undefined;
    const defaults = role === 'replace' ? collection.defaults(operation) : {};
    const id = String(call.input[idParameter(policy)]);
    const within = collection.parents.within(call.input);
    const found = collection.find(table, call.input);
    if (found !== undefined) this.#access.requireOwner(collection, found, call);
    const before = found && this.#lifecycles.settled(collection, table, found, call.now);
    if (before === undefined && !(role === 'replace' && policy.upsert === true)) this.#access.row(at);
    const given = isPatch ? {} : writable(collection, { ...defaults, ...(body as JsonObject) });
    if (before === undefined) {
      this.#access.requireNotGone(at);
      const row = this.#newThings.complete(at, { within, id, given });
      table.put(row);
      call.note(`created ${id}`);
      return shownThing(at, row, [201, 200, 204]);
    }
    // What the body of a request cannot contain is the server's own.
    const kept = { ...serverMade(collection, before.item), ...collection.unsent(operation, before.item) };
    const merged = isPatch
      ? {
          ...this.#patched(at, before.item, body as readonly unknown[]),
          ...serverMade(collection, before.item),
        }
      : ((role === 'patch' ? mergePatch(before.item, given) : { ...kept, ...given }) as JsonObject);
    const lifecycle = this.#lifecycles.of(collection);
    const whole = { ...merged, ...atEnd(lifecycle, before.item), ...idOf(collection, id) };
    const item = this.#counters.counted(collection, touched(collection, whole, call.now, 'changed'));
    const misfit = collection.misfit(item);
    if (misfit !== undefined) throw this.#access.refusal(undefined, badInput(at.operation), `${misfit}.`);
    requireWay(lifecycle, before.item, item, this.#access);
    const row = { ...before, item };
    this.#lifecycles.put(table, row, call.now);
    call.note(`${role === 'patch' ? 'patched' : 'replaced'} ${id}`);
    return shownThing(at, row, [200, 204, 201]);
  }

  /** @throws {Refusal} if a step of the patch cannot be taken (RFC 5789, section 2.2) */
  #patched({ operation }: At, item: JsonObject, steps: readonly unknown[]): JsonObject {
    try {
      const patched = jsonPatched(item, steps);
      if (isRecord(patched)) return patched as JsonObject;
      throw new PatchFault('the whole thing would be replaced');
    } catch (error) {
      if (!(error instanceof PatchFault)) throw error;
      const declared = operation.responses.map(({ status }) => status);
      const status = [409, 422, 400].find((one) => declared.includes(String(one))) ?? 409;
      throw this.#access.refusal(undefined, status, `The patch cannot be applied: ${error.message}.`);
    }
  }

  /** A thing that is not deleted is refused if the document declares 409, else it is left as it is. */
  #restore(at: At): LooseReply | undefined {
    const { collection, operation, table, call } = at;
    const gone = collection.findGone(table, call.input);
    if (gone === undefined) {
      const row = this.#access.row(at);
      if (operation.responses.some(({ status }) => status === '409'))
        throw this.#access.refusal(undefined, 409, `The resource with the id ${row.id} is not deleted.`);
      return shownThing(at, row, ACTION_STATUSES);
    }
    this.#access.requireOwner(collection, gone, call);
    const { isGone: _, ...row } = gone;
    const back = { ...row, item: touched(collection, row.item, call.now, 'changed') };
    this.#lifecycles.put(table, back, call.now);
    call.note(`restored ${row.id}`);
    return shownThing(at, back, ACTION_STATUSES);
  }

  /** An action brings about its transition, or is refused as the sheet says; `undefined` for any other call. */
  #transition(operationId: string, tables: Tables, call: ResourceCall): LooseReply | undefined {
    const action = this.#actions.get(operationId);
    if (action === undefined) return undefined;
    const { operation, collection } = action;
    const own = { ...call, input: collection.parents.ofThing(operation, call.input) };
    const at = { collection, operation, table: this.#table(collection, operation, tables), call: own };
    return transitioned(action, at, this.#access, this.#lifecycles);
  }
}

// --- internal ---

/** How deep the paths of things are. */
function depthOf({ operations: { read, replace, patch, delete: remove } }: Collection): number {
  return (read ?? replace ?? patch ?? remove)?.path.split('/').length ?? 0;
}
