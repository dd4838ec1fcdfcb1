import type { Socket } from 'node:net';

/** Reads from a socket: lines, counted bytes, chunks. Throws when the connection ends too early. */
export class ByteReader {
  /** Bytes that have arrived since the last message began. */
  received = 0;
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onEnd);
    socket.on('error', this.#onError);
  }

  /** Nothing is unread, and the peer is still connected. */
  isQuiet(): boolean {
    return this.#buffer.length === 0 && !this.#ended && this.#error === undefined;
  }

  /** Stops listening, so that another reader can take over. */
  release(): void {
    this.#socket.off('data', this.#onData);
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('close', this.#onEnd);
    this.#socket.off('error', this.#onError);
    this.#socket.pause();
  }

  /** A line without its end; a bare LF ends it too. */
  async line(longest = 65_536): Promise<string> {
    for (;;) {
      const line = this.#lineAtHand();
      if (line !== undefined) return line;
      if (this.#buffer.length > longest) throw new Error(`a header line is longer than ${longest} bytes`);
      if (!(await this.#more())) throw this.#cut();
    }
  }

  async *exactly(length: number): AsyncGenerator<Uint8Array, void> {
    let left = length;
    while (left > 0) {
      if (this.#buffer.length === 0 && !(await this.#more()))
        throw this.#cut(`${left} bytes of the body are missing`);
      const part = this.#buffer.subarray(0, left);
      this.#buffer = this.#buffer.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }

  /** Bytes that arrived together are returned together, because a server may send a chunk for each byte. */
  async *chunked(): AsyncGenerator<Uint8Array, void> {
    let gathered: Uint8Array[] = [];
    const all = (): Uint8Array => {
      const bytes = Buffer.concat(gathered);
      gathered = [];
      return bytes;
    };
    for (;;) {
      let head = this.#lineAtHand();
      if (head === undefined) {
        if (gathered.length > 0) yield all();
        head = await this.line();
      }
      const size = Number.parseInt(head, 16);
      const isSize = /^[0-9a-f]+\s*(?:;.*)?$/i.test(head);
      if ((size === 0 || !isSize) && gathered.length > 0) yield all();
      if (!isSize) throw new Error(`"${head.slice(0, 40)}" is not a valid chunk size`);
      if (size === 0) break;
      let left = size;
      while (left > 0) {
        if (this.#buffer.length === 0) {
          if (gathered.length > 0) yield all();
          if (!(await this.#more())) throw this.#cut(`${left} bytes of the body are missing`);
        }
        const part = this.#buffer.subarray(0, left);
        this.#buffer = this.#buffer.subarray(part.length);
        left -= part.length;
        gathered.push(part);
      }
      if (this.#lineAtHand() === undefined) {
        yield all();
        await this.line();
      }
    }
    for (let lines = 0; (await this.line()) !== ''; lines += 1)
      if (lines === MOST_TRAILERS) throw new Error(`more than ${MOST_TRAILERS} trailers`);
  }

  async *toEnd(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      if (this.#buffer.length === 0 && !(await this.#more())) {
        if (this.#error !== undefined) throw this.#error;
        return;
      }
      const part = this.#buffer;
      this.#buffer = Buffer.alloc(0);
      if (part.length > 0) yield part;
    }
  }

  /** The bytes until the end of the connection, or until a pause of this length. */
  async *untilQuiet(milliseconds: number): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      if (this.#buffer.length === 0) {
        let timer: NodeJS.Timeout | undefined;
        const quiet = new Promise<false>(
          (resolve) => (timer = setTimeout(() => resolve(false), milliseconds)),
        );
        const came = await Promise.race([this.#more(), quiet]);
        clearTimeout(timer);
        if (!came) return;
      }
      const part = this.#buffer;
      this.#buffer = Buffer.alloc(0);
      if (part.length > 0) yield part;
    }
  }

  readonly #onData = (chunk: Buffer): void => {
    this.received += chunk.length;
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    // Unread bytes stay at the server.
    if (this.#buffer.length > MOST_WAITING) this.#socket.pause();
    this.#wake?.();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake?.();
  };

  readonly #onError = (error: Error): void => {
    this.#error = error;
    this.#wake?.();
  };

  /** Waits for bytes; `false` at the end. */
  async #more(): Promise<boolean> {
    const before = this.#buffer.length;
    if (this.#socket.isPaused()) this.#socket.resume();
    while (this.#buffer.length === before && !this.#ended && this.#error === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#buffer.length > before;
  }

  #lineAtHand(): string | undefined {
    const end = this.#buffer.indexOf(10);
    if (end < 0) return undefined;
    const line = this.#buffer.subarray(0, end).toString('latin1').replace(/\r$/, '');
    this.#buffer = this.#buffer.subarray(end + 1);
    return line;
  }

  #cut(detail?: string): Error {
    if (this.#error !== undefined) return this.#error;
    const when = this.received === 0 ? 'before any response' : `after ${this.received} bytes`;
    return new Error(`the connection was closed ${when}${detail === undefined ? '' : `; ${detail}`}`);
  }
}

// --- internal ---

/** The limit for unread bytes that are taken from a socket. */
const MOST_WAITING = 1024 * 1024;

const MOST_TRAILERS = 100;
