/** The most bytes of answers that a run holds at one time. */
export class MemoryBudget {
  readonly #most: number;
  #left: number;
  readonly #taken = new Map<string, number>();

  /** @param most in bytes; a whole body may be half of the default */
  constructor(most = 128 * 1024 * 1024) {
    this.#most = most;
    this.#left = most;
  }

  /** Takes so many bytes for an exchange; when that is too much, the end of a sentence that says so. */
  take(exchange: string, bytes: number): string | undefined {
    if (bytes > this.#left) return `was not read: the run holds ${this.#most} bytes of answers already`;
    this.#left -= bytes;
    this.#taken.set(exchange, (this.#taken.get(exchange) ?? 0) + bytes);
    return undefined;
  }

  /** The exchange is not held any longer. */
  giveBack(exchange: string): void {
    this.#left += this.#taken.get(exchange) ?? 0;
    this.#taken.delete(exchange);
  }
}
