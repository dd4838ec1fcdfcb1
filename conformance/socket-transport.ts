import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ByteReader } from './byte-reader.ts';
import { readResponse, writeRequest } from './http-message.ts';
import type { ResponseHead } from './http-message.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

export interface SocketOptions {
  /** An HTTP proxy that opens tunnels (CONNECT). */
  readonly proxy?: URL;
  /** Idle connections that are kept; default 8. */
  readonly keep?: number;
}

/**
 * HTTP/1.1 on plain sockets: the target goes out as it is given, nothing is followed, and what a server sends behind a
 * bodyless answer is seen. Reads reuse connections; a POST always has a fresh one, because it must not be repeated when
 * a kept connection turns out to be dead.
 */
export function socketTransport(baseUrl: URL, options: SocketOptions = {}): Transport {
  const idle: Connection[] = [];
  const keep = (connection: Connection): void => {
    if (idle.length >= (options.keep ?? 8) || connection.socket.destroyed)
      return (connection.socket.destroy(), undefined);
    connection.socket.unref();
    // Nobody asked: what comes now could only fill the memory.
    connection.socket.once('data', connection.onStray);
    idle.push(connection);
  };
  const kept = (): Connection | undefined => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      connection.socket.off('data', connection.onStray);
      if (connection.reader.isQuiet() && !connection.socket.destroyed) {
        connection.socket.ref();
        return connection;
      }
      connection.socket.destroy();
    }
    return undefined;
  };

  const exchange = async (
    connection: Connection,
    request: WireRequest,
    bytes: Uint8Array,
  ): Promise<WireResponse> => {
    const stop = (): void => void connection.socket.destroy(request.signal?.reason as Error);
    request.signal?.addEventListener('abort', stop, { once: true });
    const finish = (reusable: boolean): void => {
      request.signal?.removeEventListener('abort', stop);
      if (reusable) keep(connection);
      else connection.socket.destroy();
    };
    try {
      connection.socket.write(bytes);
      const head = await readResponse(connection.reader);
      return { ...head, body: bodyOf(connection.reader, request, head, finish) };
    } catch (error) {
      finish(false);
      throw error;
    }
  };

  const send = async (request: WireRequest): Promise<WireResponse> => {
    request.signal?.throwIfAborted();
    const bytes = writeRequest(request);
    const reused = isRead(request) ? kept() : undefined;
    if (reused === undefined)
      return exchange(await open(baseUrl, options.proxy, request.signal), request, bytes);
    try {
      return await exchange(reused, request, bytes);
    } catch (error) {
      // A server may close a kept connection at any time; that says nothing about this request. A reset is worth a word.
      const isReset = error instanceof Error && (error as { code?: unknown }).code === 'ECONNRESET';
      if (reused.reader.received > 0 || isReset || request.signal?.aborted === true) throw error;
    }
    try {
      return await exchange(await open(baseUrl, options.proxy, request.signal), request, bytes);
    } catch (error) {
      // With the first failure, which may be the moment at which the server ended.
      if (error instanceof Error) error.message += '; before that, the server closed a kept connection';
      throw error;
    }
  };

  const prepare = async (request: WireRequest): Promise<() => Promise<WireResponse>> => {
    const bytes = writeRequest(request);
    const connection = await open(baseUrl, options.proxy, request.signal);
    const last = bytes.length - 1;
    await new Promise<void>((resolve) => connection.socket.write(bytes.subarray(0, last), () => resolve()));
    return () => exchange(connection, request, bytes.subarray(last));
  };

  return Object.assign(send, {
    prepare,
    close: (): void => idle.splice(0).forEach(({ socket }) => socket.destroy()),
  });
}

// --- internal ---

interface Connection {
  readonly socket: Socket;
  readonly reader: ByteReader;
  /** Ends it when bytes come that nobody asked for. */
  readonly onStray: () => void;
}

/** How long bytes behind a bodyless answer are waited for. */
const AFTERMATH_MS = 400;

function isRead({ method }: WireRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

async function open(
  baseUrl: URL,
  proxy: URL | undefined,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  const secure = baseUrl.protocol === 'https:';
  const port = Number(baseUrl.port) || (secure ? 443 : 80);
  const host = baseUrl.hostname.replace(/^\[|\]$/g, '');
  const plain =
    proxy === undefined
      ? connect({ host, port, noDelay: true })
      : await tunnel(proxy, `${baseUrl.hostname}:${port}`, signal);
  if (!secure) return ready(plain, proxy === undefined ? 'connect' : undefined, signal);
  if (proxy === undefined) await ready(plain, 'connect', signal);
  return ready(
    connectTls({
      socket: plain,
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ALPNProtocols: ['http/1.1'],
    }),
    'secureConnect',
    signal,
  );
}

async function tunnel(proxy: URL, authority: string, signal: AbortSignal | undefined): Promise<Socket> {
  const socket = connect({ host: proxy.hostname, port: Number(proxy.port) || 80 });
  const { reader } = await ready(socket, 'connect', signal);
  const login =
    proxy.username === ''
      ? ''
      : `Proxy-Authorization: Basic ${btoa(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`)}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`);
  const { status } = await readResponse(reader);
  reader.release();
  if (status !== 200) throw new Error(`the proxy ${proxy.host} refused the tunnel with ${status}`);
  return socket;
}

function ready(
  socket: Socket,
  event: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void socket.destroy(signal?.reason as Error);
    signal?.addEventListener('abort', stop, { once: true });
    const connected = (): void => {
      signal?.removeEventListener('abort', stop);
      socket.off('error', reject);
      resolve({ socket, reader: new ByteReader(socket), onStray: () => void socket.destroy() });
    };
    socket.once('error', reject);
    if (event === undefined) connected();
    else socket.once(event, connected);
  });
}

/** The body as its framing says (RFC 9112, section 6.3), and whether the connection can be used again. */
async function* bodyOf(
  reader: ByteReader,
  request: WireRequest,
  head: ResponseHead,
  finish: (reusable: boolean) => void,
): AsyncGenerator<Uint8Array, void> {
  let whole = false;
  const closing = [...request.headers, ...head.headers].some(
    ([name, value]) => name.toLowerCase() === 'connection' && /\bclose\b/i.test(value),
  );
  try {
    const framing = framingOf(request, head);
    if (framing === 'none') {
      // With `Connection: close` everything up to the end is the server's doing and shown.
      if (closing && request.method !== 'HEAD') yield* reader.untilQuiet(AFTERMATH_MS);
    } else if (framing === 'chunked') yield* reader.chunked();
    else if (framing === 'close') yield* reader.toEnd();
    else yield* reader.exactly(framing);
    whole = framing !== 'close';
  } finally {
    finish(whole && !closing && reader.isQuiet());
  }
}

function framingOf(request: WireRequest, head: ResponseHead): 'none' | 'chunked' | 'close' | number {
  if (request.method === 'HEAD' || head.status === 204 || head.status === 304) return 'none';
  const values = (wanted: string): readonly string[] =>
    head.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  if (values('transfer-encoding').some((value) => /\bchunked\b/i.test(value))) return 'chunked';
  const [length, ...others] = [...new Set(values('content-length'))];
  if (length === undefined) return 'close';
  if (others.length > 0)
    throw new Error(`the Content-Length headers differ: ${[length, ...others].slice(0, 5).join(' and ')}`);
  if (!/^\d+$/.test(length)) throw new Error(`"${length}" is not a valid Content-Length`);
  return Number(length);
}
