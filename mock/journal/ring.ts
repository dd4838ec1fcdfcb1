/**
 * The latest of what was added, each under a number that counts up from 1. Not a `Map`: one that is added to and deleted
 * from all the time leaves a chain of old tables behind, by which the collector takes what was deleted for alive.
 */
export class Ring<Value> implements Iterable<readonly [number: number, value: Value]> {
  readonly #capacity: number;
  #slots: (Value | undefined)[] = [];
  #latest = 0;
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The number of the latest; 0 before the first. It goes on counting when all are dropped. */
  get latest(): number {
    return this.#latest;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds one and tells its number; of a full ring the oldest is dropped. */
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

  /** Takes all that it holds, oldest first; it goes on counting. */
  take(): readonly (readonly [number: number, value: Value])[] {
    const taken = [...this];
    this.#slots = [];
    this.#length = 0;
    return taken;
  }

  /** Puts back what was taken, as far as its numbers follow on those that are held and there is room; the newest first. */
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
