import { nextLink } from '../contract/policies/link-header.ts';
import { memberAt } from '../contract/policies/member-at.ts';
import { nextNumber } from '../contract/policies/numbered-pages.ts';
import type { Outgoing } from './answer.ts';
import type { LooseReply } from './handler.ts';
import type { ServedOperation } from './served-api.ts';

/** Adds a link to the next page if the sheet requires it and the handler added none. */
export function linkNext(
  { pagination }: ServedOperation,
  { target }: { readonly target: string },
  input: Readonly<Record<string, unknown>>,
  { body, status }: LooseReply,
  { headers }: Pick<Outgoing, 'headers'>,
): void {
  if (pagination?.link !== true || status !== 200 || headers.has('link')) return;
  const { limitParameter, defaultLimit } = pagination;
  const given = input[limitParameter];
  const limit = typeof given === 'number' ? given : defaultLimit;
  const next = nextOf(pagination, body, input, limit);
  if (next !== undefined) headers.set('Link', nextLink(target, { ...next, [limitParameter]: String(limit) }));
}

// --- internal ---

/** The parameter that names the next page, and its value; `undefined` for the last page. */
function nextOf(
  policy: NonNullable<ServedOperation['pagination']>,
  body: unknown,
  input: Readonly<Record<string, unknown>>,
  limit: number,
): Readonly<Record<string, string>> | undefined {
  if (policy.kind === 'pagination') {
    const { more, next } = policy.page;
    const cursor = memberAt(body, next);
    const isLast = more !== undefined && memberAt(body, more) === false;
    return typeof cursor !== 'string' || cursor === '' || isLast
      ? undefined
      : { [policy.cursorParameter]: cursor };
  }
  const parameter = policy.pageParameter ?? policy.offsetParameter ?? '';
  const given = input[parameter];
  const number = nextNumber(policy, body, given === undefined ? undefined : Number(given), limit);
  return number === undefined ? undefined : { [parameter]: String(number) };
}
