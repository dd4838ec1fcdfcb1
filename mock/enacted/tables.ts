import type { Form } from '../../contract/index.ts';
import type { JsonObject } from '../../contract/model.ts';
import { changeOf, type StateChange, type RecordChange } from '../state/durable-state.ts';

/** A thing of a collection. */
export interface Row {
  /** The values of the other path parameters, for a collection below another one. */
  readonly within: Readonly<Record<string, string>>;
  readonly id: string;
  readonly item: JsonObject;
}

/** The forms of the changes of a table, by their part. */
export const tableChanges: Readonly<Record<string, Form>> = {
  'own.table': changeOf({ api: 'string', collection: 'string', made: 'number' }),
  'own.item': changeOf({
    api: 'string',
    collection: 'string',
    within: { mapOf: 'string' },
    id: 'string',
    item: { nullOr: { mapOf: 'anything' } },
    made: 'number',
  }),
};

/** The things of one collection, in the order in which they came. */
export class Table {
  readonly #rows = new Map<string, Row>();
  readonly #told: (row: Omit<Row, 'item'>, item: JsonObject | null) => void;
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
    return [...this.#rows.values()].filter((row) =>
      wanted.every(([name, value]) => row.within[name] === value),
    );
  }

  get(within: Row['within'], id: string): Row | undefined {
    return this.#rows.get(placeOf(within, id));
  }

  put(row: Row): void {
    this.#rows.set(placeOf(row.within, row.id), row);
    this.#told(row, row.item);
  }

  delete({ within, id }: Omit<Row, 'item'>): void {
    if (this.#rows.delete(placeOf(within, id))) this.#told({ within, id }, null);
  }

  clear(): void {
    this.#rows.clear();
  }
}

/** The things of a collection, as an operation on them sees them. */
export type TableView = Pick<Table, 'size' | 'made' | 'rows' | 'get' | 'put' | 'delete'>;

/** All tables of one API. */
export class Tables {
  readonly #api: string;
  readonly #keep: RecordChange | undefined;
  readonly #tables = new Map<string, Table>();
  #isSilent = false;

  constructor(api: string, collections: readonly string[], keep: RecordChange | undefined) {
    this.#api = api;
    this.#keep = keep;
    for (const collection of collections) this.#add(collection);
  }

  get collections(): readonly string[] {
    return [...this.#tables.keys()];
  }

  table(collection: string): Table {
    return this.#tables.get(collection) ?? this.#add(collection);
  }

  /** The changes that make these tables, whatever was in them. */
  *changes(): Generator<StateChange> {
    const api = this.#api;
    for (const [collection, table] of this.#tables) {
      yield { part: 'own.table', api, collection, made: table.made };
      for (const row of table.rows()) yield { part: 'own.item', api, collection, ...row, made: table.made };
    }
  }

  /** Makes a change; those of other contracts and of other parts are left alone. */
  restore(change: StateChange): void {
    const { part, collection } = change;
    if ((part !== 'own.table' && part !== 'own.item') || change['api'] !== this.#api) return;
    const table = this.table(String(collection));
    table.made = Number(change['made']);
    if (part === 'own.table') table.clear();
    else {
      const { within, id, item } = change as unknown as Row & { readonly item: JsonObject | null };
      this.silently(() => {
        if (item === null) table.delete({ within, id });
        else table.put({ within, id, item });
      });
    }
  }

  /** Makes a change without recording it, because a fresh state contains it as well. */
  silently(act: () => void): void {
    this.#isSilent = true;
    act();
    this.#isSilent = false;
  }

  #add(collection: string): Table {
    const table: Table = new Table((row, item) => {
      if (this.#isSilent) return;
      const { within, id } = row;
      this.#keep?.({ part: 'own.item', api: this.#api, collection, within, id, item, made: table.made });
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
