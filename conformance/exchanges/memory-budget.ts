/** Limits the bytes of answers that a run holds at one time. */
export class MemoryBudget {
  readonly #most: number;
  #left: number;
  readonly #taken = new Map<string, number>();

  /** @param most in bytes; a whole body may be half of the default */
  constructor(most = 128 * 1024 * 1024) {
    this.#most = most;
    this.#left = most;
  }

  /**
   * Reserves this many bytes for an exchange. If that exceeds the limit, returns the end of a sentence that
   * says so.
   */
  take(exchange: string, bytes: number): string | undefined {
    if (bytes > this.#left) return `was not read: the run holds ${this.#most} bytes of answers already`;
    this.#left -= bytes;
    this.#taken.set(exchange, (this.#taken.get(exchange) ?? 0) + bytes);
    return undefined;
  }

  /** Releases the memory of an exchange. */
  giveBack(exchange: string): void {
    this.#left += this.#taken.get(exchange) ?? 0;
    this.#taken.delete(exchange);
  }
}
