import type { Server } from '../../engine/serve.ts';

/** The used part of a hono context. */
export interface HonoContextLike {
  readonly req: {
    readonly raw: Request;
    /** Returns a body even if a middleware has read it before. */
    arrayBuffer?(): Promise<ArrayBuffer>;
  };
}

/**
 * A handler for hono and compatible frameworks: `app.all('*', honoServer(server))`. Other paths go to the next
 * handler.
 */
export function honoServer(
  server: Pick<Server, 'serves'> & ((request: Request) => Promise<Response>),
): (context: HonoContextLike, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (context, next) => {
    const { raw } = context.req;
    if (server.serves(new URL(raw.url).pathname)) return server(await readable(context.req));
    await next();
    return undefined;
  };
}

// --- internal ---

/** Hono stores a body that a middleware has read. */
async function readable(request: HonoContextLike['req']): Promise<Request> {
  const { raw } = request;
  if (!raw.bodyUsed || request.arrayBuffer === undefined) return raw;
  const body = await request.arrayBuffer();
  return new Request(raw.url, { method: raw.method, headers: raw.headers, body, signal: raw.signal });
}
