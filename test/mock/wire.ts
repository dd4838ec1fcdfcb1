import { connect, type Socket } from 'node:net';

/** One answer as it stood on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A connection on which the very bytes are written and read. */
export class Wire {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #waiting: (() => void)[] = [];

  static async open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new Wire(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('close', end).on('end', end).on('error', end);
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Resolves when all that was written has left this process. */
  flushed(): Promise<void> {
    return new Promise((resolve) => this.#socket.write('', () => resolve()));
  }

  /** Cuts the connection without a farewell. */
  drop(): void {
    this.#socket.resetAndDestroy();
  }

  /** Resolves when the other side has ended, or when so much has come. */
  async until(holds: (received: string) => boolean): Promise<string> {
    for (;;) {
      const text = this.#received.toString('latin1');
      if (this.#ended || holds(text)) return text;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The next whole answer; `undefined` when the connection ends before. */
  async answer(): Promise<WireAnswer | undefined> {
    const text = await this.until((received) => lengthOf(received) !== undefined);
    const length = lengthOf(text);
    if (length === undefined) return undefined;
    const split = text.indexOf('\r\n\r\n');
    this.#received = this.#received.subarray(length);
    const head = text.slice(0, split);
    return { status: Number(head.split(' ')[1]), head, body: text.slice(split + 4, length) };
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** The bytes of a request. */
export function requestBytes(
  method: string,
  target: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): string {
  const { headers = {}, body } = options;
  const lines = Object.entries({
    Host: 'mock.localhost',
    'X-API-Key': 'service-mock-ok',
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  });
  return `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

// --- internal ---

/** The length of the first whole answer; only answers with a stated length are asked for here. */
function lengthOf(received: string): number | undefined {
  const split = received.indexOf('\r\n\r\n');
  if (split < 0) return undefined;
  const stated = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, split))?.[1] ?? 0);
  const whole = split + 4 + stated;
  return received.length >= whole ? whole : undefined;
}
