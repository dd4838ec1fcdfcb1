import { digest, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Has } from './lives.ts';

type Place = readonly [value: string | number, serial: number];

/** An item of a list, its place in the order, and whether it matches the filters. */
export interface Row {
  readonly item: Thing;
  readonly place: Place;
  readonly isWanted: boolean;
}

export interface List {
  readonly has: Has;
  readonly path: string;
  readonly owner: string;
  /** The parameters that the next page keeps, beside the limit. */
  readonly kept: readonly string[];
  readonly isDescending?: boolean;
  readonly sort?: string;
}

interface Mark {
  readonly place: Place;
  /** How many items and how many pages were before it. */
  readonly offset: number;
  readonly pages: number;
}

/** The page of a list that a call asks for. */
export function pageOf(call: Call, rows: readonly Row[], list: List): Answer {
  const { has, kept } = list;
  const asked = Number(call.query['limit'] ?? 20);
  const limit = asked <= 0 ? 20 : Math.min(asked, 100);
  const bound = JSON.stringify([list.owner, list.path, list.sort, kept.map((name) => call.query[name])]);
  const after = markOf(call.query['cursor'], bound);

  const isUnfiltered = has('third-page-unfiltered') && (after?.pages ?? 0) >= 2;
  const all = rows
    .filter(({ isWanted }) => isWanted || isUnfiltered)
    .toSorted((a, b) => (list.isDescending === true ? -1 : 1) * compared(a.place, b.place));
  const rest = after === undefined ? all : restOf(all, after, list);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  const isFull = has('full-last-page-has-more') && items.length === limit;
  const hasMore = rest.length > items.length || isFull;
  const next =
    hasMore && last !== undefined
      ? cursorOf(
          {
            place: last.place,
            offset: (after?.offset ?? 0) + items.length,
            pages: (after?.pages ?? 0) + 1,
          },
          bound,
        )
      : undefined;

  const query = new URLSearchParams({ limit: String(limit) });
  for (const name of [...kept, 'sort']) {
    const value = call.query[name];
    if (value !== undefined) query.set(name, value);
  }
  if (next !== undefined) query.set('cursor', next);
  return {
    status: 200,
    headers: next === undefined ? {} : { Link: `<${list.path}?${query.toString()}>; rel="next"` },
    json: {
      items: items.map(({ item }) => item),
      has_more: hasMore,
      limit,
      ...(next === undefined ? {} : { next_cursor: next }),
    },
  };
}

// --- internal ---

function restOf(all: readonly Row[], after: Mark, { has, sort, isDescending }: List): readonly Row[] {
  if (has('cursor-skips-after-delete')) return all.slice(after.offset);
  const isLost = has('equal-languages-lost') && sort?.endsWith('language') === true;
  return all.filter(({ place }) => {
    const order = isLost ? comparedValues(place[0], after.place[0]) : compared(place, after.place);
    return isDescending === true ? order < 0 : order > 0;
  });
}

const compared = (a: Place, b: Place): number => comparedValues(a[0], b[0]) || a[1] - b[1];

function comparedValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function cursorOf(mark: Mark, bound: string): string {
  const text = JSON.stringify(mark);
  return Buffer.from(`${digest(`${bound} ${text}`)}${text}`).toString('base64url');
}

function markOf(cursor: string | undefined, bound: string): Mark | undefined {
  if (cursor === undefined) return undefined;
  try {
    const mark = JSON.parse(Buffer.from(cursor, 'base64url').toString().slice(12)) as Mark;
    if (cursorOf(mark, bound) === cursor) return mark;
  } catch {
    // No page has given this cursor.
  }
  throw new Refusal(400, 'bad_cursor', 'No page of this list has given this cursor.');
}
