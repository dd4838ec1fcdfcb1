import type { Contract, Operation } from '../../contract/model.ts';
import { idParameter } from '../../contract/policies/resource.ts';
import { type Refusal, statedRefusal } from '../../engine/refusal.ts';
import type { ServedApi, SheetRefusal } from '../../engine/served-api.ts';
import type { Collection } from './collection.ts';
import type { Lifecycles } from './lifecycles.ts';
import type { Row, Tables, TableView } from './tables.ts';

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

/** The table and the thing that an operation concerns. */
export interface At {
  readonly collection: Collection;
  readonly operation: Operation;
  readonly table: TableView;
  readonly call: ResourceCall;
}

/** Which things exist for a call, and how any other one is refused. */
export class ResourceAccess {
  readonly #api: ServedApi;
  readonly #contract: Contract;
  readonly #collections: readonly Collection[];
  readonly #lifecycles: Lifecycles;

  constructor(
    contract: Contract,
    api: ServedApi,
    {
      collections,
      lifecycles,
    }: { readonly collections: readonly Collection[]; readonly lifecycles: Lifecycles },
  ) {
    this.#contract = contract;
    this.#api = api;
    this.#collections = collections;
    this.#lifecycles = lifecycles;
  }

  /** @throws {Refusal} if the thing does not exist, or belongs to another caller */
  row(
    at: Pick<At, 'collection' | 'table'> & { readonly call: Pick<ResourceCall, 'input' | 'caller' | 'now'> },
  ): Row {
    const { collection, table, call } = at;
    const id = String(call.input[idParameter(collection.policy)]);
    const row = collection.find(table, call.input);
    if (row === undefined) {
      this.requireNotGone(at);
      throw this.refusal(collection.policy.missing, 404, `There is no resource with the id ${id}.`);
    }
    this.requireOwner(collection, row, call);
    return this.#lifecycles.settled(collection, table, row, call.now);
  }

  /** @throws {Refusal} if the thing was deleted, and the sheet states how it is refused then */
  requireNotGone({
    collection,
    table,
    call,
  }: Pick<At, 'collection' | 'table'> & { readonly call: Pick<ResourceCall, 'input' | 'caller'> }): void {
    const { gone } = collection.policy;
    const row = gone && collection.findGone(table, call.input);
    if (row === undefined) return;
    this.requireOwner(collection, row, call);
    throw this.refusal(gone, 410, `The resource with the id ${row.id} was deleted.`);
  }

  /** @throws {Refusal} if a caller may not see the thing */
  requireOwner(collection: Collection, row: Row, call: Pick<ResourceCall, 'caller' | 'input'>): void {
    if (isVisible(collection, row, call)) return;
    // Only a status that is not the one of missing things may say that there is one.
    const { otherCaller, missing = { status: 404 } } = collection.policy;
    const says =
      otherCaller?.status === missing.status
        ? `There is no resource with the id ${row.id}.`
        : 'The resource belongs to another caller.';
    throw this.refusal(otherCaller, 404, says);
  }

  /** Whether the path of an operation continues that of a thing. */
  isBelow(operationId: string, { path }: Collection): boolean {
    const called = this.#contract.operations.find(({ id }) => id === operationId)?.path;
    return path !== undefined && called?.startsWith(path) === true && /^[/:]/.test(called.slice(path.length));
  }

  /** A call below the path of a thing requires the thing, if the document declares the refusal. */
  requireThing(
    operationId: string,
    tables: Tables,
    call: Pick<ResourceCall, 'input' | 'caller' | 'now'>,
  ): void {
    const called = this.#contract.operations.find(({ id }) => id === operationId);
    for (const collection of this.#collections) {
      const { missing = { status: 404 }, otherCaller } = collection.policy;
      const declares = (status: number | undefined): boolean =>
        called?.responses.some((response) => response.status === String(status)) === true;
      const isBelow = this.isBelow(operationId, collection);
      const { gone } = collection.policy;
      const table = tables.table(collection.policy.collection);
      if (isBelow && declares(gone?.status)) this.requireNotGone({ collection, table, call });
      if (isBelow && declares(missing.status)) {
        this.requireParents(collection, tables, call);
        this.row({ collection, table, call });
      } else if (isBelow && declares(otherCaller?.status)) {
        const row = collection.find(table, call.input);
        if (row !== undefined) this.requireOwner(collection, row, call);
      }
    }
  }

  /** A nested collection exists as long as its parent thing. */
  requireParents(
    collection: Collection,
    tables: Tables,
    call: Pick<ResourceCall, 'input' | 'caller' | 'now'>,
  ): void {
    for (const name of collection.parents.names) {
      const parent = this.parentOf(collection, name);
      if (parent === undefined || call.input[name] === undefined) continue;
      const id = String(call.input[name]);
      const table = tables.table(parent.policy.collection);
      const row = table.rows(parent.parents.within(call.input)).find((each) => each.id === id);
      if (row === undefined) {
        this.requireNotGone({ collection: parent, table, call });
        throw this.refusal(parent.policy.missing, 404, `There is no resource with the id ${id}.`);
      }
      this.requireOwner(parent, row, call);
    }
  }

  /** The collection above another one: that of the things at the path so far, else one with the name of the parameter. */
  parentOf(collection: Collection, name: string): Collection | undefined {
    const path = collection.parents.pathOf(name);
    const others = this.#collections.filter((other) => other !== collection);
    return (
      others.find((other) => path !== undefined && other.path === path) ??
      others.find((other) => idParameter(other.policy) === name)
    );
  }

  /** The refusal that the sheet states, or the usual one. */
  refusal(stated: SheetRefusal | undefined, usual: number, message: string): Refusal {
    return statedRefusal(this.#api, stated ?? { status: usual }, message);
  }
}

/** Whether a caller may see a thing. Things without an owner were there from the beginning. */
export function isVisible(
  { policy }: Collection,
  { owner }: Row,
  call: Pick<ResourceCall, 'caller' | 'input'>,
): boolean {
  return policy.otherCaller === undefined || owner === undefined || owner === ownerOf(policy, call);
}

/** To whom the things of a call belong: to its caller, or to the value of the parameter that the sheet names. */
export function ownerOf(
  { owner }: Pick<Collection['policy'], 'owner'>,
  { caller, input }: Pick<ResourceCall, 'caller' | 'input'>,
): string {
  return owner === undefined ? caller : JSON.stringify(input[owner] ?? null);
}
