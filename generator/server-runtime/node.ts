import type { Delivery } from './keys.ts';
import { collect, type Exchange } from './exchange.ts';
import type { Server } from './serve.ts';

/** A request of `node:http`, by what is used of it. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
}

/** A response of `node:http`, by what is used of it. */
export interface NodeResponse {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  writeHead(status: number, headers: string[]): unknown;
  write(chunk: Uint8Array | string): boolean;
  end(chunk?: Uint8Array): unknown;
  destroy(): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
}

/** A server of `node:http`, by what is used of it. */
export interface NodeServer {
  on(event: string, listener: (...given: never[]) => void): unknown;
}

export type NodeListener = (request: NodeRequest, response: NodeResponse) => void;

/** What can stand where a server stands: one, or several of which the path picks one. */
export type Serving = Pick<Server, 'exchange' | 'refuse'>;

/** A listener for the `request` event of a server of `node:http`: `createServer(nodeListener(server))`. */
export function nodeListener(server: Serving): NodeListener {
  return (request, response) => {
    void answer(server, request, response, request.url ?? '/').catch(() => response.destroy());
  };
}

/**
 * Serves over a server of `node:http`, and answers what is no HTTP request as the API answers errors. What waits for a
 * `100 Continue` is looked at at once, so that a refusal costs nobody a body.
 */
export function attach(server: Serving, to: NodeServer): void {
  const listener = nodeListener(server);
  to.on('request', listener as (...given: never[]) => void);
  to.on('checkExpectation', listener as (...given: never[]) => void);
  to.on('clientError', ((_error: unknown, socket: NodeSocket): void => {
    if (!socket.writable) return;
    void server.refuse(400, 'This is no HTTP request that can be read.').then(({ headers, body, status }) => {
      const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
      socket.end(`HTTP/1.1 ${String(status)} Bad Request\r\n${lines}connection: close\r\n\r\n${text}`);
    });
  }) as (...given: never[]) => void);
}

/** Answers one request of `node:http`; for frameworks that hand theirs out. */
export async function answer(
  server: Serving,
  request: NodeRequest,
  response: NodeResponse,
  target: string,
): Promise<void> {
  const gone = new AbortController();
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the caller went away'));
      resolve();
    });
  });
  const exchange = await server.exchange({
    method: request.method ?? 'GET',
    target,
    headers: headersOf(request.rawHeaders),
    body: (mostBytes) => collect(request, mostBytes),
    signal: gone.signal,
  });
  const delivery = await deliver(exchange, response, closed, gone.signal);
  await exchange.settle(delivery);
}

// --- internal ---

interface NodeSocket {
  readonly writable: boolean;
  end(text: string): unknown;
}

/** An answer has arrived, as far as can be known here, when all of it was handed to the operating system. */
async function deliver(
  { status, headers, body }: Exchange,
  response: NodeResponse,
  closed: Promise<void>,
  gone: AbortSignal,
): Promise<Delivery> {
  if (gone.aborted || response.destroyed) return 'dropped';
  response.writeHead(status, rawHeaders(headers));
  if (body instanceof Uint8Array) {
    response.end(body);
    await closed;
    return response.writableFinished ? 'delivered' : 'short';
  }
  try {
    for await (const text of body) {
      if (gone.aborted) return 'short';
      if (!response.write(text)) await Promise.race([closed, drained(response)]);
    }
    response.end();
  } catch {
    // Cut, not ended: whoever reads must not take it for the whole.
    response.destroy();
  }
  await closed;
  return response.writableFinished ? 'delivered' : 'short';
}

function drained(response: NodeResponse): Promise<void> {
  return new Promise((resolve) =>
    response.once('drain', () => {
      resolve();
    }),
  );
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    try {
      headers.append(raw[index] ?? '', raw[index + 1] ?? '');
    } catch {
      // A header that no client could have meant is as good as none.
    }
  }
  return headers;
}

function rawHeaders(headers: Headers): string[] {
  const raw: string[] = [];
  headers.forEach((value, name) => raw.push(name, value));
  return raw;
}
