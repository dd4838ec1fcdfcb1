import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a server on plain sockets received, and where it is. */
export interface RawServer {
  readonly url: string;
  /** All that arrived so far, as text. */
  readonly received: () => string;
}

/** A server that hands each socket, with what has arrived, to a function as soon as the head of a request is whole. */
export async function rawServer(onHead: (socket: Socket, head: string) => void): Promise<RawServer> {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let own = '';
    let isTold = false;
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      own += part.toString('latin1');
      received += part.toString('latin1');
      if (isTold || !own.includes('\r\n\r\n')) return;
      isTold = true;
      onHead(socket, own);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => received };
}

export interface RawClient {
  readonly socket: Socket;
  /** All that arrived so far, as text. */
  readonly received: () => string;
  /** Resolves when the other side has ended the connection. */
  readonly ended: Promise<void>;
}

/** Sends bytes as they are. */
export function rawClient(url: string, text: string): RawClient {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.on('data', (part: Buffer) => (received += part.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text, 'latin1');
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    received: () => received,
    ended: new Promise((resolve) => socket.once('close', () => resolve())),
  };
}
