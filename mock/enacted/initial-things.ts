import type { Collection } from './collection.ts';
import type { Counters } from './counters.ts';
import type { Lifecycles } from './lifecycles.ts';
import { referred } from './references.ts';
import type { ResourceAccess, ResourceCall } from './resource-access.ts';
import { isMadeUp, seededRows } from './seeded-rows.ts';
import type { Row, Table, Tables } from './tables.ts';

/** The things that collections have before a request creates any. */
export class InitialThings {
  readonly #collections: readonly Collection[];
  readonly #access: ResourceAccess;
  readonly #lifecycles: Lifecycles;
  readonly #counters: Counters;
  /** The places below which things have been put, by table. */
  readonly #filled = new WeakMap<Table, Set<string>>();

  constructor(
    collections: readonly Collection[],
    {
      access,
      lifecycles,
      counters,
    }: { readonly access: ResourceAccess; readonly lifecycles: Lifecycles; readonly counters: Counters },
  ) {
    this.#collections = collections;
    this.#access = access;
    this.#lifecycles = lifecycles;
    this.#counters = counters;
  }

  /** Puts the initial things into empty tables. */
  fill(tables: Tables, isWanted: (collection: string) => boolean): void {
    const wanted = this.#collections.filter(
      ({ policy, parents }) => parents.names.length === 0 && isWanted(policy.collection),
    );
    const filled = wanted.map((collection) => ({ collection, rows: this.#seed(collection, tables, {}) }));
    // A generated thing may name another one, so all of them have to be there.
    for (const { collection, rows } of filled) this.#finish(collection, tables, rows);
  }

  /**
   * A nested collection begins empty, but not one below something that is not a resource of the sheet, such as a tenant: nothing
   * could create that.
   */
  fillBelow(collection: Collection, tables: Tables, input: ResourceCall['input']): void {
    const { names } = collection.parents;
    if (names.length === 0 || names.some((name) => this.#access.parentOf(collection, name) !== undefined))
      return;
    const within = collection.parents.within(input);
    const place = JSON.stringify([collection.policy.collection, within]);
    const table = tables.table(collection.policy.collection);
    const known = this.#filled.get(table) ?? new Set<string>();
    this.#filled.set(table, known);
    if (!collection.parents.areAllIn(within) || known.has(place) || known.size >= MOST_FILLED) return;
    known.add(place);
    const isUsed = table.all().some((row) => names.every((name) => row.within[name] === within[name]));
    for (const other of this.#collections) if (other !== collection) this.fillBelow(other, tables, within);
    if (!isUsed) this.#finish(collection, tables, this.#seed(collection, tables, within));
  }

  #seed(collection: Collection, tables: Tables, within: Row['within']): readonly Row[] {
    const table = tables.table(collection.policy.collection);
    const rows = seededRows(collection, { within, made: table.made });
    for (const row of rows) {
      table.made += 1;
      table.put(row);
    }
    return rows;
  }

  /** Gives generated things references to others, and a past. */
  #finish(collection: Collection, tables: Tables, rows: readonly Row[]): void {
    if (!isMadeUp(collection)) return;
    for (const row of rows) {
      const named = referred(row, collection, this.#collections, tables);
      const lived = this.#lifecycles.history(collection)?.past(named) ?? named;
      const item = this.#counters.started(collection, lived);
      tables.table(collection.policy.collection).put({ ...row, item });
    }
  }
}

// --- internal ---

/** The most places below which initial things are put. */
const MOST_FILLED = 100;
