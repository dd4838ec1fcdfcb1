import type { Exchange } from '../../../exchange.ts';

/** The operation that a request is for, and the job that it names. */
export interface JobPlace {
  readonly is: 'submit' | 'read' | 'cancel' | 'stream';
  /** `undefined` for a submission. */
  readonly id: string | undefined;
}

export function placeOf({ request }: Pick<Exchange, 'request'>): JobPlace | undefined {
  // Its answer has no body that could be judged.
  if (request.method === 'HEAD') return undefined;
  const path = request.target.split('?')[0] ?? '';
  const [, id, action] = /\/api\/v2\/jobs(?:\/([^/]+)(?:\/(cancel|events))?)?$/.exec(path) ?? [undefined];
  if (id === undefined) return /\/api\/v2\/jobs$/.test(path) ? { is: 'submit', id } : undefined;
  return { is: action === 'cancel' ? 'cancel' : action === 'events' ? 'stream' : 'read', id };
}
