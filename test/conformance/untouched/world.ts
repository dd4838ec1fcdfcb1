/** What a server keeps of one thing. */
export type Thing = Readonly<Record<string, unknown>>;

/** Things by table and key. */
export type Tables = Readonly<Record<string, Readonly<Record<string, Thing>>>>;

/** How a server names what it makes. */
export type Naming = 'integer' | 'prefixed' | 'uuid';

/** A thing that was made after the beginning. */
export interface Newcomer {
  readonly place: string;
  /** The operation that made it. */
  readonly operation: string;
  /** Its path below the base URL; absent if its answer shows nothing that could be its id. */
  readonly address?: string;
}

/**
 * All that a server keeps. It knows its state at the beginning, and who made what since then. A place is
 * `table/key`, such as `users/3`.
 */
export class World {
  readonly #tables = new Map<string, Map<string, Thing>>();
  readonly #before = new Map<string, string>();
  readonly #newcomers = new Map<string, Newcomer>();
  /** What cannot be undone, such as a mail. */
  readonly happened: string[] = [];
  readonly #naming: Naming;
  #named = 0;

  constructor(tables: Tables, naming: Naming) {
    this.#naming = naming;
    for (const [table, things] of Object.entries(tables)) {
      this.#tables.set(table, new Map(Object.entries(things)));
      for (const [key, thing] of Object.entries(things))
        this.#before.set(`${table}/${key}`, JSON.stringify(thing));
    }
  }

  all(table: string): readonly Thing[] {
    return [...this.#table(table).values()];
  }

  keys(table: string): readonly string[] {
    return [...this.#table(table).keys()];
  }

  get(table: string, key: string): Thing | undefined {
    return this.#table(table).get(key);
  }

  /** Makes a thing that was not there. */
  make(table: string, key: string, thing: Thing, by: Omit<Newcomer, 'place'>): void {
    const place = `${table}/${key}`;
    if (!this.#before.has(place)) this.#newcomers.set(place, { place, ...by });
    this.#table(table).set(key, thing);
  }

  /** Merges members into a thing that is there. */
  change(table: string, key: string, members: Thing): void {
    this.#table(table).set(key, { ...this.get(table, key), ...members });
  }

  remove(table: string, key: string): void {
    this.#table(table).delete(key);
  }

  /** The next free id of a table. Ids of integers begin behind those of the table, so that those of two tables collide. */
  nextId(table: string): string | number {
    this.#named += 1;
    if (this.#naming === 'prefixed') return `${table.slice(0, 3)}_n${String(this.#named)}`;
    if (this.#naming === 'uuid') return `9b2e4c1a-0000-4000-8000-${String(this.#named).padStart(12, '0')}`;
    const taken = [...this.#before.keys(), ...this.#newcomers.keys()]
      .filter((place) => place.startsWith(`${table}/`))
      .map((place) => Number(place.slice(table.length + 1)));
    return Math.max(0, ...taken.filter(Number.isInteger)) + 1;
  }

  /** The newcomer that this object is. */
  placeOf(thing: unknown): string | undefined {
    return this.newcomers().find(({ place }) => this.get(...split(place)) === thing)?.place;
  }

  /** The places of the beginning that are gone or differ, each with what is there now; and what has happened. */
  touched(): readonly string[] {
    const changed = [...this.#before].flatMap(([place, before]) => {
      const now = JSON.stringify(this.get(...split(place)));
      return now === before ? [] : [`${place}: ${before} → ${now ?? 'gone'}`];
    });
    return [...changed, ...this.happened.map((what, index) => `${what} (${String(index + 1)})`)];
  }

  /** What was made since the beginning and is still there. */
  newcomers(): readonly Newcomer[] {
    return [...this.#newcomers.values()].filter(({ place }) => this.get(...split(place)) !== undefined);
  }

  #table(name: string): Map<string, Thing> {
    const table = this.#tables.get(name) ?? new Map<string, Thing>();
    this.#tables.set(name, table);
    return table;
  }
}

// --- internal ---

function split(place: string): readonly [string, string] {
  const at = place.indexOf('/');
  return [place.slice(0, at), place.slice(at + 1)];
}
