import { isRecord } from '../../contract/index.ts';
import type { PaginationPolicy } from '../../contract/policies/pagination.ts';
import type { Answer } from '../call/answer.ts';

/**
 * One page of a list, where the sheet says how an operation is walked: the items of the document's example, as many as the
 * request asks for, from its cursor on. Other answers stay as they are.
 *
 * @throws {RangeError} for a cursor that no page has given
 */
export function pageOfExample(policy: PaginationPolicy | undefined, answer: Answer, input: unknown): Answer {
  if (policy === undefined || answer.status !== 200 || answer.body.kind !== 'json' || !isRecord(input))
    return answer;
  const { value } = answer.body;
  const { page, limitParameter, cursorParameter, defaultLimit } = policy;
  const items = isRecord(value) ? value[page.items] : undefined;
  if (!isRecord(value) || !Array.isArray(items)) return answer;
  const wanted = input[limitParameter];
  const limit = typeof wanted === 'number' ? wanted : defaultLimit;
  const start = startOf(input[cursorParameter], items.length);
  const end = start + limit;
  const more = end < items.length;
  const { [page.next]: _next, ...others } = value;
  const body = {
    ...others,
    [page.items]: items.slice(start, end),
    [page.more]: more,
    [page.limit]: limit,
    ...(more ? { [page.next]: cursorAt(end) } : {}),
  };
  return { ...answer, body: { kind: 'json', value: body } };
}

// --- internal ---

function cursorAt(offset: number): string {
  return Buffer.from(`after ${String(offset)}`).toString('base64url');
}

function startOf(cursor: unknown, length: number): number {
  if (cursor === undefined) return 0;
  const [, digits] = /^after (\d{1,9})$/.exec(Buffer.from(String(cursor), 'base64url').toString()) ?? [];
  const offset = Number(digits);
  if (digits !== undefined && offset <= length && cursorAt(offset) === cursor) return offset;
  throw new RangeError('No page has given this cursor.');
}
