import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pairsOf, valueOf } from './end-to-end-headers.ts';
import { framingOf } from './framing.ts';
import { endGently } from './gentle-close.ts';
import type { ForwardRequest } from './pass-through.ts';

/**
 * Forwards requests for another protocol, so that WebSocket connections work through the proxy. Node passes
 * these to no request listener, and does not read their bodies.
 */
export function passUpgrades(server: Server, pass: ForwardRequest): void {
  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, first: Uint8Array) => {
    // A TCP server always has this type.
    const socket = duplex as Socket;
    socket.on('error', () => undefined);
    if (!canSwitch(request)) {
      asOrdinary(server, request, socket, first);
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      endGently(socket);
      socket.destroySoon();
    });
    socket.unshift(first);
    pass(request, response, valueOf(request.rawHeaders, 'upgrade'));
  });
}

/**
 * Whether a connection may switch to another protocol. With HTTP/2 the proxy could not see later requests, and a request
 * with a body has to be read first.
 */
export function canSwitch({ method, rawHeaders }: IncomingMessage): boolean {
  const isHttp2 = /^\s*h2c?\s*$/i.test(valueOf(rawHeaders, 'upgrade') ?? '');
  return method === 'GET' && !isHttp2 && framingOf(rawHeaders)?.kind === 'none';
}

// --- internal ---

/**
 * The server receives the same request again, without the upgrade: RFC 9110 allows ignoring it. Only for versions of Node
 * that do not ask `canSwitch`.
 */
function asOrdinary(server: Server, request: IncomingMessage, socket: Socket, first: Uint8Array): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request;
  const lines = pairsOf(rawHeaders)
    .filter(([name]) => name.toLowerCase() !== 'upgrade')
    .map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${url} HTTP/${httpVersion}`, ...lines, '\r\n'].join('\r\n');
  socket.unshift(Buffer.concat([Buffer.from(head, 'latin1'), first]));
  server.emit('connection', socket);
}
