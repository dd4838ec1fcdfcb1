import type { Handle, Reply } from './exchange.ts';

/**
 * Answers a web Request. Its target has been normalised by whoever made it: `..` and `%2e` never arrive. A buffered
 * answer counts as delivered when it is handed over, a stream when it was read to its end.
 */
export async function fetchThrough(handle: Handle, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  const gone = new AbortController();
  const { reply, settle } = await handle({
    method: request.method,
    target: `${url.pathname}${url.search}`,
    rawHeaders: ['Host', url.host, ...[...request.headers].flat()],
    body,
    signal: AbortSignal.any([request.signal, gone.signal]),
  });
  if (request.signal.aborted) {
    settle('dropped');
    throw request.signal.reason;
  }
  if (reply.cut === true) {
    settle('dropped');
    throw new TypeError('fetch failed', { cause: new Error('the mock cut the connection') });
  }
  const init = {
    status: reply.status,
    headers: new Headers(reply.headers.map(([name, value]) => [name, value])),
  };
  if (reply.body instanceof Uint8Array) {
    settle('delivered');
    return new Response(mayHaveBody(reply) ? reply.body : null, init);
  }
  return new Response(streamOf(reply.body, settle, gone), init);
}

// --- internal ---

function mayHaveBody({ status, body }: Reply): boolean {
  return ![101, 204, 205, 304].includes(status) && body instanceof Uint8Array && body.length > 0;
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
      // First, while the call is still open: a stream that waits for news would otherwise go on waiting.
      gone.abort(new Error('the reader went away'));
      settle('short');
      await iterator.return?.();
    },
  });
}
