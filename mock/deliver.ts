import type { ServerResponse } from 'node:http';
import type { Delivery } from '../engine/delivery.ts';
import { isBytes, type SentReply } from './call/exchange.ts';

/** Sends an answer unchanged, and resolves with how much of it reached the socket. */
export async function deliver(reply: SentReply, response: ServerResponse): Promise<Delivery> {
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

// --- internal ---

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
