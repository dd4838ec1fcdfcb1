import { isRecord } from '../../contract/index.ts';
import type { JsonObject } from '../../contract/model.ts';
import { nextLink } from '../../contract/policies/link-header.ts';
import { memberAt } from '../../contract/policies/member-at.ts';
import type { PagesPolicy } from '../../contract/policies/pagination.ts';
import { type Answer, withHeaders } from '../call/answer.ts';
import { pathIn, put } from './put.ts';

/** A page of a list, with the related headers and members. */
export interface ExamplePage<Item> {
  readonly page: readonly Item[];
  /** By paths with dots. */
  readonly members: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The page that a request selects from all items of a list; all of them if the sheet declares no pages.
 *
 * @param path of the operation, for the address of the next page
 * @throws {RangeError} for a cursor that no page can have contained, and for a place before the first page
 */
export function paged<Item>(
  policy: PagesPolicy | undefined,
  items: readonly Item[],
  input: Readonly<Record<string, unknown>>,
  target: string,
): ExamplePage<Item> {
  if (policy === undefined) return { page: items, members: {}, headers: {} };
  const { limitParameter, defaultLimit } = policy;
  const wanted = input[limitParameter];
  const limit = typeof wanted === 'number' ? wanted : defaultLimit;
  const begin = beginOf(policy, input, { limit, length: items.length });
  const end = begin.start + limit;
  const more = end < items.length;
  const total = 'total' in (policy.page ?? {}) ? items.length : undefined;
  const place = 'place' in (policy.page ?? {}) ? begin.place : undefined;
  const next = more ? begin.at(end) : undefined;
  const link =
    policy.link === true && next !== undefined
      ? { Link: nextLink(target, { [begin.parameter]: next, [limitParameter]: String(limit) }) }
      : {};
  return {
    page: items.slice(begin.start, end),
    members: membersOf(policy, { more, limit, next, total, place }),
    headers: link,
  };
}

/**
 * One page of the example of a list. Other answers stay unchanged.
 *
 * @param call.needs whether the body of the answer needs a member
 */
export function pageOfExample(
  policy: PagesPolicy | undefined,
  answer: Answer,
  {
    input,
    target,
    needs,
  }: { readonly input: unknown; readonly target: string; readonly needs: (member: string) => boolean },
): Answer {
  if (policy === undefined || answer.status !== 200 || answer.body.kind !== 'json' || !isRecord(input))
    return answer;
  const { value } = answer.body;
  const member = policy.page?.items;
  const items = member === undefined ? value : memberAt(value, member);
  if (!Array.isArray(items)) return answer;
  const { page, members, headers } = paged(policy, items, input, target);
  const withPage = withHeaders(answer, Object.entries(headers));
  if (member === undefined || !isRecord(value)) return { ...withPage, body: { kind: 'json', value: page } };
  // The cursor of an example has no next page.
  const next = policy.kind === 'pagination' ? policy.page.next : undefined;
  const without =
    next === undefined ? value : put(value, pathIn(value, next), needs(next) ? null : undefined);
  const changed = Object.entries({ [member]: page, ...members }).reduce<unknown>(
    (body, [path, inner]) => put(body, pathIn(body, path), inner),
    without,
  );
  return { ...withPage, body: { kind: 'json', value: changed } };
}

// --- internal ---

interface Begin {
  readonly parameter: string;
  /** The index of the first item. */
  readonly start: number;
  /** The number or the offset of the page. */
  readonly place?: number;
  /** The parameters for the page that begins at an index. */
  readonly at: (index: number) => string;
}

function beginOf(
  policy: PagesPolicy,
  input: Readonly<Record<string, unknown>>,
  { limit, length }: { readonly limit: number; readonly length: number },
): Begin {
  if (policy.kind === 'pagination') {
    const parameter = policy.cursorParameter;
    return { parameter, start: startOf(input[parameter], length), at: cursorAt };
  }
  const { pageParameter, offsetParameter = '', firstPage = 1 } = policy;
  const parameter = pageParameter ?? offsetParameter;
  const given = input[parameter];
  const first = pageParameter === undefined ? 0 : firstPage;
  const number = given === undefined ? first : Number(given);
  if (number < first) throw new RangeError(`There is no page before ${parameter}=${String(first)}.`);
  return pageParameter === undefined
    ? { parameter, start: number, place: number, at: String }
    : {
        parameter,
        place: number,
        start: (number - firstPage) * limit,
        at: (index) => String(Math.floor(index / limit) + firstPage),
      };
}

function membersOf(
  policy: PagesPolicy,
  said: {
    readonly more: boolean;
    readonly limit: number;
    readonly next: string | undefined;
    readonly total: number | undefined;
    readonly place: number | undefined;
  },
): JsonObject {
  const { more, limit } = policy.page ?? {};
  const next = policy.kind === 'pagination' ? policy.page.next : undefined;
  const { total, place } = (policy.kind === 'pagination' ? undefined : policy.page) ?? {};
  return {
    ...(more === undefined ? {} : { [more]: said.more }),
    ...(limit === undefined ? {} : { [limit]: said.limit }),
    ...(next === undefined || said.next === undefined ? {} : { [next]: said.next }),
    ...(total === undefined || said.total === undefined ? {} : { [total]: said.total }),
    ...(place === undefined || said.place === undefined ? {} : { [place]: said.place }),
  };
}

function cursorAt(offset: number): string {
  return Buffer.from(`after ${String(offset)}`).toString('base64url');
}

function startOf(cursor: unknown, length: number): number {
  if (cursor === undefined) return 0;
  const [, digits] = /^after (\d{1,9})$/.exec(Buffer.from(String(cursor), 'base64url').toString()) ?? [];
  const offset = Number(digits);
  // Things can have been deleted since the cursor was given.
  if (digits !== undefined && cursorAt(offset) === cursor) return Math.min(offset, length);
  throw new RangeError('No page has given this cursor.');
}
