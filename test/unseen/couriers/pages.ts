import { Refusal, type Answer, type Call, type Thing } from '../wire.ts';

interface PageOptions {
  /** The parameters that Link keeps, beside per_page. */
  readonly kept: readonly string[];
  readonly path: string;
  /** Where a page begins, other than by its number and its size. */
  readonly start?: (page: number, size: number, asked: number) => number;
}

/** A page of a list, with its headers. */
export function pageOf(call: Call, items: readonly Thing[], { kept, path, start }: PageOptions): Answer {
  const page = Number(call.query['page'] ?? 1);
  if (page < 1) throw new Refusal(400, 'invalid', 'The first page has the number 1.');
  const asked = Number(call.query['per_page'] ?? 20);
  const size = asked <= 0 ? 20 : Math.min(asked, 50);
  const first = start?.(page, size, asked) ?? (page - 1) * size;
  const more = page * size < items.length;
  const next = new URLSearchParams({ page: String(page + 1), per_page: String(size) });
  for (const name of kept) {
    const value = call.query[name];
    if (value !== undefined) next.set(name, value);
  }
  return {
    status: 200,
    headers: {
      'X-Total-Count': String(items.length),
      ...(more ? { Link: `<${path}?${next.toString()}>; rel="next"` } : {}),
    },
    json: items.slice(first, first + size),
  };
}
