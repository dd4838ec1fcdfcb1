/** A map that reports each of its changes to one listener. */
export class WatchedMap<Value> extends Map<string, Value> {
  #tell: ((name: string, value: Value | undefined) => void) | undefined;

  /** Calls back with each further change; the value is `undefined` for a deleted entry. */
  watch(tell: (name: string, value: Value | undefined) => void): void {
    this.#tell = tell;
  }

  override set(name: string, value: Value): this {
    super.set(name, value);
    this.#tell?.(name, value);
    return this;
  }

  override delete(name: string): boolean {
    const wasThere = super.delete(name);
    if (wasThere) this.#tell?.(name, undefined);
    return wasThere;
  }
}
