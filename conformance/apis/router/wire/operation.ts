import type { Exchange } from '../../../exchanges/exchange.ts';

/** The operation and the model that a request addresses. */
export type RouterOperation = { readonly is: 'list' } | OperationOnModel;

export interface OperationOnModel {
  readonly is: 'detail' | 'run' | 'schema';
  readonly provider: string;
  readonly model: string;
}

/**
 * Only the four operations with well-formed segments, with or without a base path. A gateway may answer
 * unusual targets itself, and other routes promise nothing.
 */
export function operationOf({ request }: Pick<Exchange, 'request'>): RouterOperation | undefined {
  const [, provider, model, document] = PATH.exec(request.target.split('?')[0] ?? '') ?? [];
  const { method } = request;
  if (provider === undefined || model === undefined)
    return method === 'GET' && LIST.test(request.target) ? { is: 'list' } : undefined;
  const is = document !== undefined ? 'schema' : method === 'POST' ? 'run' : 'detail';
  return (is === 'run') === (method === 'POST') && (is === 'run' || method === 'GET')
    ? { is, provider, model }
    : undefined;
}

// --- internal ---

const LIST = /\/v1\/models(?:\?|$)/;
const PATH = /\/v1\/models\/([a-z0-9][a-z0-9._-]*)\/([a-z0-9][a-z0-9._-]*)(\/openapi\.json)?$/;
