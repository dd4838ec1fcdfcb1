import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawRequest } from './call/exchange.ts';

/** A request of a node:http server. The journal keeps it for long, so it does not refer to its connection. */
export class NodeRequest implements RawRequest {
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

/**
 * The body of a request; `undefined` if the caller disconnected. Bytes beyond the limit are read and discarded, so that the caller
 * receives the answer.
 */
export function readBody(request: IncomingMessage, maximum: number): Promise<Uint8Array | undefined> {
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

// --- internal ---

/** The limit for reading the rest of a body, in bytes. */
const LONGEST_READ = 64 * 2 ** 20;

const NO_BODY = new Uint8Array();
