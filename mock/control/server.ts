import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isNestedDeeperThan } from '../../engine/nesting.ts';
import { ControlMistake } from './api-control.ts';
import { inspectorPage, PAGE_HEADERS, sendPage } from './page.ts';
import { streamControl, topicsOf } from './stream.ts';
import { control, controlState, type ControlAnswer } from './control.ts';
import { listen, stopServer, urlOf } from '../listen.ts';
import { isLoopback, isOwnHost } from '../own-hosts.ts';
import { followRequest } from './sending.ts';
import type { FollowedLine } from './calls-shape.ts';
import { NAMESPACE_HEADER } from '../namespace-header.ts';
import type { Namespaces, Steerable } from '../namespaces.ts';

export interface RunningControl {
  /** With its token, if one is required. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the control API and the inspector, its page, on a separate port, so that the API port serves only
 * the contract. Only pages of this port may write; requests for a foreign host name are refused. Beyond this
 * machine, everything requires a random token except the files of the page, which contain no data.
 */
export async function startControl(
  namespaces: Namespaces,
  options: {
    readonly host: string;
    readonly url: string;
    /** Of the API, in PEM form, where it serves TLS. */
    readonly certificate?: string;
    /** 0 takes any free one. */
    readonly port: number;
    readonly controlToken?: string;
  },
): Promise<RunningControl> {
  const { host } = options;
  const token =
    options.controlToken ?? (isLoopback(host) ? undefined : randomBytes(18).toString('base64url'));
  const server = createServer((request, response) => {
    const url = urlIn(request);
    if (url === undefined)
      return send(response, { status: 400, body: { error: 'The target is not a path.' } });
    const isPage = !url.pathname.startsWith(PREFIX);
    const refusal =
      refusalOf(request, host, token) ?? (isPage ? undefined : tokenMissing(request, url, token));
    if (refusal !== undefined) return send(response, refusal);
    const served = isPage
      ? servePage(url.pathname, request, response, options.certificate)
      : serveControl({ namespaces, url: options.url }, url, request, response);
    served.catch(() => {
      response.destroy();
    });
  });
  await listen(server, options.port, host);
  const url = urlOf(server, host);
  return {
    url: token === undefined ? url : `${url}/?token=${encodeURIComponent(token)}`,
    stop: () => stopServer(server),
  };
}

// --- internal ---

const PREFIX = '/control/v1/';

async function serveControl(
  api: { readonly namespaces: Namespaces; readonly url: string },
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = url.pathname.slice(PREFIX.length);
  const name = namespaceOf(request, url);
  const found = api.namespaces.find(name);
  if (found === undefined) {
    const error = `Namespace ${JSON.stringify(name)} does not exist. PUT /control/v1/namespaces/{name} creates it.`;
    send(response, { status: 404, body: { error } });
    return;
  }
  const { feed } = found;
  const target = { ...api, ...found };
  if (path === 'stream' && request.method === 'GET') {
    const since = Number(request.headers['last-event-id'] ?? url.searchParams.get('since') ?? 0);
    streamControl({ ...target, feed }, response, { since, state: () => controlState(target) });
    return;
  }
  let body: unknown;
  try {
    body = await readJson(request);
  } catch (error) {
    if (!(error instanceof ControlMistake)) throw error;
    send(response, { status: error.status, body: { error: error.message } });
    return;
  }
  const method = request.method ?? 'GET';
  if (path === 'requests' && method === 'POST' && url.searchParams.has('follow'))
    return follow(target, body, response);
  const answer = await control(target, { method, path, query: url.searchParams, body });
  send(response, answer);
  const topics = method === 'GET' || answer.status >= 400 ? [] : topicsOf(target.assembly, path);
  if (topics.length > 0) feed.tell(...topics);
}

/**
 * Forwards the answer to a request of the page line by line, so that an event stream is visible while it
 * runs.
 */
async function follow(
  target: Pick<Steerable, 'mock' | 'assembly'> & { readonly url: string },
  body: unknown,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort(new Error('the page went away'));
  });
  const write = (line: FollowedLine): void => {
    if (!response.headersSent)
      response.writeHead(200, {
        ...PAGE_HEADERS,
        'Content-Type': 'application/x-ndjson',
        'Cache-Control': 'no-store',
      });
    response.write(`${JSON.stringify(line)}\n`);
  };
  try {
    await followRequest(target, target.url, body, write, gone.signal);
    response.end();
  } catch (error) {
    if (!(error instanceof ControlMistake)) throw error;
    send(response, { status: error.status, body: { error: error.message } });
  }
}

async function servePage(
  path: string,
  { method }: IncomingMessage,
  response: ServerResponse,
  certificate: string | undefined,
): Promise<void> {
  const isRead = method === 'GET' || method === 'HEAD';
  const page = isRead ? await inspectorPage(path) : undefined;
  if (page !== undefined) sendPage(response, page);
  else if (isRead && path === '/certificate.pem' && certificate !== undefined)
    sendPage(response, {
      status: 200,
      headers: { 'Content-Type': 'application/x-pem-file', 'Cache-Control': 'no-store' },
      body: certificate,
    });
  else send(response, { status: 404, body: { error: `The control API is under ${PREFIX}.` } });
}

/** Requests that are refused before their body is read: other hosts (DNS rebinding) and other origins. */
function refusalOf(
  request: IncomingMessage,
  host: string,
  token: string | undefined,
): ControlAnswer | undefined {
  const named = request.headers.host ?? '';
  if (token === undefined && !isOwnHost(named, { host })) {
    return { status: 403, body: { error: `This is not ${named}.` } };
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${named}`) {
    return { status: 403, body: { error: `Pages of ${origin} may not control this mock.` } };
  }
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
  const type = request.headers['content-type'] ?? 'application/json';
  if (isWrite && !type.startsWith('application/json')) {
    // Any page can send a form without a preflight.
    return { status: 415, body: { error: 'Send application/json.' } };
  }
  return undefined;
}

function tokenMissing(
  request: IncomingMessage,
  url: URL,
  token: string | undefined,
): ControlAnswer | undefined {
  if (token === undefined || hasToken(request, url, token)) return undefined;
  return {
    status: 401,
    body: { error: 'Send the token of the printed address, as ?token= or as a bearer token.' },
  };
}

/** The target of a request; `undefined` if it is not a path, or names another host like `//host/path`. */
function urlIn({ url: target = '/', headers }: IncomingMessage): URL | undefined {
  if (!URL.canParse(target, 'http://control')) return undefined;
  const url = new URL(target, 'http://control');
  return url.host === 'control' || url.host === headers.host ? url : undefined;
}

/**
 * The namespace of a request: from a header, or from the address, which pages and event streams have to use.
 */
function namespaceOf({ headers }: IncomingMessage, url: URL): string | undefined {
  const named = headers[NAMESPACE_HEADER.toLowerCase()] ?? url.searchParams.get('namespace') ?? undefined;
  return Array.isArray(named) ? named[0] : named;
}

function hasToken(request: IncomingMessage, url: URL, token: string): boolean {
  const fromQuery = url.searchParams.get('token');
  const given = request.headers.authorization?.replace(/^Bearer /, '') ?? fromQuery ?? '';
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Large enough for snapshots. */
const LONGEST_BODY = 64 * 2 ** 20;
/** The number of levels. Code that uses `JSON.stringify` later must not overflow the stack. */
const DEEPEST_BODY = 200;

/** @throws {ControlMistake} for a body that is not JSON, too long, or nested too deeply */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY) throw new ControlMistake('The body is longer than 64 MiB.', 413);
    chunks.push(chunk);
  }
  if (length === 0) return undefined;
  const text = Buffer.concat(chunks).toString('utf8');
  const value = parseJson(text);
  if (isNestedDeeperThan(DEEPEST_BODY, text))
    throw new ControlMistake(`The body is nested deeper than ${String(DEEPEST_BODY)} levels.`);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlMistake('The body is not JSON.');
  }
}

function send(response: ServerResponse, { status, body }: ControlAnswer): void {
  response.writeHead(status, {
    ...PAGE_HEADERS,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
