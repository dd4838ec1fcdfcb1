/** How many bytes all body copies of a proxy may hold at one time. */
export interface CopyRoom {
  left: number;
}

/**
 * A copy of a body that passes. It never delays the body: a body that is too long is dropped from the copy, and
 * marked.
 */
export class BodyCopy {
  readonly #room: CopyRoom;
  readonly #longest: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #truncated: string | undefined;

  /** @param longest in bytes */
  constructor(room: CopyRoom, longest: number) {
    this.#room = room;
    this.#longest = longest;
  }

  add(part: Uint8Array): void {
    if (this.#truncated !== undefined) return;
    if (this.#size + part.length > this.#longest) this.#giveUp(`is longer than ${this.#longest} bytes`);
    else if (part.length > this.#room.left) this.#giveUp('was not copied: too many bodies at once');
    else {
      this.#parts.push(part);
      this.#size += part.length;
      this.#room.left -= part.length;
    }
  }

  /** Copies no more, and gives the reason. */
  skip(why: string): void {
    if (this.#truncated === undefined) this.#giveUp(why);
  }

  /** The body, or why it is not complete. Releases the memory of the copy. */
  take(): { readonly body: Uint8Array; readonly truncated?: string } {
    const body = Buffer.concat(this.#parts);
    this.#release();
    return this.#truncated === undefined ? { body } : { body, truncated: this.#truncated };
  }

  #giveUp(why: string): void {
    this.#truncated = why;
    this.#release();
  }

  #release(): void {
    this.#room.left += this.#size;
    this.#size = 0;
    this.#parts = [];
  }
}
