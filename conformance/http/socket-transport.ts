import type { ByteReader } from './byte-reader.ts';
import { connectionError, proxyError } from './connection-failure.ts';
import { forwarding, openConnection, routeTo, whyClosed } from './connection.ts';
import type { Connection, ConnectionRoute, SocketOptions } from './connection.ts';
import { readResponse, writeRequest } from './http-message.ts';
import type { ResponseHead } from './http-message.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

/**
 * HTTP/1.1 on plain sockets: the target is sent unchanged, nothing is followed, and bytes after a bodyless
 * answer are visible. Reads reuse connections; a POST always gets a fresh one, because it must not be
 * repeated when a kept connection turns out to be closed.
 */
export function socketTransport(baseUrl: URL, options: SocketOptions = {}): Transport {
  const idle: Connection[] = [];
  const route = routeTo(baseUrl, options);
  /** Nothing is known about the peer yet: a silent close may have a detectable reason. */
  let isUnknown = true;
  let silence: Promise<string | undefined> | undefined;
  const keep = (connection: Connection): void => {
    if (idle.length >= (options.keep ?? 8) || connection.socket.destroyed)
      return (connection.socket.destroy(), undefined);
    connection.socket.unref();
    // Unsolicited bytes could only fill the memory.
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
      isUnknown = false;
      if (route.proxy !== undefined && head.status === 407) throw proxyError(route.proxy, 407);
      return { ...head, body: bodyOf(connection.reader, request, head, finish) };
    } catch (error) {
      finish(false);
      const isSilent = isUnknown && connection.reader.received === 0 && request.signal?.aborted !== true;
      if (isSilent) silence ??= whyClosed(connection, route, options.tls?.cert !== undefined);
      const why = isSilent ? await silence : undefined;
      throw why === undefined ? connectionError(error) : new Error(why, { cause: error });
    }
  };

  const send = async (request: WireRequest): Promise<WireResponse> => {
    request.signal?.throwIfAborted();
    const bytes = writeRequest(onRoute(request, route));
    const reused = isRead(request) ? kept() : undefined;
    if (reused === undefined) return exchange(await openConnection(route, request.signal), request, bytes);
    try {
      return await exchange(reused, request, bytes);
    } catch (error) {
      // A server may close a kept connection at any time, which shows nothing about this request. A reset is
      // reported.
      const isReset = error instanceof Error && (error as { code?: unknown }).code === 'ECONNRESET';
      if (reused.reader.received > 0 || isReset || request.signal?.aborted === true) throw error;
    }
    try {
      return await exchange(await openConnection(route, request.signal), request, bytes);
    } catch (error) {
      // With the first failure, which may be the moment at which the server stopped.
      if (error instanceof Error) error.message += '; before that, the server closed a kept connection';
      throw error;
    }
  };

  const prepare = async (request: WireRequest): Promise<() => Promise<WireResponse>> => {
    const bytes = writeRequest(onRoute(request, route));
    const connection = await openConnection(route, request.signal);
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

/** How long to wait for bytes after a bodyless answer. */
const AFTERMATH_MS = 400;

function onRoute(request: WireRequest, route: ConnectionRoute): WireRequest {
  const forwarded = forwarding(route);
  if (forwarded === undefined) return request;
  const { origin, login } = forwarded;
  // Any other target would tell the proxy where to send the request, and with it the credential.
  if (!request.target.startsWith('/') && request.target !== '*')
    throw new Error(
      `the target ${JSON.stringify(request.target.slice(0, 60))} cannot be sent through a proxy`,
    );
  return {
    ...request,
    target: `${origin}${request.target === '*' ? '' : request.target}`,
    headers: login === undefined ? request.headers : [...request.headers, ['Proxy-Authorization', login]],
  };
}

function isRead({ method }: WireRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** The body as its framing says (RFC 9112, section 6.3), and whether the connection can be reused. */
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
      // With `Connection: close`, everything up to the end comes from the server and is shown.
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
