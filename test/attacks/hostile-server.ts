import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server that means ill, on the loopback address. */
export interface HostileServer {
  readonly url: string;
  /** Requests that came in, as `GET /v1/models`. */
  readonly asked: readonly string[];
  /** Resolves at the first request that a test waits for. */
  readonly first: (matches: (request: string) => boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers with HTTP that is well-formed as far as its headers go. */
export async function hostileServer(handler: Handler): Promise<HostileServer> {
  const record = makeRecord();
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    request.resume();
    record.add(`${request.method ?? ''} ${request.url ?? ''}`);
    handler(request, response);
  });
  return listening(server, record, () => server.closeAllConnections());
}

/** Answers with bytes; `answer` is called for each request on each connection. */
export async function hostileSocket(
  answer: (socket: Socket, request: string) => void,
): Promise<HostileServer> {
  const record = makeRecord();
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const request = /^\S+ \S+/.exec(data.toString('latin1'))?.[0];
      if (request === undefined) return;
      record.add(request);
      answer(socket, request);
    });
  });
  return listening(server, record, () => sockets.forEach((socket) => socket.destroy()));
}

/** Headers that let an answer pass for one of the API. */
export const jsonHeaders = { 'Content-Type': 'application/json', 'X-Service-Request-Id': 'r-1' };

/** A page of the catalogue, with members of an attacker beside its own. */
export function page(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { data: [], has_more: false, limit: 20, ...more };
}

/** Writes a piece again and again, as fast as it is read. */
export function pour(response: ServerResponse, piece: string | Uint8Array): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

// --- internal ---

interface Waiting {
  readonly asked: string[];
  readonly waiting: Set<{ matches: (request: string) => boolean; resolve: () => void }>;
  readonly add: (request: string) => void;
}

function makeRecord(): Waiting {
  const asked: string[] = [];
  const waiting: Waiting['waiting'] = new Set();
  const add = (request: string): void => {
    asked.push(request);
    for (const one of waiting) if (one.matches(request)) one.resolve();
  };
  return { asked, waiting, add };
}

async function listening(
  server: Server,
  { asked, waiting }: Waiting,
  drop: () => void,
): Promise<HostileServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    first: (matches) =>
      asked.some(matches)
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.add({ matches, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}
