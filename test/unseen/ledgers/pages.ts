import { digest, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Has } from './things.ts';

export interface Row {
  /** What the list is sorted by: texts by their code points, numbers by their value. */
  readonly key: string | bigint;
  /** Where keys are equal, the lower number is the first one, in both directions. */
  readonly tie: number;
  readonly shown: Thing;
}

interface Listed {
  /** What a cursor belongs to, beside the filters and the order: the caller and the list. */
  readonly list: string;
  readonly path: string;
  /** The parameters that a cursor goes with. */
  readonly kept: readonly string[];
  readonly descending: boolean;
  readonly has: Has;
}

/** A page with a cursor. */
export function cursorPage(call: Call, rows: readonly Row[], listed: Listed): Answer {
  const { path, kept, descending, has } = listed;
  const bound = JSON.stringify([listed.list, ...kept.map((name) => call.query[name] ?? null)]);
  const limit = sizeOf(call.query['limit'], 100);
  const order = descending ? -1 : 1;
  const compared = (a: Place, b: Place): number => order * byKey(a.key, b.key) || a.tie - b.tie;
  const sorted = rows.toSorted(compared);
  const text = call.query['cursor'];
  const place = text === undefined ? undefined : opened(text, bound);
  const follows = (row: Row): boolean => {
    if (place === undefined) return true;
    return has('equal-keys-skipped') ? order * byKey(row.key, place.key) > 0 : compared(row, place) > 0;
  };
  const left = sorted.filter(follows);
  const shown = left.slice(0, limit);
  const last = shown.at(-1);
  const next = left.length > shown.length && last !== undefined ? sealed(last, bound) : undefined;
  const items = shown.map((row) => row.shown);
  if (next === undefined) return { status: 200, json: { items, limit, has_more: false } };
  const query = queryOf(call, kept);
  query.set('limit', String(limit));
  query.set('cursor', next);
  return {
    status: 200,
    headers: { Link: `<${path}?${query.toString()}>; rel="next"` },
    json: { items, limit, has_more: true, next_cursor: next },
  };
}

/** A page with a number. */
export function numberedPage(
  call: Call,
  matching: readonly Thing[],
  { path, kept, counted }: Pick<Listed, 'path' | 'kept'> & { readonly counted: number },
): Answer {
  const page = Number(call.query['page'] ?? 1);
  if (page < 1) throw new Refusal(400, 'bad_page', 'The first page is 1.');
  const size = sizeOf(call.query['per_page'], 50);
  const first = (page - 1) * size;
  const more = first + size < matching.length;
  const query = queryOf(call, kept);
  query.set('page', String(page + 1));
  query.set('per_page', String(size));
  return {
    status: 200,
    headers: {
      'X-Total-Count': String(counted),
      ...(more ? { Link: `<${path}?${query.toString()}>; rel="next"` } : {}),
    },
    json: {
      items: matching.slice(first, first + size),
      page,
      per_page: size,
      total: matching.length,
      has_more: more,
    },
  };
}

// --- internal ---

type Place = Pick<Row, 'key' | 'tie'>;

function byKey(a: Row['key'], b: Row['key']): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sizeOf(text: string | undefined, most: number): number {
  const asked = Number(text ?? 20);
  return asked <= 0 ? 20 : Math.min(asked, most);
}

/** The filters and the order of a call, for a link to its next page. */
function queryOf(call: Call, kept: readonly string[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of kept) {
    const value = call.query[name];
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

function sealed({ key, tie }: Place, bound: string): string {
  const plain = JSON.stringify({ key: String(key), tie, isNumber: typeof key === 'bigint' });
  const text = Buffer.from(plain).toString('base64url');
  return `${text}.${digest(`${bound} ${text}`)}`;
}

function opened(cursor: string, bound: string): Place {
  const [text = '', seal] = cursor.split('.');
  if (`${text}.${String(seal)}` !== cursor || seal !== digest(`${bound} ${text}`)) {
    throw new Refusal(400, 'bad_cursor', 'No page of this list has given this cursor.');
  }
  const plain = Buffer.from(text, 'base64url').toString();
  const { key, tie, isNumber } = JSON.parse(plain) as { key: string; tie: number; isNumber: boolean };
  return { key: isNumber ? BigInt(key) : key, tie };
}
