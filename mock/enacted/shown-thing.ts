import type { LooseReply } from '../../engine/handler.ts';
import { successOf } from './declared-answers.ts';
import { tagOf } from './hash.ts';
import type { At } from './resource-access.ts';
import type { Row } from './tables.ts';
import { pathOf } from './thing.ts';

/**
 * The answer to a call on one thing, with its version and, if it is new, its path; `undefined` if the document declares one of another
 * form.
 *
 * @param statuses the successes of such a call, in order of preference
 */
export function shownThing(
  { collection, operation }: At,
  row: Row,
  statuses: readonly number[],
  { isGone = false }: { readonly isGone?: boolean } = {},
): LooseReply | undefined {
  const status = successOf(operation, statuses) ?? statuses[0] ?? 200;
  const headers: Record<string, string> = isGone ? {} : { ETag: tagOf(JSON.stringify(row.item)) };
  const { read } = collection.operations;
  if ((status === 201 || status === 202) && read !== undefined)
    headers['Location'] = pathOf(read, collection, row);
  const isBare =
    (operation.responses.find((each) => each.status === String(status))?.content ?? []).length === 0;
  if (isBare) return { status, headers };
  const body = collection.body(operation, status, row.item, row.id);
  return body === undefined ? undefined : { status, headers, body };
}

/** The successes of an action, in order of preference. */
export const ACTION_STATUSES = [200, 204, 202];
