import { Agent, type ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { openSocket, type ConnectionRoute } from '../conformance/http/connection.ts';

/** Connects by a route of the suite: with its certificates and its HTTP proxy. */
export class RouteAgent extends Agent {
  readonly #route: ConnectionRoute;

  constructor(route: ConnectionRoute, keepAlive: boolean) {
    super({ keepAlive });
    this.#route = route;
  }

  override createConnection(_: unknown, done: (error: Error | null, socket: Duplex) => void): undefined {
    openSocket(this.#route).then(
      // Header bytes arrive as latin1. If Node wrote them as UTF-8, as it does when it flushes a head, they
      // would change.
      (socket) => done(null, socket.setDefaultEncoding('latin1')),
      // Node ignores a socket that comes with an error.
      (error: unknown) => done(error as Error, undefined as never),
    );
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // Bytes on an idle connection would become the answer to the next request.
    socket.on('data', destroyStray);
    // Node's own function says whether to keep the socket, though its types do not.
    return (super.keepSocketAlive(socket) as unknown) !== false;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    socket.off('data', destroyStray);
    super.reuseSocket(socket, request);
  }
}

// --- internal ---

function destroyStray(this: Duplex): void {
  this.destroy();
}
