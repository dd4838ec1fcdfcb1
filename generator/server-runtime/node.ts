import type { Shutdown, ShutdownOptions } from '../../engine/open-calls.ts';
import type { Server } from '../../engine/serve.ts';
import { bodyOf, headersOf, type NodeRequest } from './node-request.ts';
import { deliver, isAnswering, type NodeResponse, type Rest } from './node-response.ts';

export type { NodeRequest } from './node-request.ts';
export type { NodeResponse } from './node-response.ts';

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

/** How long sockets without a call may stay open after a shutdown. */
const SOCKETS_MS = 500;
