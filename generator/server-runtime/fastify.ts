import { answer, type NodeRequest, type NodeResponse, type Serving } from './node.ts';

/** The used part of a fastify instance. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { readonly bodyLimit?: number },
    parser: (request: never, payload: never, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => void): unknown;
}

export interface FastifyRequestLike {
  readonly raw: NodeRequest;
}

export interface FastifyReplyLike {
  readonly raw: NodeResponse;
  hijack(): unknown;
}

/**
 * A plugin for fastify: `app.register(fastifyServer(server))`. The server reads the bodies. This applies only to the
 * plugin's own context.
 */
export function fastifyServer(
  server: Serving,
): (app: FastifyLike, options: unknown, done: () => void) => void {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', {}, (_request, _payload, parsed) => {
      parsed(null);
    });
    app.all('/*', (request, reply) => {
      reply.hijack();
      void answer(server, request.raw, reply.raw, request.raw.url ?? '/').catch(() => reply.raw.destroy());
    });
    done();
  };
}
