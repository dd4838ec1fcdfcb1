import { digest, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Has } from './things.ts';

interface Numbered {
  readonly path: string;
  /** The parameters that the next page has as well, beside per_page. */
  readonly kept: readonly string[];
  /** With what length has_more is found, if not that of the list. */
  readonly whole?: number;
}

/** The number and the size of the page that a call asks for. */
export function placeOf(call: Call): { readonly page: number; readonly size: number } {
  const page = Number(call.query['page'] ?? 1);
  if (page < 1) throw new Refusal(400, 'bad_page', 'The first page is 1.');
  return { page, size: sizeOf(call.query['per_page'], 50) };
}

/** A page with a number. */
export function numberedPage(call: Call, all: readonly Thing[], { path, kept, whole }: Numbered): Answer {
  const { page, size } = placeOf(call);
  const first = (page - 1) * size;
  const more = first + size < (whole ?? all.length);
  const next = new URLSearchParams({ page: String(page + 1), per_page: String(size) });
  for (const name of kept) {
    const value = call.query[name];
    if (value !== undefined) next.set(name, value);
  }
  return {
    status: 200,
    headers: more ? { Link: `<${path}?${next.toString()}>; rel="next"` } : {},
    json: {
      items: all.slice(first, first + size),
      page,
      per_page: size,
      total: all.length,
      has_more: more,
    },
  };
}

interface Row {
  /** Numbers ascend in a list. */
  readonly number: number;
  readonly shown: Thing;
}

/** What a cursor leads to: the rows after a number, or after a count of rows. */
interface Place {
  readonly after: number;
  readonly count: number;
  readonly size: number;
}

interface WithCursors {
  /** What a cursor belongs to: the list and its filter. */
  readonly bound: string;
  readonly has: Has;
}

/** A page with a cursor. */
export function cursorPage(call: Call, rows: readonly Row[], { bound, has }: WithCursors): Answer {
  const text = call.query['cursor'];
  const place = text === undefined ? undefined : opened(text, bound);
  const asked = sizeOf(call.query['limit'], 100);
  const limit = has('cursor-keeps-limit') && place !== undefined ? place.size : asked;
  const byCount = has('queue-cursor-is-offset') && bound.startsWith('queue');
  const start = byCount ? (place?.count ?? 0) : after(rows, place);
  const shown = rows.slice(start, start + limit);
  const last = shown.at(-1);
  const more = start + limit < rows.length;
  const next = { after: last?.number ?? 0, count: start + shown.length, size: limit };
  return {
    status: 200,
    json: {
      items: shown.map((row) => row.shown),
      limit,
      has_more: more,
      ...(more ? { next_cursor: sealed(next, bound) } : {}),
    },
  };
}

// --- internal ---

function sizeOf(text: string | undefined, most: number): number {
  const asked = Number(text ?? 20);
  return asked <= 0 ? 20 : Math.min(asked, most);
}

function after(rows: readonly Row[], place: Place | undefined): number {
  if (place === undefined) return 0;
  const at = rows.findIndex(({ number }) => number > place.after);
  return at === -1 ? rows.length : at;
}

function sealed(place: Place, bound: string): string {
  const text = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${text}.${digest(`${bound} ${text}`)}`;
}

function opened(cursor: string, bound: string): Place {
  const [text = '', seal] = cursor.split('.');
  if (`${text}.${String(seal)}` !== cursor || seal !== digest(`${bound} ${text}`)) {
    throw new Refusal(400, 'bad_cursor', 'No page of this list has given this cursor.');
  }
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Place;
}
