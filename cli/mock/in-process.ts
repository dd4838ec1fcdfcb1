import type { Transport, WireRequest, WireResponse } from '../../conformance/index.ts';
import type { Handle } from '../../mock/index.ts';

/**
 * The suite's access to a mock without a socket. A call whose caller disconnects before the answer is settled
 * as dropped; one whose body is not read to its end, as short.
 */
export function inProcess(handle: Handle): Transport {
  const start = async (request: WireRequest): Promise<WireResponse> => {
    const { signal } = request;
    signal?.throwIfAborted();
    const { reply, settle } = await handle({
      method: request.method,
      target: request.target,
      rawHeaders: request.headers.flat(),
      body: request.body ?? new Uint8Array(),
      ...(signal === undefined ? {} : { signal }),
    });
    if (signal?.aborted === true) {
      settle('dropped');
      throw signal.reason as Error;
    }
    if (reply.cut === true) {
      settle('dropped');
      throw new Error('the connection was closed before any response');
    }
    return { status: reply.status, headers: reply.headers, body: readThrough(reply.body, settle) };
  };
  return start;
}

// --- internal ---

async function* readThrough(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  settle: (delivery: 'delivered' | 'short') => void,
): AsyncGenerator<Uint8Array, void> {
  let whole = false;
  try {
    if (body instanceof Uint8Array) {
      whole = true;
      settle('delivered');
      if (body.length > 0) yield body;
      return;
    }
    for await (const chunk of body) yield chunk;
    whole = true;
    settle('delivered');
  } finally {
    if (!whole) settle('short');
  }
}
