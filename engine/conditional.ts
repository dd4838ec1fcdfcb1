import { matchesIfNoneMatch } from '../contract/policies/conditional-get.ts';
import type { Outgoing } from './answer.ts';
import type { ServerRequest } from './handler.ts';
import { hashOf } from './keys.ts';
import type { ServedOperation } from './served-api.ts';

/** The answer without a body where the caller's copy is current (document 1, "GET …/openapi.json"). */
export async function unlessCurrent(
  operation: ServedOperation,
  request: ServerRequest,
  answer: Outgoing,
): Promise<Outgoing> {
  const { conditional } = operation;
  if (answer.status !== 200 || !(answer.body instanceof Uint8Array)) return answer;
  if (conditional !== undefined && !answer.headers.has('etag'))
    answer.headers.set('ETag', `"${(await hashOf('', '', answer.body)).slice(0, 32)}"`);
  const etag = answer.headers.get('etag') ?? undefined;
  const isServed = conditional !== undefined || Object.hasOwn(operation.responses, '304');
  const asked = request.headers.get('if-none-match') ?? undefined;
  if (!isServed || !matchesIfNoneMatch(asked, etag)) return answer;
  const kept = conditional?.keptHeaders ?? ['etag', 'cache-control', 'content-location', 'expires', 'vary'];
  const headers = new Headers();
  for (const name of kept) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return { status: conditional?.status ?? 304, headers, body: new Uint8Array() };
}
