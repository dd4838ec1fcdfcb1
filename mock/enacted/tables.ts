import type { Formed } from '../../contract/form.ts';
import type { JsonObject } from '../../contract/model.ts';
import { changeOf, type ChangeOf } from '../state/durable-state.ts';

/** A thing of a collection. */
export interface Row {
  /** The values of the other path parameters, for a nested collection. */
  readonly within: Readonly<Record<string, string>>;
  readonly id: string;
  readonly item: JsonObject;
  /** The caller to which it belongs, where things belong to callers. */
  readonly owner?: string;
  /** Whether it is deleted, where deleted things are distinguished from those that never existed. */
  readonly isGone?: boolean;
}

/** The forms of the changes of a table, by part. */
export const tableChanges = {
  'own.table': changeOf({ api: 'string', collection: 'string', made: 'number' }),
  'own.item': changeOf(
    {
      api: 'string',
      collection: 'string',
      within: { mapOf: 'string' },
      id: 'string',
      item: { nullOr: { mapOf: 'anything' } },
      made: 'number',
    },
    { owner: 'string', isGone: 'boolean' },
  ),
};

type TableChange = ChangeOf<typeof tableChanges>;

/** The things of one collection, in insertion order. */
export class Table {
  readonly #rows = new Map<string, Row>();
  readonly #told: (row: Omit<Row, 'item'>, item: JsonObject | null) => void;
  readonly #watchers = new Set<(row: Omit<Row, 'item'> | undefined) => void>();
  /** The number of things created so far, from which the next id is made. */
  made = 0;

  constructor(told: (row: Omit<Row, 'item'>, item: JsonObject | null) => void = () => undefined) {
    this.#told = told;
  }

  get size(): number {
    return this.#rows.size;
  }

  rows(within: Row['within'] = {}): readonly Row[] {
    const wanted = Object.entries(within);
    return this.all().filter(
      (row) => row.isGone !== true && wanted.every(([name, value]) => row.within[name] === value),
    );
  }

  /** The things, with the deleted ones that are kept. */
  all(): readonly Row[] {
    return [...this.#rows.values()];
  }

  get(within: Row['within'], id: string): Row | undefined {
    const row = this.#rows.get(placeOf(within, id));
    return row?.isGone === true ? undefined : row;
  }

  /** A deleted thing that is kept. */
  gone(within: Row['within'], id: string): Row | undefined {
    const row = this.#rows.get(placeOf(within, id));
    return row?.isGone === true ? row : undefined;
  }

  put(row: Row): void {
    this.#rows.set(placeOf(row.within, row.id), row);
    this.#told(row, row.item);
    this.#notify(row);
  }

  /** @param isKept whether the thing can still be told from one that never existed */
  delete({ within, id }: Omit<Row, 'item'>, isKept = false): void {
    const place = placeOf(within, id);
    const row = this.#rows.get(place);
    if (row === undefined) return;
    const gone = { ...row, isGone: true };
    if (isKept) this.#rows.set(place, gone);
    else this.#rows.delete(place);
    if (isKept) this.#told(gone, gone.item);
    else this.#told({ within, id }, null);
    this.#notify({ within, id });
  }

  clear(): void {
    this.#rows.clear();
    this.#notify(undefined);
  }

  /**
   * Calls back with each thing that is stored or deleted, and with `undefined` for all of them.
   *
   * @returns ends the calls
   */
  watch(watcher: (row: Omit<Row, 'item'> | undefined) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #notify(row: Omit<Row, 'item'> | undefined): void {
    for (const watcher of this.#watchers) watcher(row);
  }
}

/** The things of a collection, as an operation on them sees them. */
export type TableView = Pick<Table, 'size' | 'made' | 'rows' | 'get' | 'gone' | 'put' | 'delete'>;

/** All tables of one API. */
export class Tables {
  readonly #api: string;
  readonly #tables = new Map<string, Table>();
  #tell: ((change: TableChange) => void) | undefined;

  constructor(api: string, collections: readonly string[]) {
    this.#api = api;
    for (const collection of collections) this.#add(collection);
  }

  get collections(): readonly string[] {
    return [...this.#tables.keys()];
  }

  table(collection: string): Table {
    return this.#tables.get(collection) ?? this.#add(collection);
  }

  /** Calls back with each change from now on. */
  watch(tell: (change: TableChange) => void): void {
    this.#tell = tell;
  }

  /** The changes that produce these tables from any earlier content. */
  *changes(): Generator<TableChange> {
    const api = this.#api;
    for (const [collection, table] of this.#tables) {
      const { made } = table;
      yield { part: 'own.table', api, collection, made };
      for (const row of table.all()) yield { part: 'own.item', api, collection, ...row, made };
    }
  }

  /** Empties a table, for a change; changes of other contracts are ignored. */
  clear({ api, collection, made }: Formed<(typeof tableChanges)['own.table']>): void {
    if (api !== this.#api) return;
    const table = this.table(collection);
    table.made = made;
    table.clear();
  }

  /** Stores or deletes a thing, for a change; changes of other contracts are ignored. */
  change(change: Formed<(typeof tableChanges)['own.item']>): void {
    const { api, collection, within, id, item, owner, isGone, made } = change;
    if (api !== this.#api) return;
    const table = this.table(collection);
    table.made = made;
    if (item === null) table.delete({ within, id });
    else
      table.put({
        ...{ within, id, item: item as JsonObject },
        ...(owner === undefined ? {} : { owner }),
        ...(isGone === true ? { isGone } : {}),
      });
  }

  #add(collection: string): Table {
    const table: Table = new Table((row, item) => {
      const { made } = table;
      this.#tell?.({ part: 'own.item', api: this.#api, collection, ...row, item, made });
    });
    this.#tables.set(collection, table);
    return table;
  }
}

// --- internal ---

function placeOf(within: Row['within'], id: string): string {
  const names = Object.keys(within).sort();
  return JSON.stringify([...names.map((name) => [name, within[name]]), id]);
}
