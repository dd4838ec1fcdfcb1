import { notePassed } from './garbage.ts';

/** Why a body was not copied: the end of a sentence. */
export const NO_ROOM = 'was not copied: too many bodies at once';

/** How many more bytes a proxy may hold at one time: copies of bodies, and exchanges that wait to be judged. */
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
    notePassed(part.length);
    if (this.#truncated !== undefined) return;
    if (this.#size + part.length > this.#longest) this.#giveUp(`is longer than ${this.#longest} bytes`);
    else if (part.length > this.#room.left) this.#giveUp(NO_ROOM);
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

  /** The body, or why it is not complete. The room that it takes is the caller's from now on. */
  take(): { readonly body: Uint8Array; readonly truncated?: string } {
    // In memory that nothing else uses, so that it can be given to a thread.
    const body = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      body.set(part, at);
      at += part.length;
    }
    this.#size = 0;
    this.#parts = [];
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
