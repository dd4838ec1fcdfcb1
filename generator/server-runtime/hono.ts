import type { Server } from '../../engine/serve.ts';

/** A handler for hono and its like: `app.all('*', honoServer(server))`. Paths that are none of the API go on. */
export function honoServer(
  server: Pick<Server, 'serves'> & ((request: Request) => Promise<Response>),
): (
  context: { readonly req: { readonly raw: Request } },
  next: () => Promise<void>,
) => Promise<Response | undefined> {
  return async (context, next) => {
    const { raw } = context.req;
    const url = new URL(raw.url);
    if (server.serves(url.pathname)) return server(raw);
    await next();
    return undefined;
  };
}
