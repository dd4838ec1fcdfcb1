/** An order as the API shows it. */
export interface Order {
  readonly id: string;
  readonly title: string;
  readonly copies: number;
  readonly state: 'queued' | 'printing' | 'done' | 'canceled';
}

/** The orders of a print shop: each is printed soon after it was placed, step by step. */
export class PrintShop {
  readonly #orders: (Omit<Order, 'state'> & { readonly placedAt: number })[] = [];
  readonly #stepMs: number;

  /** @param stepMs the duration of each state of an order, in milliseconds */
  constructor(stepMs = 300) {
    this.#stepMs = stepMs;
    for (const title of ['Ticket', 'Card', 'Menu', 'Flyer', 'Poster']) this.#add({ title, copies: 10 }, 0);
  }

  place(wanted: Pick<Order, 'title' | 'copies'>): Order {
    return this.#shown(this.#add(wanted, Date.now()));
  }

  find(id: string): Order | undefined {
    const order = this.#orders.find((one) => one.id === id);
    return order === undefined ? undefined : this.#shown(order);
  }

  /** The newest first. */
  all(): readonly Order[] {
    return this.#orders.map((order) => this.#shown(order)).reverse();
  }

  /** The states of an order, from now on, the current one first. */
  async *states(id: string, signal: AbortSignal): AsyncGenerator<Order['state']> {
    let last: Order['state'] | undefined;
    while (!signal.aborted) {
      const state = this.find(id)?.state;
      if (state === undefined) return;
      if (state !== last) yield state;
      if (state === 'done' || state === 'canceled') return;
      last = state;
      await new Promise((resolve) => setTimeout(resolve, this.#stepMs / 4));
    }
  }

  #add(
    { title, copies }: Pick<Order, 'title' | 'copies'>,
    placedAt: number,
  ): Omit<Order, 'state'> & { readonly placedAt: number } {
    const order = { id: `o-${String(this.#orders.length + 1)}`, title, copies, placedAt };
    this.#orders.push(order);
    return order;
  }

  #shown({ placedAt, ...order }: Omit<Order, 'state'> & { readonly placedAt: number }): Order {
    const steps = Math.floor((Date.now() - placedAt) / this.#stepMs);
    const state = steps === 0 ? 'queued' : steps === 1 ? 'printing' : 'done';
    return { ...order, state };
  }
}
