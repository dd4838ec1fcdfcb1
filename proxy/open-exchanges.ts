import type { ForwardedExchange } from './pass-through.ts';

/** An exchange that is over, with its place among the others. */
export interface NumberedExchange extends ForwardedExchange {
  /** By the order in which they began, from 1. */
  readonly number: number;
  /** The numbers of exchanges that were still open when this one began. */
  readonly during: readonly number[];
}

/** The exchanges in progress. */
export class OpenExchanges {
  readonly #onOver: (exchange: NumberedExchange) => void;
  readonly #open = new Set<number>();
  #latest = 0;
  #emptied = (): void => undefined;

  constructor(onOver: (exchange: NumberedExchange) => void) {
    this.#onOver = onOver;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Registers the start of an exchange. Call the returned function when the exchange is over. */
  begin(): (passed: ForwardedExchange) => void {
    this.#latest += 1;
    const number = this.#latest;
    const during = [...this.#open];
    this.#open.add(number);
    return (passed) => {
      this.#open.delete(number);
      this.#onOver({ ...passed, number, during });
      if (this.#open.size === 0) this.#emptied();
    };
  }

  /** Resolves when no exchange is open. */
  async over(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => (this.#emptied = resolve));
  }
}
