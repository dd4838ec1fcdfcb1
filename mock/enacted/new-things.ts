import type { JsonObject } from '../../contract/model.ts';
import { policyFor } from '../../contract/index.ts';
import { uniquenessClaim } from '../../contract/policies/uniqueness.ts';
import { statedRefusal } from '../../engine/refusal.ts';
import type { ServedApi } from '../../engine/served-api.ts';
import type { Collection } from './collection.ts';
import type { Counters } from './counters.ts';
import type { Lifecycles } from './lifecycles.ts';
import { newId } from './new-id.ts';
import { type At, ownerOf, type ResourceAccess } from './resource-access.ts';
import type { Row } from './tables.ts';
import { idOf, touched, writable } from './thing.ts';

/** Creates things, by themselves or beside others. */
export class NewThings {
  readonly #api: ServedApi;
  readonly #access: ResourceAccess;
  readonly #lifecycles: Lifecycles;
  readonly #counters: Counters;

  constructor(
    api: ServedApi,
    {
      access,
      lifecycles,
      counters,
    }: { readonly access: ResourceAccess; readonly lifecycles: Lifecycles; readonly counters: Counters },
  ) {
    this.#api = api;
    this.#counters = counters;
    this.#access = access;
    this.#lifecycles = lifecycles;
  }

  /**
   * Stores a thing under an id of its own.
   *
   * @throws {Refusal} if its id or one of its unique values is already in use
   */
  create(at: At, body: JsonObject): Row {
    const { collection, operation, table, call } = at;
    const given = writable(collection, { ...collection.defaults(operation), ...body });
    const within = collection.parents.within(call.input);
    const id = newId(at, body);
    if (table.get(within, id) !== undefined)
      throw this.#access.refusal(
        collection.policy.taken,
        409,
        `There is already a resource with the id ${id}.`,
      );
    if (table.size >= MOST_THINGS)
      throw this.#access.refusal(undefined, 507, 'This collection of the mock is full.');
    const row = this.complete(at, { within, id, given });
    this.#lifecycles.put(table, row, call.now);
    return row;
  }

  /** A thing with what the server adds: parents, state, times, owner. It is not yet stored. */
  complete({ collection, table, call }: At, row: Omit<Row, 'item'> & { readonly given: JsonObject }): Row {
    const { within, id, given } = row;
    table.made += 1;
    const parents = Object.fromEntries(
      Object.entries(within).filter(([name]) => collection.members.includes(name)),
    );
    const lifecycle = this.#lifecycles.of(collection);
    const state = lifecycle === undefined ? {} : { [lifecycle.property]: lifecycle.initial };
    const whole = { ...state, ...parents, ...given, ...idOf(collection, id) };
    const item = collection.completed(touched(collection, whole, call.now, 'created'), table.made, {
      sparse: true,
    });
    const begun = this.#lifecycles.history(collection)?.begun(item, call.now) ?? item;
    return {
      within,
      id,
      item: this.#counters.started(collection, begun),
      ...(hasOwners(collection) && { owner: ownerOf(collection.policy, call) }),
    };
  }

  /**
   * The engine checks unique values of a whole body, and not those of the things in a list.
   *
   * @throws {Refusal} if another thing has a value that the creation of one thing keeps unique
   */
  requireFree({ collection, table, call }: At, body: JsonObject): void {
    const single = this.#api.operations.find(({ id }) => id === collection.policy.operations.create);
    for (const { member, refusal } of single?.unique ?? []) {
      const claimOf = (value: JsonObject): string =>
        uniquenessClaim({ member, within: [] }, value, () => '').within;
      const rows = table.rows(collection.parents.within(call.input));
      if (rows.some(({ item }) => claimOf(item) === claimOf(body)))
        throw statedRefusal(this.#api, refusal, `${member} is given already.`);
    }
  }
}

// --- internal ---

const MOST_THINGS = 50_000;

/** Whether the things belong to callers, or are counted by caller. */
function hasOwners({ policy, operations: { create } }: Collection): boolean {
  return policy.otherCaller !== undefined || (create && policyFor(create, 'capacity'))?.things !== undefined;
}
