import { matchesIfNoneMatch } from '../contract/policies/conditional-get.ts';
import type { Outgoing } from './answer.ts';
import type { ServerRequest } from './handler.ts';
import { hashOf } from './keys.ts';
import type { ServedOperation } from './served-api.ts';

/** Adds an entity tag to an answer if its operation has tags and the handler gave none. */
export async function tag(operation: ServedOperation, answer: Outgoing): Promise<void> {
  const { headers, body } = answer;
  if (isTagOwed(operation, answer) && body instanceof Uint8Array)
    headers.set('ETag', `"${(await hashOf('', '', body)).slice(0, 32)}"`);
}

/** The answer without a body if the caller's copy is current (document 1, "GET …/openapi.json"). */
export async function unlessCurrent(
  operation: ServedOperation,
  request: ServerRequest,
  answer: Outgoing,
): Promise<Outgoing> {
  const { conditional } = operation;
  if (isTagOwed(operation, answer)) await tag(operation, answer);
  if (answer.status !== 200 || !(answer.body instanceof Uint8Array)) return answer;
  const etag = answer.headers.get('etag') ?? undefined;
  const isRead = operation.method === 'GET' || operation.method === 'HEAD';
  const isServed = conditional !== undefined || (isRead && Object.hasOwn(operation.responses, '304'));
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

// --- internal ---

function isTagOwed({ conditional, isTagged }: ServedOperation, { status, headers, body }: Outgoing): boolean {
  if (headers.has('etag') || !(body instanceof Uint8Array)) return false;
  if (isTagged === true && body.length > 0 && (status === 200 || status === 201)) return true;
  return conditional !== undefined && status === 200;
}
