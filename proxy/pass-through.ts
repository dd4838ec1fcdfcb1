import { performance } from 'node:perf_hooks';
import { request as send } from 'node:http';
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import { forwarding, type ConnectionRoute } from '../conformance/http/connection.ts';
import { adviceFor } from '../conformance/http/connection-failure.ts';
import { authorityOf } from './base-path.ts';
import { BodyCopy, type CopyRoom } from './body-copy.ts';
import { endToEnd, pairsOf, valueOf, type RawHeaders } from './end-to-end-headers.ts';
import { codingsBesideChunks, framingOf } from './framing.ts';
import { endGently } from './gentle-close.ts';
import type { LoopMark } from './loops.ts';
import { ownAnswer } from './own-answer.ts';
import { RouteAgent } from './route-agent.ts';

/** One exchange that passed, from the first byte of its request to the last of its answer. */
export interface ForwardedExchange {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly method: string;
  /** As the client sent it. */
  readonly target: string;
  readonly requestHeaders: RawHeaders;
  readonly requestBody: CopiedBody;
  /** 0 if the server sent no answer. */
  readonly status: number;
  readonly responseHeaders: RawHeaders;
  readonly responseBody: CopiedBody;
  readonly informational: readonly number[];
  readonly delivery: 'delivered' | 'short' | 'dropped';
  /** Why the server's answer is not complete; absent if the client disconnected first. */
  readonly failure?: string;
  readonly fault?: 'closed' | 'cut' | 'dropped';
  /** Whether there was no connection, so that the request never reached the server. */
  readonly isUnsent?: boolean;
}

export interface CopiedBody {
  readonly body: Uint8Array;
  readonly truncated?: string;
}

export interface PassThroughOptions {
  /** To the server; the path of its address precedes every target. */
  readonly route: ConnectionRoute;
  /** The part of a target that follows the path of the server's address; default: the whole target. */
  readonly below?: (target: string) => string;
  /** The longest body that is copied, in bytes. Longer ones are passed on without a copy. */
  readonly longestCopy: number;
  readonly mark: LoopMark;
  /** Bytes of all copies at one time. */
  readonly room: CopyRoom;
  /** Called before the request is forwarded; the returned function is called when the exchange is over. */
  readonly onBegin: () => (passed: ForwardedExchange) => void;
  /** Aborted when the proxy ends, and cuts what is open. */
  readonly ending: AbortSignal;
}

/**
 * Forwards one request, and its answer.
 *
 * @param protocol what the connection may become, such as `websocket`
 */
export type ForwardRequest = (request: IncomingMessage, response: ServerResponse, protocol?: string) => void;

/**
 * Forwards every request to a server, and its answer to the client: bytes, order and case of headers,
 * trailers, informational answers, streams without delay, and broken connections. Only `Host` and hop-by-hop
 * headers change, and the server gets the mark of the proxy.
 */
export function passThrough(options: PassThroughOptions): ForwardRequest {
  const { route, below = (whole) => whole } = options;
  const target = route.baseUrl;
  const forwarded = forwarding(route);
  // An idle connection may be closed, and the request must then be sent again. So only requests that are safe
  // to repeat use one.
  const [idle, fresh] = [new RouteAgent(route, true), new RouteAgent(route, false)];
  const prefix = (forwarded?.origin ?? '') + target.pathname.replace(/\/$/, '');
  return (request, response, protocol) => {
    const { method = 'GET', url = '/', httpVersion, rawHeaders } = request;
    const framing = framingOf(rawHeaders);
    if (framing === undefined) {
      // Node refuses such a request itself; one that it lets through would have two ends.
      request.socket.destroy();
      return;
    }
    const hasBody = framing.kind !== 'none';
    const isRepeatable = (method === 'GET' || method === 'HEAD') && !hasBody;
    const headers = endToEnd(rawHeaders, target.host);
    // Optional in HTTP/1.0, but required in HTTP/1.1, which the proxy sends.
    if (httpVersion === '1.0' && valueOf(rawHeaders, 'host') === undefined)
      headers.unshift('Host', target.host);
    headers.push(...options.mark.header);
    if (protocol !== undefined) headers.push('Connection', 'Upgrade', 'Upgrade', protocol);
    if (framing.kind === 'chunked') headers.push('Transfer-Encoding', framing.codings);
    // Otherwise, Node would announce a chunked body where there is none.
    else if (!hasBody && !BODILESS.has(method)) headers.push('Content-Length', '0');
    if (forwarded?.login !== undefined) headers.push('Proxy-Authorization', forwarded.login);
    const open = (agent: Agent): ClientRequest => {
      const upstream = send({
        ...{ host: target.hostname.replace(/^\[|\]$/g, ''), port: target.port, method, agent },
        path: prefix + below(pathOf(url)),
        headers,
        setHost: false,
        maxHeaderSize: MOST_OF_HEADERS,
      });
      upstream.maxHeadersCount = ALL_HEADERS;
      return upstream;
    };
    const start = (): void => {
      new Passage(options, request, response).run(open, isRepeatable ? [idle, fresh] : [fresh]);
    };
    // Pipelined requests keep their order: Node assigns the socket when the previous answer is finished.
    if (response.socket === null) response.once('socket', start);
    else start();
  };
}

/** Bytes of the headers of one message. */
export const MOST_OF_HEADERS = 65_536;

/**
 * The limit for header lines, for Node: none, because their bytes are limited. Node would drop the lines beyond it without
 * a word, and with them the framing of a body.
 */
export const ALL_HEADERS = 0;

// --- internal ---

/** Methods whose requests Node sends without a body unless one is announced. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The target without the authority that clients of a proxy put before it. */
function pathOf(target: string): string {
  const authority = authorityOf(target);
  const path = authority === undefined ? target : target.slice(target.indexOf('://') + 3 + authority.length);
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

/** One exchange in progress. */
class Passage {
  readonly #mark: LoopMark;
  readonly #ending: AbortSignal;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #sent: BodyCopy;
  readonly #received: BodyCopy;
  readonly #over: (passed: ForwardedExchange) => void;
  readonly #startedAt = steadyNow();
  readonly #informational: number[] = [];
  #status = 0;
  #headers: RawHeaders = [];
  #failure: Pick<ForwardedExchange, 'failure' | 'fault' | 'isUnsent'> = {};
  #isOver = false;

  constructor(
    { room, longestCopy, mark, ending, onBegin }: PassThroughOptions,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#mark = mark;
    this.#ending = ending;
    this.#request = request;
    this.#response = response;
    this.#sent = new BodyCopy(room, longestCopy);
    this.#received = new BodyCopy(room, longestCopy);
    this.#over = onBegin();
    response.sendDate = false;
    const codings = codingsBesideChunks(request.rawHeaders);
    if (codings !== undefined) this.#sent.skip(`has the transfer codings "${codings}"`);
    request.on('data', (part: Buffer) => {
      this.#sent.add(part);
    });
    request.pause();
  }

  run(open: (agent: Agent) => ClientRequest, [agent, ...others]: readonly Agent[]): void {
    if (agent === undefined) return;
    const response = this.#response;
    const upstream = open(agent);
    const gone = (): void => {
      if (!response.writableFinished) upstream.destroy();
      this.#end(response.writableFinished ? 'delivered' : response.headersSent ? 'short' : 'dropped');
    };
    response.once('close', gone);
    upstream.on('information', (head: HeadOfAnswer & { readonly statusCode: number }) => {
      this.#informational.push(head.statusCode);
      if (head.statusCode === 100) response.writeContinue();
      // Node has no function that writes an arbitrary informational answer with its original headers.
      else if (this.#request.httpVersion !== '1.0') response.socket?.write(headOf(head));
    });
    upstream.once('response', (answer) => {
      this.#answer(answer);
    });
    upstream.once('upgrade', (answer: IncomingMessage, socket: Duplex, first: Uint8Array) => {
      response.off('close', gone);
      this.#switch(answer, socket, first);
    });
    upstream.once('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent || response.destroyed) return;
      const isStale = upstream.reusedSocket && CLOSED_BEFORE.has(error.code ?? '') && others.length > 0;
      if (isStale) {
        response.off('close', gone);
        this.run(open, others);
      } else this.#refuse(error);
    });
    // A body without framing would be a request of its own to the server.
    if (framingOf(this.#request.rawHeaders)?.kind === 'none') {
      upstream.end();
      return;
    }
    upstream.flushHeaders();
    this.#request.once('end', () => {
      if (this.#request.rawTrailers.length > 0) upstream.addTrailers(linesOf(this.#request.rawTrailers));
    });
    this.#request.pipe(upstream);
  }

  #answer(answer: IncomingMessage): void {
    const response = this.#response;
    const { statusCode = 0 } = answer;
    answer.once('error', () => undefined);
    const headers = endToEnd(answer.rawHeaders);
    const codings = codingsBesideChunks(answer.rawHeaders);
    if (this.#mark.isNoticedIn(answer.rawHeaders)) {
      answer.destroy();
      const reason = 'the server is this proxy itself, or leads back to it';
      this.#refuse(Object.assign(new Error(reason), { code: 'ELOOP' }));
      return;
    }
    if (framingOf(answer.rawHeaders) === undefined) {
      answer.destroy();
      this.#refuse(new Error('the answer states the length of its body in several ways'));
      return;
    }
    if (codings !== undefined && !this.#isBodiless(statusCode)) {
      if (this.#request.httpVersion === '1.0') {
        answer.destroy();
        this.#refuse(
          new Error(`the answer has the transfer codings "${codings}", which HTTP/1.0 does not have`),
        );
        return;
      }
      headers.push('Transfer-Encoding', codings);
      this.#received.skip(`has the transfer codings "${codings}"`);
    }
    try {
      this.#endUnlessWhole();
      response.writeHead(statusCode, answer.statusMessage ?? '', headers);
    } catch (error) {
      // Node parses some heads that it refuses to write, such as one with status 099.
      answer.destroy();
      this.#refuse(error as Error);
      return;
    }
    this.#status = statusCode;
    this.#headers = answer.rawHeaders;
    answer.on('data', (part: Buffer) => {
      this.#received.add(part);
    });
    answer.once('end', () => {
      if (answer.rawTrailers.length > 0) response.addTrailers(linesOf(answer.rawTrailers));
    });
    // The client gets the received bytes, without an end that the server did not send.
    answer.once('close', () => {
      if (answer.complete) return;
      response.flushHeaders();
      if (!response.destroyed)
        this.#failure = { failure: 'the connection was closed before the end of the body', fault: 'cut' };
      response.destroy();
    });
    // Most bodies have begun to arrive by then: head and body go out together.
    setImmediate(() => response.flushHeaders());
    answer.pipe(response);
  }

  /** A connection whose request is not over when its answer begins gets no other request. */
  #endUnlessWhole(): void {
    if (this.#request.complete) return;
    this.#response.shouldKeepAlive = false;
    endGently(this.#request.socket);
  }

  #isBodiless(status: number): boolean {
    return this.#request.method === 'HEAD' || status === 204 || status === 304;
  }

  /**
   * From here on the connection uses another protocol: its bytes are forwarded in both directions and not
   * copied.
   */
  #switch(answer: IncomingMessage, server: Duplex, first: Uint8Array): void {
    const client = this.#request.socket;
    this.#status = answer.statusCode ?? 0;
    this.#headers = answer.rawHeaders;
    this.#response.detachSocket(client);
    client.write(headOf(answer));
    client.write(first);
    // Each side ends when the other one does.
    pipeline(server, client, () => undefined);
    pipeline(client, server, () => {
      this.#end('delivered');
    });
  }

  /** The proxy's own answer if the server sends none (RFC 9209 defines its names). */
  #refuse(error: NodeJS.ErrnoException): void {
    const response = this.#response;
    const reason = error.message || error.code || 'no connection';
    this.#failure = {
      failure: `the connection was closed before any response: ${reason}`,
      fault: 'closed',
      isUnsent: NO_CONNECTION.has(error.code ?? ''),
    };
    const { headers, body } = ownAnswer({
      what: 'the server gave no answer',
      ...{ reason, help: adviceFor(reason) ?? REACHABLE },
      error: STATUS_OF[error.code ?? ''] ?? 'connection_terminated',
    });
    response.shouldKeepAlive = false;
    this.#endUnlessWhole();
    response.writeHead(502, headers);
    response.end(body);
    this.#request.resume();
  }

  #end(delivery: ForwardedExchange['delivery']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method = 'GET', url = '/', rawHeaders } = this.#request;
    this.#over({
      ...{ startedAt: this.#startedAt, endedAt: steadyNow() },
      ...{ method, target: url, requestHeaders: rawHeaders, requestBody: this.#sent.take() },
      ...{ status: this.#status, responseHeaders: this.#headers, responseBody: this.#received.take() },
      ...{ informational: this.#informational, delivery },
      ...(delivery === 'delivered' || this.#failure.fault !== undefined
        ? this.#failure
        : {
            failure: this.#ending.aborted ? 'the proxy was ended' : 'the client went away',
            fault: 'dropped' as const,
          }),
    });
  }
}

/** Epoch milliseconds that never jump, because this machine's clock may be set between two exchanges. */
function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

type HeadOfAnswer = Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'rawHeaders'>;

/** The head of an answer as text; sockets of the proxy write text as latin1. */
function headOf({ statusCode = 0, statusMessage = '', rawHeaders }: HeadOfAnswer): string {
  const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '\r\n'].join('\r\n');
}

function linesOf(raw: RawHeaders): [string, string][] {
  return pairsOf(raw).map(([name, value]) => [name, value]);
}

/** Errors that occur only before a connection is open. */
const NO_CONNECTION = new Set([
  'ELOOP',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const REACHABLE = 'Check that the server runs, and that the address given to the proxy is right.';

/** Errors of a request on a connection that the server has closed. */
const CLOSED_BEFORE = new Set(['ECONNRESET', 'EPIPE']);

/** Names of RFC 9209, section 2.3. */
const STATUS_OF: Readonly<Record<string, string>> = {
  ELOOP: 'proxy_loop_detected',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_terminated',
  ENOTFOUND: 'dns_error',
  EAI_AGAIN: 'dns_error',
  ETIMEDOUT: 'connection_timeout',
  EHOSTUNREACH: 'destination_ip_unroutable',
  ENETUNREACH: 'destination_ip_unroutable',
  HPE_HEADER_OVERFLOW: 'http_response_header_section_size',
};
