import type { ServerRequest } from './handler.ts';
import type { Delivery } from './delivery.ts';

/** The answer to a request, with a function to report its delivery. */
export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  /** Bytes, or what arrives over time; empty if the answer has no body. */
  readonly body: Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Whether to close the connection after the answer, because the server shuts down. */
  readonly isLast: boolean;
  /** Must be called exactly once: keys and capacity are released depending on the delivery of the answer. */
  settle(delivery: Delivery): Promise<void>;
}

/** A body was read before it reached the server; the message says what to do. */
export class BodyTaken extends Error {
  override readonly name = 'BodyTaken';
  constructor(advice: string) {
    super(`The body of this request was read before it reached the server: ${advice}.`);
  }
}

/** The request of a fetch handler; its URL has been normalised already. */
export function requestOf(request: Request): ServerRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: url.pathname + url.search,
    headers: request.headers,
    signal: request.signal,
    body: async (mostBytes) => {
      if (request.bodyUsed) throw new BodyTaken('hand over the request before anything reads it, or a clone');
      return request.body === null ? new Uint8Array() : collect(chunksOf(request.body), mostBytes);
    },
  };
}

/** The part of a target after its first question mark. */
export function queryOf({ target }: Pick<ServerRequest, 'target'>): string {
  return target.split('?').slice(1).join('?');
}

/**
 * The answer of a fetch handler. It counts as delivered when its body has been read to the end, because fetch
 * handlers cannot observe more.
 */
export function responseOf(
  { status, headers, body, settle }: Exchange,
  request: Pick<Request, 'signal' | 'method'>,
): Response {
  let settled = false;
  const once = (delivery: Delivery): Promise<void> => {
    if (settled) return Promise.resolve();
    settled = true;
    return settle(delivery);
  };
  if (request.signal.aborted) {
    void once('dropped');
    return new Response(null, { status: 499, headers });
  }
  if (body instanceof Uint8Array && (body.length === 0 || request.method === 'HEAD' || isBodyless(status))) {
    void once('delivered');
    return new Response(null, { status, headers });
  }
  const iterator = body instanceof Uint8Array ? undefined : body[Symbol.asyncIterator]();
  let hasBegun = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (body instanceof Uint8Array && !hasBegun) {
          hasBegun = true;
          controller.enqueue(body);
          return;
        }
        let next: IteratorResult<string | Uint8Array> | undefined;
        try {
          next = await iterator?.next();
        } catch (error) {
          await once(hasBegun ? 'short' : 'dropped');
          throw error;
        }
        if (next === undefined || next.done === true) {
          await once('delivered');
          controller.close();
          return;
        }
        hasBegun = true;
        const { value } = next;
        controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value);
      },
      cancel() {
        void once(hasBegun ? 'short' : 'dropped');
        void Promise.resolve(iterator?.return?.()).catch(() => undefined);
      },
    },
    // Nothing is produced before the consumer pulls.
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}

/** The bytes of a stream; `undefined` if there are more than `mostBytes`. Reading stops there. */
export async function collect(
  chunks: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    parts.push(chunk);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * The chunks of a stream. Ending the iteration early does not cancel the stream, because that could close the
 * connection of the answer.
 */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Whether answers with this status never have a body. */
export function isBodyless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
