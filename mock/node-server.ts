import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Assembly } from './assembly.ts';
import { requestOrigin } from './base-url.ts';
import { isBytes, type Handle, type SentReply } from './call/exchange.ts';
import type { Certificate } from './certificate.ts';
import { deliver } from './deliver.ts';
import { readBody, NodeRequest } from './node-request.ts';

/**
 * A node:http server around a mock. It sends answers unchanged, including streams, and reports to the mock
 * how much reached the socket.
 */
export function serve(
  handle: Handle,
  assembly: Pick<Assembly, 'longestBody' | 'unreadable'>,
  certificate?: Certificate,
): Server {
  const { unreadable } = assembly;
  const answer = listenerOf(handle, assembly);
  const options = { keepAliveTimeout: 65_000, noDelay: true, requireHostHeader: false };
  const open = new WeakMap<object, Set<ServerResponse>>();
  const receive: Listener = (request, response) => {
    const { socket } = request;
    const responses = open.get(socket) ?? new Set();
    open.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
    answer(request, response, requestOrigin(request));
  };
  const server =
    certificate === undefined
      ? createServer(options, receive)
      : createSecureServer({ ...options, ...certificate }, receive);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    receive(request, response);
  });
  // A malformed request does not reach the pipeline; other connections are not affected.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Invalid bytes may follow a request whose answer is being sent.
    const isAnswering = [...(open.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (socket.writable && !isAnswering) socket.end(bytesOf(unreadable(UNREADABLE[error.code ?? ''] ?? 400)));
    else socket.destroy();
  });
  return server;
}

/** Receives a request of a node:http server, and answers it. */
export type Listener = (request: IncomingMessage, response: ServerResponse, baseUrl?: string) => void;

/** Answers requests of any node:http server. */
export function listenerOf(
  handle: Handle,
  { longestBody, unreadable }: Pick<Assembly, 'longestBody' | 'unreadable'>,
): Listener {
  return (request, response, baseUrl) => {
    // RFC 9112, section 3.2. If Node answered, the answer would lack its request id; the same applies to an
    // unknown `Expect`.
    const isReadable = request.httpVersion !== '1.1' || request.headers.host !== undefined;
    const done = isReadable
      ? exchange(handle, longestBody, request, response, baseUrl)
      : deliver(unreadable(400), response);
    done.catch(() => {
      response.destroy();
    });
  };
}

// --- internal ---

/** Node's codes for unreadable bytes that are not answered with 400. */
const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function bytesOf({ status, headers, body }: SentReply): Buffer {
  const bytes = isBytes(body) ? body : Buffer.alloc(0);
  const lines = [...headers, ['Content-Length', String(bytes.length)], ['Connection', 'close']];
  const head = lines.map(([name = '', value = '']) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n`, 'latin1'),
    bytes,
  ]);
}

async function exchange(
  handle: Handle,
  longestBody: (path: string) => number,
  request: IncomingMessage,
  response: ServerResponse,
  baseUrl: string | undefined,
): Promise<void> {
  const [path = '/'] = (request.url ?? '/').split('?');
  const body = await readBody(request, longestBody(path));
  if (body === undefined) return;
  const { reply, settle } = await handle(new NodeRequest(request, response, body, baseUrl));
  settle(await deliver(reply, response));
}
