import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Assembly } from './assembly.ts';
import { requestOrigin } from './base-url.ts';
import { selfSigned, type Certificate } from './certificate.ts';
import { startControl, type RunningControl } from './control/server.ts';
import type { ControlState } from './control/shape.ts';
import { controlState } from './control/control.ts';
import type { Delivery } from '../engine/delivery.ts';
import { isBytes, type Handle, type RawRequest, type SentReply } from './call/exchange.ts';
import { startAssembly, type Mock, type SteerableMock, type Steered } from './mock.ts';
import { listen, stopServer, urlOf } from './listen.ts';
import type { MockOptions } from './options.ts';
import { Namespaces } from './namespaces.ts';
import { checkPorts, controlPortOf } from './ports.ts';

/** The options of `startMock`: those of a mock, and its addresses. */
export interface StartOptions extends MockOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Serve the API over TLS: with a certificate made for this start, or with the given one, in PEM form. */
  readonly https?: boolean | Certificate;
  /** The port of the control API; `false` for none. Default: the next port, or any free one. */
  readonly controlPort?: number | false;
  /** The token for the control port. Default: beyond this machine a random one, on this machine none. */
  readonly controlToken?: string;
}

/** A mock that listens on its ports. */
export interface RunningMock extends Omit<Mock, 'handle' | 'close' | 'url'> {
  /** Such as `http://127.0.0.1:4710`. */
  readonly url: string;
  readonly controlUrl: string | undefined;
  /** The certificate of the API with `https`, in PEM form, which clients have to trust. */
  readonly certificate?: string;
  /**
   * Answers a request of another Node server, so that a development server can serve the API under its own
   * address.
   *
   * @param baseUrl the address below which the request was sent, such as `http://localhost:5173/mock`; links
   * in answers begin with it. The target of the request must no longer contain its path.
   */
  readonly listener: Listener;
  /** A summary of the mock, as in `GET /control/v1/state`. */
  state(): ControlState;
  /** Cuts open connections and frees the ports. */
  stop(): Promise<void>;
}

/**
 * Starts a mock on a port. Resolves when it serves. Rejects when a port is in use or a contract cannot be
 * served; then no port is open, and no data folder is locked.
 *
 * @throws {RangeError} for invalid options, such as a port that `fetch` refuses to use
 */
export function startMock(
  options?: StartOptions & Steered,
): Promise<RunningMock & Pick<SteerableMock, 'clock'>>;
export function startMock(options: StartOptions): Promise<RunningMock>;
export async function startMock(options: StartOptions = {}): Promise<RunningMock> {
  const { port = 0, host = '127.0.0.1', controlToken } = options;
  checkPorts(options);
  const { mock, assembly } = startAssembly(options);
  const { handle: _alone, url: _nowhere, close, ...rest } = mock;
  const open: Pick<RunningControl, 'stop'>[] = [];
  let namespaces: Namespaces | undefined;
  const stop = async (): Promise<void> => {
    close();
    namespaces?.close();
    await Promise.all(open.map((each) => each.stop()));
  };
  try {
    const made = new Namespaces(options, { mock, assembly: await assembly });
    namespaces = made;
    const { handle } = made;
    const certificate = certificateOf(options, host);
    const server = serve(handle, await assembly, certificate);
    await listen(server, port, host);
    open.push({ stop: () => stopServer(server) });
    const url = urlOf(server, host);
    const target = { mock, assembly: await assembly, url, namespaces: made };
    const listener = listenerOf(handle, await assembly);
    const reload: Mock['reload'] = (...documents) => made.reload(...documents);
    const secured = certificate === undefined ? {} : { certificate: certificate.cert };
    const running = { ...rest, ...secured, reload, url, listener, state: () => controlState(target), stop };
    const controlPort = controlPortOf(options);
    if (controlPort === false) return { ...running, controlUrl: undefined };
    const control = await startControl(made, {
      host,
      url,
      ...secured,
      port: controlPort,
      ...(controlToken === undefined ? {} : { controlToken }),
    });
    open.push(control);
    return { ...running, controlUrl: control.url };
  } catch (error) {
    await stop();
    throw error;
  }
}

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

function listenerOf(
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

function certificateOf({ https = false }: StartOptions, host: string): Certificate | undefined {
  if (typeof https !== 'boolean') return https;
  if (!https) return undefined;
  const here = ['localhost', '*.localhost', '127.0.0.1', '::1'];
  const isNamed = !here.includes(host) && (isIP(host) !== 0 || /^[\w.-]+$/.test(host));
  return selfSigned(isNamed ? [...here, host] : here);
}

/** Node's codes for unreadable bytes that are not answered with 400. */
const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function bytesOf({ status, headers, body }: SentReply): Buffer {
  const bytes = isBytes(body) ? body : NO_BODY;
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
  const { reply, settle } = await handle(new Received(request, response, body, baseUrl));
  settle(await deliver(reply, response));
}

/** A received request. The journal keeps it for long, so it does not refer to its connection. */
class Received implements RawRequest {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  readonly baseUrl?: string;
  #response: ServerResponse | undefined;
  #gone: AbortController | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    body: Uint8Array,
    baseUrl: string | undefined,
  ) {
    if (baseUrl !== undefined) this.baseUrl = baseUrl;
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '/';
    this.rawHeaders = request.rawHeaders;
    this.body = body;
    this.#response = response;
    response.once('close', () => {
      if (!response.writableFinished) this.#leave();
      this.#response = undefined;
    });
  }

  /** Made on first use, because most calls never wait. */
  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController();
      if (this.#response === undefined || this.#response.destroyed) this.#leave();
    }
    return this.#gone.signal;
  }

  #leave(): void {
    this.#gone?.abort(new Error('the caller went away'));
  }
}

/** The limit for reading the rest of a body, in bytes. */
const LONGEST_READ = 64 * 2 ** 20;

const NO_BODY = new Uint8Array();

/**
 * `undefined` if the caller disconnected. Bytes beyond the limit are read and discarded, so that the caller
 * receives the answer.
 */
function readBody(request: IncomingMessage, maximum: number): Promise<Uint8Array | undefined> {
  const { headers, httpVersionMajor } = request;
  const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  // A body over HTTP/2 needs neither header.
  if (!hasLength && httpVersionMajor < 2) {
    request.resume();
    return Promise.resolve(NO_BODY);
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    let read = 0;
    request.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > LONGEST_READ) request.destroy();
      if (kept > maximum) return;
      chunks.push(chunk);
      kept += chunk.length;
    });
    request.once('end', () => {
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
    const lost = (): void => {
      resolve(undefined);
    };
    request.once('error', lost).once('close', lost);
  });
}

async function deliver(reply: SentReply, response: ServerResponse): Promise<Delivery> {
  if (response.destroyed) return 'dropped';
  if (reply.cut === true) {
    response.destroy();
    return 'dropped';
  }
  const finished = new Promise<Delivery>((resolve) => {
    response.once('finish', () => {
      resolve('delivered');
    });
    response.once('close', () => {
      resolve('short');
    });
  });
  const headers = reply.headers.flat();
  if (isBytes(reply.body)) {
    const hasBody = response.req.method !== 'HEAD' && ![204, 304].includes(reply.status);
    if (hasBody) headers.push('Content-Length', String(reply.body.length));
    response.writeHead(reply.status, headers);
    response.end(reply.body);
    return finished;
  }
  response.writeHead(reply.status, headers);
  let reached = false;
  try {
    for await (const chunk of reply.body) {
      if (chunk.length === 0) continue;
      // One piece at a time: nothing is written to a caller that does not read, so it is known how much was
      // sent.
      if (!(await written(response, chunk))) return reached ? 'short' : 'dropped';
      reached = true;
    }
  } catch {
    response.destroy();
    return reached ? 'short' : 'dropped';
  }
  response.end();
  return finished;
}

/** Resolves with whether a piece was passed to the socket. */
function written(response: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const closed = (): void => {
      resolve(false);
    };
    if (response.destroyed) return closed();
    response.once('close', closed);
    response.write(chunk, (error) => {
      response.off('close', closed);
      resolve(error === null || error === undefined);
    });
  });
}
