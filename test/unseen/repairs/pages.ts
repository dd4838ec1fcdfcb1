import { Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Has } from './lives.ts';

interface Numbered {
  readonly path: string;
  /** The parameters that the next page keeps, beside the size. */
  readonly kept: readonly string[];
  /** Another total than the number of the items: only a server with the fault has one. */
  readonly total?: number;
}

/** The page with a number. */
export function numberedPage(call: Call, items: readonly Thing[], list: Numbered): Answer {
  const page = Number(call.query['page'] ?? 1);
  if (page < 1) throw new Refusal(400, 'invalid', 'There is no such page.');
  const asked = Number(call.query['per_page'] ?? 20);
  const size = asked <= 0 ? 20 : Math.min(asked, 50);
  const json = pageBody(items, page, size, list.total);
  const query = new URLSearchParams({ page: String(page + 1), per_page: String(size) });
  return {
    status: 200,
    headers: { 'X-Total-Count': String(json['total']), ...linkOf(call, json['more'] === true, query, list) },
    json,
  };
}

/** The facts and the items of a page with a number. */
export function pageBody(
  items: readonly Thing[],
  page: number,
  size: number,
  total: number = items.length,
): Thing {
  const from = (page - 1) * size;
  const more = from + size < items.length;
  return { items: items.slice(from, from + size), total, page, per_page: size, more };
}

/** The page of parts after so many others. */
export function offsetPage(call: Call, items: readonly Thing[], list: Numbered, has: Has): Answer {
  const offset = Number(call.query['offset'] ?? 0);
  if (offset < 0) throw new Refusal(400, 'invalid', 'There is no such offset.');
  const asked = Number(call.query['limit'] ?? 10);
  const most = has('limit-one-above') && asked === 41 ? 41 : 40;
  const limit = asked <= 0 ? 10 : Math.min(asked, most);
  const query = new URLSearchParams({ offset: String(offset + limit), limit: String(limit) });
  return {
    status: 200,
    headers: linkOf(call, offset + limit < items.length, query, list),
    json: { parts: items.slice(offset, offset + limit), total: items.length, offset, limit },
  };
}

/** Items in the order of a value; those with the same value stay as they are. */
export function sorted(items: readonly Thing[], sort: string, compare = comparedValues): readonly Thing[] {
  const direction = sort.startsWith('-') ? -1 : 1;
  const name = sort.replace(/^-/, '');
  return items.toSorted((a, b) => direction * compare(a[name], b[name]));
}

/** Numbers by their values, texts by the code points of their characters. */
export function comparedValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

// --- internal ---

function linkOf(
  call: Call,
  hasMore: boolean,
  query: URLSearchParams,
  list: Numbered,
): Record<string, string> {
  if (!hasMore) return {};
  for (const name of list.kept) {
    const value = call.query[name];
    if (value !== undefined) query.set(name, value);
  }
  return { Link: `<${list.path}?${query.toString()}>; rel="next"` };
}
