import type { Delivery } from '../../engine/delivery.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { discard, type NodeRequest } from './node-request.ts';

/** The used part of a `node:http` response. */
export interface NodeResponse {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  /** Sends `100 Continue`. */
  writeContinue?(): unknown;
  appendHeader?(name: string, values: string[]): unknown;
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders?(): void;
  write(chunk: Uint8Array | string, written?: () => void): boolean;
  end(chunk?: Uint8Array): unknown;
  destroy(): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
}

/** The part of a request's body that has not been read when the answer is sent. */
export type Rest = 'none' | 'unsent' | 'unread';

interface Passage {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly closed: Promise<void>;
  readonly gone: AbortSignal;
  readonly rest: Rest;
}

/**
 * An answer counts as delivered when all of it was passed to the operating system, because Node cannot
 * observe more.
 */
export async function deliver(
  { status, headers, body, isLast }: Exchange,
  { request, response, closed, gone, rest }: Passage,
): Promise<Delivery> {
  if (gone.aborted || response.destroyed) return 'dropped';
  const { socket } = request;
  count(socket, 1);
  void closed.then(() => {
    count(socket, -1);
  });
  // HTTP/2 has no such header.
  const closes = (isLast || rest === 'unsent') && request.httpVersion?.startsWith('2') !== true;
  writeHead(response, status, headers, closes);
  if (body instanceof Uint8Array) {
    if (rest === 'unread') {
      // Closing a connection with unread bytes resets it, and its caller may never see the answer.
      response.write(body);
      await discard(request);
      response.end();
    } else response.end(body);
    await closed;
    return response.writableFinished ? 'delivered' : 'short';
  }
  // Send the headers at once: the first event may take a long time.
  response.flushHeaders?.();
  const iterator = body[Symbol.asyncIterator]();
  const pass = passageOf(response, closed);
  let written = Promise.resolve();
  const write = (chunk: string | Uint8Array): boolean => {
    let isWritten = (): void => undefined;
    written = new Promise((resolve) => (isWritten = resolve));
    return response.write(chunk, isWritten);
  };
  try {
    for (;;) {
      const next = await pass.orClosed(iterator.next());
      if (next === undefined || next.done === true) break;
      if (!write(next.value)) await pass.drained();
    }
    if (!gone.aborted) response.end();
  } catch {
    // Cut the connection, so that a reader does not mistake the stream for complete. Earlier writes still
    // arrive.
    await pass.orClosed(Promise.race([written, pause(CUT_MS)]));
    response.destroy();
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
  await closed;
  return response.writableFinished ? 'delivered' : 'short';
}

/** Whether an answer is in progress on a socket. */
export function isAnswering(socket: object): boolean {
  return (answers.get(socket) ?? 0) > 0;
}

// --- internal ---

/** The number of answers in progress on each socket. */
const answers = new WeakMap<object, number>();

function count(socket: object | null | undefined, change: 1 | -1): void {
  if (socket) answers.set(socket, (answers.get(socket) ?? 0) + change);
}

/**
 * Waits that end when the response closes. One listener for each wait, because a promise that is raced repeatedly
 * keeps all earlier waits in memory.
 */
function passageOf(
  response: NodeResponse,
  closed: Promise<void>,
): {
  orClosed<Value>(work: Promise<Value>): Promise<Value | undefined>;
  drained(): Promise<void>;
} {
  let isClosed = false;
  let wake = (): void => undefined;
  void closed.then(() => {
    isClosed = true;
    wake();
  });
  const orClosed = <Value>(work: Promise<Value>): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      wake = () => {
        resolve(undefined);
      };
      if (isClosed) wake();
      work.then(resolve, reject);
    });
  return {
    orClosed,
    drained: () =>
      orClosed(
        new Promise((resolve) =>
          response.once('drain', () => {
            resolve(undefined);
          }),
        ),
      ),
  };
}

/** How long the earlier writes of a stream that is cut may take. */
const CUT_MS = 5_000;

/** Appends cookies to those of the framework: a list of headers would replace all but the last. */
function writeHead(response: NodeResponse, status: number, headers: Headers, closes: boolean): void {
  const raw: string[] = [];
  const cookies: string[] = [];
  headers.forEach((value, name) => {
    if (name === 'set-cookie' && response.appendHeader !== undefined) cookies.push(value);
    else raw.push(name, value);
  });
  if (cookies.length > 0) response.appendHeader?.('set-cookie', cookies);
  response.writeHead(status, [...raw, ...(closes ? ['connection', 'close'] : [])]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}
