import { once } from 'node:events';
import { createServer as createHttpServer, request as sendOn } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Certified } from './tls-certificates.ts';

export interface ForwardProxy {
  readonly port: number;
  /** Request lines, with the login. */
  readonly seen: string[];
}

export interface ForwardProxyOptions {
  readonly login?: string;
  readonly refuse?: number;
  /** Present for a proxy that is reached by TLS. */
  readonly certified?: Certified;
}

/** A small forward proxy. It looks for every host on the loopback address. */
export async function forwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const seen: string[] = [];
  const mayPass = ({ method, url, headers }: IncomingMessage): number => {
    const login = headers['proxy-authorization'];
    seen.push(`${method ?? ''} ${url ?? ''}${login === undefined ? '' : ` ${login}`}`);
    if (options.refuse !== undefined) return options.refuse;
    return options.login === undefined || login === options.login ? 200 : 407;
  };
  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    const status = mayPass(request);
    if (status !== 200) return void response.writeHead(status).end();
    const { port, pathname, search } = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const onward = sendOn(
      { host: '127.0.0.1', port, path: pathname + search, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  };
  const proxy =
    options.certified === undefined
      ? createHttpServer(forward)
      : createHttpsServer(options.certified, forward);
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    const status = mayPass(request);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { port: await portOf(proxy), seen };
}

/** Starts a server on a free port of the loopback address; the end of the test closes it and its connections. */
export async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.listen(0, '127.0.0.1');
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
