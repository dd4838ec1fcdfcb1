import { Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Has } from './store.ts';

interface PageOptions {
  readonly path: string;
  /** The parameters that Link keeps, beside per_page. */
  readonly kept: readonly string[];
  readonly has: Has;
}

/** The number and the size of the page that a call asks for. */
export function askedPage(call: Call): { readonly page: number; readonly size: number } {
  const page = Number(call.query['page'] ?? 1);
  if (page < 1) throw new Refusal(400, 'bad_page', 'The first page has the number 1.');
  const asked = Number(call.query['per_page'] ?? 20);
  return { page, size: asked <= 0 ? 20 : Math.min(asked, 50) };
}

/** A page of a list, and the way to the next one. */
export function pageOf(call: Call, items: readonly Thing[], { path, kept, has }: PageOptions): Answer {
  const { page, size } = askedPage(call);
  const isFull = page * size === items.length && has('last-full-page-links');
  const more = page * size < items.length || isFull;
  const next = new URLSearchParams({ page: String(page + 1), per_page: String(size) });
  for (const name of kept) {
    const value = call.query[name];
    if (value !== undefined) next.set(name, value);
  }
  return {
    status: 200,
    headers: more ? { Link: `<${path}?${next.toString()}>; rel="next"` } : {},
    json: {
      items: items.slice((page - 1) * size, page * size),
      total: items.length,
      page,
      per_page: size,
    },
  };
}
