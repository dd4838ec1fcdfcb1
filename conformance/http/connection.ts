import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { TLSSocket, connect as connectTls, createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { ByteReader } from './byte-reader.ts';
import { connectionError, proxyError, speaksTls } from './connection-failure.ts';
import { readResponse } from './http-message.ts';
import { decoded } from '../../contract/text/decoded.ts';

/** An open connection to a server, or to the proxy in front of it. */
export interface Connection {
  readonly socket: Socket;
  readonly reader: ByteReader;
  /** Closes it when unsolicited bytes arrive. */
  readonly onStray: () => void;
  /** The server asked for a client certificate in the handshake. */
  readonly asksForCertificate: boolean;
}

export interface ConnectionRoute {
  /** The address of the server. */
  readonly baseUrl: URL;
  readonly proxy: URL | undefined;
  /** Certificates to present and to trust; if absent, those of the machine. */
  readonly secureContext: SecureContext | undefined;
}

/** How sockets connect: proxies, TLS and idle connections. */
export interface SocketOptions {
  /** The proxy for an address, which may contain a user and a password; `undefined` for none. */
  readonly proxyFor?: ((baseUrl: URL) => URL | undefined) | undefined;
  readonly tls?: TlsOptions | undefined;
  /** The limit for idle connections; default 8. */
  readonly keep?: number;
}

/** Additional certificates to trust, in PEM. */
export interface TlsOptions {
  /** The client certificate, with intermediate certificates if the server lacks them. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
  /** All certificates to trust; they replace those of the machine. */
  readonly ca?: readonly string[] | undefined;
}

export function routeTo(baseUrl: URL, { proxyFor, tls }: SocketOptions): ConnectionRoute {
  const { cert, key, passphrase, ca } = tls ?? {};
  const secureContext =
    tls === undefined
      ? undefined
      : createSecureContext({
          ...(cert === undefined ? {} : { cert }),
          ...(key === undefined ? {} : { key }),
          ...(passphrase === undefined ? {} : { passphrase }),
          ...(ca === undefined ? {} : { ca: [...ca] }),
        });
  return { baseUrl, proxy: proxyFor?.(baseUrl), secureContext };
}

/** Like `openSocket`, with a reader for the arriving bytes. */
export async function openConnection(
  route: ConnectionRoute,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  return made(await openSocket(route, signal));
}

/**
 * Connects to the server of a route: directly, or through a proxy. For an `https:` address the proxy opens a
 * tunnel (CONNECT); for an `http:` address it handles the requests itself.
 */
export async function openSocket(
  { baseUrl, proxy, secureContext }: ConnectionRoute,
  signal?: AbortSignal,
): Promise<Socket> {
  const isSecure = baseUrl.protocol === 'https:';
  if (proxy === undefined)
    return isSecure ? secured(baseUrl, secureContext, signal) : connected(baseUrl, signal);
  const socket = await toProxy(proxy, secureContext, signal);
  if (!isSecure) return socket;
  await openTunnel(socket, proxy, `${baseUrl.hostname}:${portOf(baseUrl)}`, signal);
  return secured(baseUrl, secureContext, signal, socket);
}

/**
 * The changes of a request for a proxy without a tunnel: the whole address (RFC 9112, section 3.2.2), and the
 * credentials of the proxy. `undefined` if the server handles the request itself.
 */
export function forwarding({
  baseUrl,
  proxy,
}: ConnectionRoute): { readonly origin: string; readonly login: string | undefined } | undefined {
  if (proxy === undefined || baseUrl.protocol === 'https:') return undefined;
  return { origin: baseUrl.origin, login: proxyLogin(proxy) };
}

/** The likely reason if a server closes a connection without a response. */
export async function whyClosed(
  { asksForCertificate }: Connection,
  { baseUrl, proxy }: ConnectionRoute,
  hasCertificate: boolean,
): Promise<string | undefined> {
  if (baseUrl.protocol === 'https:') {
    if (!asksForCertificate) return undefined;
    return hasCertificate
      ? 'the server closed the connection after it had got the client certificate'
      : 'the server asked for a client certificate and closed the connection';
  }
  if (proxy !== undefined) return undefined;
  const [host, port] = [hostOf(baseUrl), portOf(baseUrl)];
  return (await speaksTls(host, port))
    ? `port ${port} speaks TLS, and the address begins with http:`
    : undefined;
}

// --- internal ---

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The `Proxy-Authorization` of a proxy whose address contains a user. */
function proxyLogin({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

function made(socket: Socket): Connection {
  return {
    socket,
    reader: new ByteReader(socket),
    onStray: () => void socket.destroy(),
    // The client only learns the server's algorithms if the server requested a certificate.
    asksForCertificate: socket instanceof TLSSocket && socket.getSharedSigalgs().length > 0,
  };
}

async function toProxy(
  proxy: URL,
  secureContext: SecureContext | undefined,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  try {
    return await (proxy.protocol === 'https:'
      ? secured(proxy, secureContext, signal)
      : connected(proxy, signal));
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw proxyError(proxy, error);
  }
}

async function openTunnel(
  socket: Socket,
  proxy: URL,
  authority: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const stop = (): void => void socket.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', stop, { once: true });
  const reader = new ByteReader(socket);
  const login = proxyLogin(proxy);
  const head = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(login === undefined ? [] : [`Proxy-Authorization: ${login}`]),
  ];
  try {
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const { status } = await readResponse(reader);
    if (status < 200 || status > 299) throw proxyError(proxy, status);
    reader.release();
  } catch (error) {
    socket.destroy();
    if (signal?.aborted === true) throw error;
    throw proxyError(proxy, error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function connected(url: URL, signal: AbortSignal | undefined): Promise<Socket> {
  return ready(connect({ host: hostOf(url), port: portOf(url), noDelay: true }), 'connect', signal);
}

/** @param tunnel the connection to use for TLS; without it, a new one */
function secured(
  url: URL,
  secureContext: SecureContext | undefined,
  signal: AbortSignal | undefined,
  tunnel?: Socket,
): Promise<Socket> {
  const host = hostOf(url);
  // The TLS socket reports errors of the socket below it.
  tunnel?.on('error', () => undefined);
  const secure = connectTls({
    host,
    ...(tunnel === undefined ? { port: portOf(url) } : { socket: tunnel }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(secureContext === undefined ? {} : { secureContext }),
    ALPNProtocols: ['http/1.1'],
  });
  secure.setNoDelay(true);
  return ready(secure, 'secureConnect', signal);
}

function ready<Kind extends Socket>(
  socket: Kind,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal | undefined,
): Promise<Kind> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void socket.destroy(signal?.reason as Error);
    const failed = (error: Error): void => {
      signal?.removeEventListener('abort', stop);
      reject(signal?.aborted === true ? error : connectionError(error));
    };
    const closed = (): void => failed(new Error('the connection was closed before it was established'));
    signal?.addEventListener('abort', stop, { once: true });
    socket.once('error', failed);
    socket.once('close', closed);
    socket.once(event, () => {
      signal?.removeEventListener('abort', stop);
      socket.off('error', failed);
      socket.off('close', closed);
      resolve(socket);
    });
  });
}
