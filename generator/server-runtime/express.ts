import { answer, originForm, type NodeRequest, type NodeResponse } from './node.ts';
import type { Server } from '../../engine/serve.ts';

export interface ExpressRequestLike extends NodeRequest {
  readonly originalUrl?: string;
}

/**
 * A middleware for express and compatible frameworks. Paths outside the API go to the next middleware. Mount it
 * before any middleware that reads bodies.
 */
export function expressServer(
  server: Pick<Server, 'exchange' | 'refuse' | 'serves'>,
): (request: ExpressRequestLike, response: NodeResponse, next: (error?: unknown) => void) => void {
  return (request, response, next) => {
    const target = originForm(request.originalUrl ?? request.url ?? '/');
    if (!server.serves(target)) {
      next();
      return;
    }
    answer(server, request, response, target).catch(next);
  };
}
