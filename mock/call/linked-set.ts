/**
 * The current members, in insertion order. Not a `Set`: with constant additions and deletions, V8 keeps a chain of
 * old tables, which leaks deleted entries.
 */
export class LinkedSet<Value> implements Iterable<Value> {
  #first: Link<Value> | undefined;
  #last: Link<Value> | undefined;

  /** Adds a member; the returned function removes it. */
  add(value: Value): () => void {
    const link: Link<Value> = { value, before: this.#last, behind: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.behind = link;
    this.#last = link;
    let isThere = true;
    return () => {
      if (isThere) this.#take(link);
      isThere = false;
    };
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let link = this.#first; link !== undefined; link = link.behind) yield link.value;
  }

  #take(link: Link<Value>): void {
    const { before, behind } = link;
    if (before === undefined) this.#first = behind;
    else before.behind = behind;
    if (behind === undefined) this.#last = before;
    else behind.before = before;
    // A removed member keeps no references, because it may have been promoted long before its neighbours are
    // collected.
    link.before = undefined;
    link.behind = undefined;
  }
}

interface Link<Value> {
  readonly value: Value;
  before: Link<Value> | undefined;
  behind: Link<Value> | undefined;
}
