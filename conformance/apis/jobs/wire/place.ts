import type { Exchange } from '../../../exchanges/exchange.ts';

/** The operation of a request, and the job that it addresses. */
export interface JobPlace {
  readonly is: 'submit' | 'read' | 'cancel' | 'stream';
  /** `undefined` for a submission. */
  readonly id: string | undefined;
}

export function placeOf({ request }: Pick<Exchange, 'request'>): JobPlace | undefined {
  // Its answer has no body to judge.
  if (request.method === 'HEAD') return undefined;
  const path = request.target.split('?')[0] ?? '';
  const [, id, action] = /\/api\/v2\/jobs(?:\/([^/]+)(?:\/(cancel|events))?)?$/.exec(path) ?? [undefined];
  if (id === undefined) return /\/api\/v2\/jobs$/.test(path) ? { is: 'submit', id } : undefined;
  return { is: action === 'cancel' ? 'cancel' : action === 'events' ? 'stream' : 'read', id };
}
