import { isRecord } from '../contract/index.ts';
import { basePathOf } from './base-url.ts';
import { isBytes, type Handle, type SentReply } from './call/exchange.ts';

/** Has the parameters of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The `fetch` of a mock at a base address. A path is relative to that.
 *
 * @param hold keeps a clock that moves by itself from advancing until the returned function is called
 */
export function fetchOf(handle: Handle, baseUrl: string, hold: () => () => void): Fetch {
  const base = new URL(baseUrl);
  return async (input, init) => {
    const request = requestOf(input, init, base);
    return fetchThrough(handle, request, await bodyOf(request, hold), base);
  };
}

/** Whether a `fetch` rejected because the mock cut the connection, as some scenarios do. */
export function isLostConnection(error: unknown): boolean {
  return isRecord(error) && isRecord(error['cause']) && error['cause']['code'] === CONNECTION_LOST;
}

// --- internal ---

/**
 * Answers a web Request. `..` and `%2e` never arrive, because the Request has normalised them. A buffered
 * answer counts as delivered when it is returned, a stream when it was read to its end.
 */
async function fetchThrough(
  handle: Handle,
  request: Request,
  body: Uint8Array,
  base: URL,
): Promise<Response> {
  const url = new URL(request.url);
  const prefix = url.host === base.host ? prefixOf(url, basePathOf(base)) : '';
  const gone = new AbortController();
  // Not AbortSignal.any: if the environment has its own classes, it accepts only signals of one of them.
  const leave = (): void => {
    gone.abort(request.signal.reason);
  };
  if (request.signal.aborted) leave();
  else request.signal.addEventListener('abort', leave, { once: true });
  const { reply, settle } = await handle({
    method: request.method,
    target: `${url.pathname.slice(prefix.length)}${url.search}`,
    rawHeaders: ['Host', url.host, ...[...request.headers].flat()],
    body,
    baseUrl: `${url.protocol}//${url.host}${prefix}`,
    signal: gone.signal,
  });
  if (request.signal.aborted) {
    settle('dropped');
    throw request.signal.reason;
  }
  if (reply.cut === true) {
    settle('dropped');
    throw lostConnection();
  }
  const init = {
    status: reply.status,
    headers: new Headers(reply.headers.map(([name, value]) => [name, value])),
  };
  if (isBytes(reply.body)) {
    settle('delivered');
    return new Response(mayHaveBody(reply.status, reply.body) ? reply.body : null, init);
  }
  return new Response(streamOf(reply.body, settle, gone), init);
}

/**
 * Reading a Blob takes a few turns of the event loop in which no code uses the clock. A body that takes more of them may
 * wait for the clock itself.
 */
async function bodyOf(request: Request, hold: () => () => void): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const release = hold();
  let isRead = false;
  const wait = (turns: number): void => {
    if (isRead || turns === 0) release();
    else setImmediate(wait, turns - 1);
  };
  wait(MOST_TURNS);
  try {
    return new Uint8Array(await request.arrayBuffer());
  } finally {
    isRead = true;
    release();
  }
}

const MOST_TURNS = 50;

/** Detected by its members: a Request of Node and one of the environment are instances of different classes. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && 'arrayBuffer' in input;
}

function requestOf(input: string | URL | Request, init: RequestInit | undefined, base: URL): Request {
  if (!isRequest(input)) return new Request(addressOf(input, base), init);
  if (init === undefined) return input;
  const OwnRequest = input.constructor as typeof Request;
  return new OwnRequest(input, init);
}

function addressOf(input: string | URL, base: URL): URL {
  const path = basePathOf(base);
  const isPath = typeof input === 'string' && /^\/(?!\/)/.test(input);
  return new URL(isPath ? path + input : input, `${base.origin}${path}/`);
}

/** The base path if a URL is below it; otherwise empty, because the mock also answers without a base path. */
function prefixOf({ pathname }: URL, basePath: string): string {
  return pathname.startsWith(`${basePath}/`) ? basePath : '';
}

/** The error with which Node's `fetch` rejects when a server resets the connection. */
function lostConnection(): TypeError {
  const cause = Object.assign(new Error('the mock cut the connection'), { code: CONNECTION_LOST });
  return new TypeError('fetch failed', { cause });
}

const CONNECTION_LOST = 'ECONNRESET';

function mayHaveBody(status: SentReply['status'], body: Uint8Array): boolean {
  return ![101, 204, 205, 304].includes(status) && body.length > 0;
}

function streamOf(
  chunks: AsyncIterable<Uint8Array>,
  settle: (delivery: 'delivered' | 'short') => void,
  gone: AbortController,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done !== true) {
          controller.enqueue(value);
          return;
        }
        settle('delivered');
        controller.close();
      } catch (error) {
        settle('short');
        controller.error(error);
      }
    },
    async cancel() {
      // First, while the call is still open: otherwise a stream that waits for events would never end.
      gone.abort(new Error('the reader went away'));
      settle('short');
      await iterator.return?.();
    },
  });
}
