/**
 * Keys and what is known of them, in memory. Reading and writing without waiting in between is atomic: there
 * is one thread.
 */
export class KeyStore<Entry> {
  readonly #entries = new Map<string, Entry>();
  readonly #isExpired: (entry: Entry, now: number) => boolean;
  #writes = 0;
  #sweptAt = 0;
  #tell: (id: string, entry: Entry | undefined) => void = () => undefined;

  constructor(isExpired: (entry: Entry, now: number) => boolean) {
    this.#isExpired = isExpired;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** `undefined` forgets the key. */
  set(id: string, entry: Entry | undefined, now: number): void {
    if (entry === undefined) this.#entries.delete(id);
    else this.#entries.set(id, entry);
    this.#tell(id, entry);
    this.#writes += 1;
    if (this.#writes % SWEEP_EVERY === 0 || now - this.#sweptAt >= SWEEP_AFTER_MS) this.#sweep(now);
  }

  /** Calls back with each entry that is set from now on. */
  watch(tell: (id: string, entry: Entry | undefined) => void): void {
    this.#tell = tell;
  }

  entries(): IterableIterator<[string, Entry]> {
    return this.#entries.entries();
  }

  /** Expired entries are dead already; this only gives their memory back. */
  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [id, entry] of this.#entries) {
      if (this.#isExpired(entry, now)) this.#entries.delete(id);
    }
  }
}

/** The name under which a caller's key is kept: keys of different callers never meet (open point A-10). */
export function keyId(scope: string, key: string): string {
  return `${scope}\n${key}`;
}

// --- internal ---

const SWEEP_EVERY = 1_000;
const SWEEP_AFTER_MS = 3_600_000;
