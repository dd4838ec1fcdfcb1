/**
 * A cache of verdicts about texts, limited by entries and characters, so that a million different texts do
 * not make it grow. It has two halves: when the newer one is full, the older one is dropped. Entries that
 * were used in the meantime have been copied to the newer one.
 */
export class Remembered<Value> {
  readonly #most: number;
  readonly #characters: number;
  readonly #longest: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  /** The number of characters in the newer half. */
  #used = 0;

  /**
   * At most `most` texts with this many `characters` in total; texts longer than `longest` are not cached.
   */
  constructor({ most, characters, longest }: { most: number; characters: number; longest: number }) {
    this.#most = most / 2;
    this.#characters = characters / 2;
    this.#longest = longest;
  }

  get(text: string): Value | undefined {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const old = this.#old.get(text);
    if (old !== undefined) this.set(text, old);
    return old;
  }

  set(text: string, value: Value): void {
    if (text.length > this.#longest) return;
    if (!this.#young.has(text)) {
      if (this.#young.size >= this.#most || this.#used + text.length > this.#characters) this.#age();
      this.#used += text.length;
    }
    this.#young.set(text, value);
  }

  #age(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#used = 0;
  }
}
