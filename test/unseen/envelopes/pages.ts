import { digest, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Has } from './store.ts';

/** A thing of a list, and its place: by a value, then by a number. */
export interface Row {
  readonly item: Thing;
  readonly value: string | number;
  readonly number: number;
}

/** What a page has given for the next one. */
export interface Cursor {
  readonly owner: string;
  /** What the cursor belongs to, beside its account: the list, its filters and its order. */
  readonly bound: string;
  readonly value: string | number;
  readonly number: number;
  /** How many pages come before. */
  readonly pages: number;
}

interface Options {
  readonly owner: string;
  readonly bound: string;
  readonly path: string;
  readonly has: Has;
  readonly isDescending?: boolean;
  /** The list without its filters. */
  readonly whole?: readonly Row[];
}

/** The page of a list that a call asks for. */
export function pageOf(call: Call, rows: readonly Row[], options: Options): Answer {
  const { bound, path, has, isDescending = false, whole = rows } = options;
  const asked = Number(call.query['limit'] ?? 20);
  const limit = asked <= 0 ? 20 : Math.min(asked, 50);
  const cursor = cursorOf(call);
  const isOthers = cursor?.owner !== options.owner && !has('cursor-carries-account');
  if (cursor !== undefined && (cursor.bound !== bound || isOthers)) throw noCursor();
  const owner = cursor?.owner ?? options.owner;

  const comesAfter = (row: Row): boolean => {
    if (cursor === undefined) return true;
    const byValue = compared(row.value, cursor.value) * (isDescending ? -1 : 1);
    if (byValue !== 0) return byValue > 0;
    if (has('descending-ties-turn') && isDescending) return row.number < cursor.number;
    return row.number > cursor.number;
  };
  const rest = rows
    .filter(comesAfter)
    .toSorted((a, b) => compared(a.value, b.value) * (isDescending ? -1 : 1) || a.number - b.number);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const left = has('more-without-filter') ? whole.filter(comesAfter) : rest;
  if (last === undefined || left.length <= page.length) {
    return { status: 200, json: { data: page.map(({ item }) => item), paging: { limit, more: false } } };
  }
  const { value, number } = last;
  const next = sealed({ owner, bound, value, number, pages: (cursor?.pages ?? 0) + 1 });
  const query = new URLSearchParams({ ...call.query, cursor: next });
  if (has('link-without-sort')) query.delete('sort');
  return {
    status: 200,
    headers: { Link: `<${path}?${query.toString()}>; rel="next"` },
    json: { data: page.map(({ item }) => item), paging: { limit, more: true, next } },
  };
}

/** The cursor of a call; one that no page has given is refused. */
export function cursorOf(call: Call): Cursor | undefined {
  const text = call.query['cursor'];
  if (text === undefined) return undefined;
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString().slice(12)) as Cursor;
    if (sealed(cursor) === text) return cursor;
  } catch {
    // It is no cursor at all.
  }
  throw noCursor();
}

// --- internal ---

const noCursor = (): Refusal => new Refusal(400, 'bad_cursor', 'No page of this list has given this cursor.');

function sealed(cursor: Cursor): string {
  const text = JSON.stringify(cursor);
  return Buffer.from(`${digest(`seal of ${text}`)}${text}`).toString('base64url');
}

function compared(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
