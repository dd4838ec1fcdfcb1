import { findPolicy, policyFor, type Schema } from '../../contract/index.ts';
import { type Expression, jsString, objectExpression, valueExpression } from '../printing.ts';
import type { Api, ApiOperation } from './api.ts';
import { headersOf } from './headers.ts';
import { saysNothing, wireType } from './wire-type.ts';

/** What is known of the headers that a handler's replies have. */
export interface ReplyHeadersView {
  /** The type of the known ones by status. */
  readonly type: string;
  /** Those that the server sends by itself with answers to this operation, beside those of every operation. */
  readonly own: readonly string[];
}

/** @returns `undefined` where no header of an answer is known */
export function replyHeadersView(api: Api, operation: ApiOperation): ReplyHeadersView | undefined {
  const known = knownNames(api, operation);
  if (known.length === 0) return undefined;
  return { type: operation.headersType, own: known.filter((name) => isTag(operation, name)) };
}

/** Headers that the server sends by itself whatever the operation, as the document writes them: no handler has to. */
export function ownHeaders(api: Api): readonly string[] {
  const isOwn = ownOf(api);
  const names = api.operations.flatMap((operation) => knownNames(api, operation).filter(isOwn));
  return [...new Set(names)].sort();
}

/** By status: what the document says of headers that come from handlers, so far as an answer can fail to keep to it. */
export function replyHeadersExpression(
  api: Api,
  operation: ApiOperation,
  check: (schema: Schema, wish: string) => Expression | undefined,
): Expression | undefined {
  const isOwn = ownOf(api);
  const statuses = operation.responses.flatMap(({ status, headers }) => {
    const told = headers
      .filter(({ name, required, schema }) => !isOwn(name) && (required || !saysNothing(schema)))
      .map(({ name, required, explode, mediaType, schema }) => {
        const reads = wireType(schema, api.table, 3);
        return objectExpression([
          ['name', jsString(name)],
          ['required', required ? 'true' : undefined],
          [
            'style',
            mediaType !== undefined && /[/+]json\s*(?:;|$)/i.test(mediaType) ? jsString('json') : undefined,
          ],
          ['explode', explode ? 'true' : undefined],
          ['reads', JSON.stringify(reads) === '{"kinds":["string"]}' ? undefined : valueExpression(reads)],
          ['check', check(schema, `${name} header`)],
        ]);
      });
    return told.length === 0 ? [] : [[status, { list: told }] as const];
  });
  return statuses.length === 0 ? undefined : { members: statuses };
}

// --- internal ---

function knownNames(api: Api, operation: ApiOperation): string[] {
  return [...new Set(headersOf(api, operation).flatMap(({ headers }) => headers.map(({ name }) => name)))];
}

function ownOf({ contract, errorBuckets }: Api): (name: string) => boolean {
  const key = findPolicy(contract, 'idempotency');
  const own = [
    findPolicy(contract, 'headers')?.requestId,
    errorBuckets?.header,
    key?.mode === 'replay' ? key.replayHeader.name : undefined,
    ...OF_THE_TRANSPORT,
  ].map((name) => name?.toLowerCase());
  return (name) => own.includes(name.toLowerCase());
}

const OF_THE_TRANSPORT = ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** The server makes a tag of what it answers to conditional reads. */
function isTag({ operation }: ApiOperation, name: string): boolean {
  return policyFor(operation, 'conditional-get') !== undefined && name.toLowerCase() === 'etag';
}
