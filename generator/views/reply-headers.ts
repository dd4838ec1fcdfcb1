import { policyFor } from '../../contract/index.ts';
import { isOwnHeader } from '../../contract/served/served-bodies.ts';
import { isTagged } from '../../contract/served/served-policies.ts';
import type { ApiView, ApiOperation } from './api.ts';
import { headersOf } from './headers.ts';

/** The known headers of a handler's replies. */
export interface ReplyHeadersView {
  /** The type of the known ones, by status. */
  readonly type: string;
  /** Headers that the server adds to answers of this operation, in addition to those of every operation. */
  readonly own: readonly string[];
}

/** @returns `undefined` if no header of an answer is known */
export function replyHeadersView(api: ApiView, operation: ApiOperation): ReplyHeadersView | undefined {
  const known = knownNames(api, operation);
  if (known.length === 0) return undefined;
  return { type: operation.headersType, own: known.filter((name) => isTag(api, operation, name)) };
}

/**
 * Headers that the server adds to all answers, as the document writes them, so that handlers do not have to.
 */
export function ownHeaders(api: ApiView): readonly string[] {
  const isOwn = isOwnHeader(api.contract);
  const names = api.operations.flatMap((operation) => knownNames(api, operation).filter(isOwn));
  return [...new Set(names)].sort();
}

// --- internal ---

function knownNames(api: ApiView, operation: ApiOperation): string[] {
  return [...new Set(headersOf(api, operation).flatMap(({ headers }) => headers.map(({ name }) => name)))];
}

/** The server computes the tag for conditional reads, and for resources whose changes name their version. */
function isTag({ contract }: ApiView, { operation }: ApiOperation, name: string): boolean {
  const isMade = policyFor(operation, 'conditional-get') !== undefined || isTagged(contract, operation);
  return isMade && name.toLowerCase() === 'etag';
}
