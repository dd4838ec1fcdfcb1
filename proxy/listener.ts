import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ownAnswer } from './own-answer.ts';
import { ALL_HEADERS, MOST_OF_HEADERS, type ForwardRequest } from './pass-through.ts';
import { canSwitch, passUpgrades } from './upgrades.ts';

/** The server that clients of the proxy call, and all its connections, also those that have switched to another protocol. */
export interface ProxyListener {
  readonly server: Server;
  /** Cuts all connections and frees the port. */
  readonly end: () => Promise<void>;
}

/** It refuses nothing that the server behind it could answer. */
export function makeListener(pass: ForwardRequest): ProxyListener {
  const sockets = new Set<Socket>();
  const server = createServer(
    {
      noDelay: true,
      maxHeaderSize: MOST_OF_HEADERS,
      requestTimeout: 0,
      requireHostHeader: false,
      // Known to Node 24.9 and later, which would otherwise read the body of a request that is an ordinary one.
      ...{ shouldUpgradeCallback: canSwitch },
    },
    (request, response) => pass(request, response),
  )
    .on('connection', (socket) => {
      // Node forgets those that have switched to another protocol.
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // Header bytes arrive as latin1. If Node wrote them as UTF-8, as it does when it flushes a head, they
      // would change.
      socket.setDefaultEncoding('latin1');
    })
    // The server decides whether the client may send the body.
    .on('checkContinue', (request, response) => pass(request, response))
    .on('checkExpectation', (request, response) => pass(request, response))
    .on('clientError', refuse);
  server.maxHeadersCount = ALL_HEADERS;
  passUpgrades(server, pass);
  const end = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { server, end };
}

// --- internal ---

/** Refuses a request that Node cannot parse, with the reason. */
function refuse({ code = '', message }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { headers, body } = ownAnswer({
    what: 'the request was not passed on',
    reason: message,
    help: 'send a request that follows RFC 9112; bytes beyond ASCII in the target must be percent-encoded',
    error: 'http_request_error',
  });
  socket.end(
    [
      `HTTP/1.1 ${STATUS_OF[code] ?? '400 Bad Request'}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

const STATUS_OF: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
