import type { Delivery } from '../../engine/delivery.ts';
import { BodyTaken, collect, type Exchange } from '../../engine/exchange.ts';
import type { Shutdown, ShutdownOptions } from '../../engine/open-calls.ts';
import type { Server } from '../../engine/serve.ts';

/** The used part of a `node:http` request. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion?: string;
  readonly rawHeaders: readonly string[];
  /** Whether the whole request has arrived. */
  readonly complete?: boolean;
  /** Whether any part of its body was read. */
  readonly readableDidRead?: boolean;
  readonly socket?: object | null;
  /** The bytes of a body that has already been read, as cloud functions provide them. */
  readonly rawBody?: unknown;
  /** An iteration that leaves the request open if it ends early. */
  iterator?(options: { readonly destroyOnReturn: false }): AsyncIterable<Uint8Array>;
  destroy?(): unknown;
}

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

/** The used part of a `node:http` server. */
export interface NodeServer {
  on(event: string, listener: (...given: never[]) => void): unknown;
}

/** The used part of a `node:http` server that can be closed. */
export interface ClosingServer {
  close(closed: () => void): unknown;
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
}

export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

/** A server, or several from which the path selects one. */
export type Serving = Pick<Server, 'exchange' | 'refuse'>;

/** A listener for the `request` event of a server of `node:http`: `createServer(nodeListener(server))`. */
export function nodeListener(server: Serving): NodeListener {
  return (request, response) => {
    void answer(server, request, response, request.url ?? '/').catch(() => response.destroy());
  };
}

/**
 * Serves over a server of `node:http`, and answers malformed HTTP requests with errors of the API. A caller
 * that waits for `100 Continue` receives it when its body is needed, so that a refusal does not transfer a
 * body. Node itself answers requests without a `Host`, without a request id; create the server with
 * `requireHostHeader: false` to have them answered here.
 */
export function attach(server: Serving, to: NodeServer): void {
  const listener = nodeListener(server);
  to.on('request', listener as (...given: never[]) => void);
  to.on('checkExpectation', listener as (...given: never[]) => void);
  const waiting: NodeListener = (request, response) => {
    void answer(server, request, response, request.url ?? '/', true).catch(() => response.destroy());
  };
  to.on('checkContinue', waiting as (...given: never[]) => void);
  to.on('clientError', ((error: { readonly code?: unknown }, socket: NodeSocket): void => {
    // Invalid bytes may follow a request whose answer is being sent.
    if (!socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const { status, phrase, message } = UNREADABLE[String(error.code)] ?? UNREADABLE_OTHERWISE;
    void server.refuse(status, message).then(({ headers, body }) => {
      const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
      socket.end(`HTTP/1.1 ${String(status)} ${phrase}\r\n${lines}connection: close\r\n\r\n${text}`);
    });
  }) as (...given: never[]) => void);
}

/**
 * Answers one request of `node:http`, for frameworks that expose theirs.
 *
 * @param isWaiting whether the caller sends its body only after `100 Continue`
 */
export async function answer(
  server: Serving,
  request: NodeRequest,
  response: NodeResponse,
  target: string,
  isWaiting = false,
): Promise<void> {
  const gone = new AbortController();
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the caller went away'));
      resolve();
    });
  });
  let isAwaited = isWaiting;
  const headers = headersOf(request.rawHeaders);
  // RFC 9112, section 3.2.
  const isReadable = request.httpVersion !== '1.1' || headers.has('host');
  const exchange = await (isReadable
    ? server.exchange({
        method: request.method ?? 'GET',
        target: originForm(target),
        headers,
        body: (mostBytes) => {
          if (isAwaited) response.writeContinue?.();
          isAwaited = false;
          return bodyOf(request, mostBytes);
        },
        signal: gone.signal,
      })
    : server.refuse(400, 'An HTTP/1.1 request must have a Host header.'));
  // A caller without `100 Continue` may send its body anyway; then it is read and discarded.
  const rest: Rest = request.complete !== false ? 'none' : isAwaited ? 'unsent' : 'unread';
  const delivery = await deliver(exchange, { request, response, closed, gone: gone.signal, rest });
  await exchange.settle(delivery);
}

/**
 * The path and query of a target. Proxies may send `http://host/path`, which every server has to accept (RFC
 * 9112, section 3.2.2).
 */
export function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

/**
 * Shuts down a server and its `node:http`: accepts no more connections, gives calls `graceMs` to end, and
 * then closes the rest. Resolves when all sockets are closed.
 */
export async function shutDown(
  server: Pick<Server, 'shutdown'>,
  http: ClosingServer,
  options?: ShutdownOptions,
): Promise<Shutdown> {
  const closed = new Promise<void>((resolve) => {
    http.close(() => {
      resolve();
    });
  });
  const shutdown = await server.shutdown(options);
  // A connection without a call, or whose caller does not read, would keep the server open.
  const timer = setTimeout(() => http.closeAllConnections?.(), shutdown.left > 0 ? 0 : SOCKETS_MS);
  http.closeIdleConnections?.();
  await closed;
  clearTimeout(timer);
  return shutdown;
}

// --- internal ---

/** The part of a request's body that has not been read when the answer is sent. */
type Rest = 'none' | 'unsent' | 'unread';

interface Passage {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly closed: Promise<void>;
  readonly gone: AbortSignal;
  readonly rest: Rest;
}

interface NodeSocket {
  readonly writable: boolean;
  end(text: string): unknown;
  destroy(): unknown;
}

/** Node's codes for requests that cannot be read. */
const UNREADABLE: Readonly<Record<string, { status: number; phrase: string; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    message: 'The request did not arrive in time.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    phrase: 'Payload Too Large',
    message: 'The chunk extensions of the body are too long.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    message: 'The address and headers of the request are too long.',
  },
};
const UNREADABLE_OTHERWISE = {
  status: 400,
  phrase: 'Bad Request',
  message: 'This is not a valid HTTP request.',
};

/** The number of answers in progress on each socket. */
const answers = new WeakMap<object, number>();

function isAnswering(socket: object): boolean {
  return (answers.get(socket) ?? 0) > 0;
}

function count(socket: object | null | undefined, change: 1 | -1): void {
  if (socket) answers.set(socket, (answers.get(socket) ?? 0) + change);
}

/**
 * An answer counts as delivered when all of it was passed to the operating system, because Node cannot
 * observe more.
 */
async function deliver(
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
  const write = (text: string): boolean => {
    let isWritten = (): void => undefined;
    written = new Promise((resolve) => (isWritten = resolve));
    return response.write(text, isWritten);
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
    await pass.orClosed(Promise.race([written, pause(DISCARD_MS)]));
    response.destroy();
  } finally {
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
  await closed;
  return response.writableFinished ? 'delivered' : 'short';
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

/** @throws {BodyTaken} if it was read before */
async function bodyOf(request: NodeRequest, mostBytes: number): Promise<Uint8Array | undefined> {
  const { rawBody } = request;
  if (rawBody instanceof Uint8Array) return rawBody.length > mostBytes ? undefined : rawBody;
  if (request.readableDidRead === true)
    throw new BodyTaken('mount this server before express.json() and any other middleware that reads bodies');
  return collect(chunksOf(request), mostBytes);
}

/** Reads and discards the rest of a body. Closes the connection of a caller who sends too much or takes too long. */
async function discard(request: NodeRequest): Promise<void> {
  const timer: unknown = setTimeout(() => request.destroy?.(), DISCARD_MS);
  (timer as { unref?: () => void }).unref?.();
  try {
    let length = 0;
    for await (const chunk of chunksOf(request)) {
      length += chunk.length;
      if (length > DISCARD_BYTES) break;
    }
    if (request.complete === false) request.destroy?.();
  } catch {
    // The caller has disconnected.
  } finally {
    clearTimeout(timer as ReturnType<typeof setTimeout>);
  }
}

const DISCARD_MS = 5_000;
const DISCARD_BYTES = 10_485_760;

/** How long sockets without a call may stay open after a shutdown. */
const SOCKETS_MS = 500;

function chunksOf(request: NodeRequest): AsyncIterable<Uint8Array> {
  return request.iterator?.({ destroyOnReturn: false }) ?? request;
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    try {
      headers.append(raw[index] ?? '', raw[index + 1] ?? '');
    } catch {
      // An invalid header is ignored.
    }
  }
  return headers;
}

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
