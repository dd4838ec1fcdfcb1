/**
 * The latest entries, numbered from 1. Not a `Map`: with constant additions and deletions, V8 keeps a chain of old
 * tables, which leaks deleted entries.
 */
export class RingBuffer<Value> implements Iterable<readonly [number: number, value: Value]> {
  readonly #capacity: number;
  #slots: (Value | undefined)[] = [];
  #latest = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The number of the latest entry; 0 before the first. Numbers continue after all entries were dropped. */
  get latest(): number {
    return this.#latest;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds an entry and returns its number. A full ring drops its oldest entry. */
  add(value: Value): number {
    if (this.#length === this.#capacity) this.dropOldest();
    this.#latest += 1;
    this.#length += 1;
    this.#slots[this.#latest % this.#capacity] = value;
    return this.#latest;
  }

  get(number: number): Value | undefined {
    return this.#has(number) ? this.#slots[number % this.#capacity] : undefined;
  }

  dropOldest(): Value | undefined {
    if (this.#length === 0) return undefined;
    const oldest = this.#latest - this.#length + 1;
    const dropped = this.get(oldest);
    this.#slots[oldest % this.#capacity] = undefined;
    this.#length -= 1;
    return dropped;
  }

  /** Removes and returns all entries, oldest first. Numbers continue. */
  take(): readonly (readonly [number: number, value: Value])[] {
    const taken = [...this];
    this.#slots = [];
    this.#length = 0;
    return taken;
  }

  /**
   * Puts back removed entries if their numbers directly precede the current ones and there is room; the
   * newest first.
   */
  putBack(taken: readonly (readonly [number: number, value: Value])[]): void {
    for (const [number, value] of [...taken].reverse()) {
      if (number !== this.#latest - this.#length || this.#length === this.#capacity) return;
      this.#slots[number % this.#capacity] = value;
      this.#length += 1;
    }
  }

  /** Oldest first. */
  *[Symbol.iterator](): Generator<readonly [number: number, value: Value]> {
    for (let number = this.#latest - this.#length + 1; number <= this.#latest; number += 1) {
      const value = this.get(number);
      if (value !== undefined) yield [number, value];
    }
  }

  #has(number: number): boolean {
    return Number.isInteger(number) && number > this.#latest - this.#length && number <= this.#latest;
  }
}
