import { digest, Refusal, type Answer, type Call } from '../wire.ts';

/** An item of a list, and its place in the order. */
export interface Row {
  readonly item: unknown;
  readonly place: Place;
}

export type Place = readonly [value: string | number, key: string | number];

export interface Order {
  readonly compare: (a: Place, b: Place) => number;
  /** What a cursor belongs to: the list, its filters and its order. */
  readonly bound: string;
}

/** By value, then by key; the key ascends in both orders. */
export const byPlace =
  (isDescending: boolean) =>
  (a: Place, b: Place): number =>
    (isDescending ? -1 : 1) * compared(a[0], b[0]) || compared(a[1], b[1]);

/** The page of a list that a call asks for. */
export function pageOf(call: Call, rows: readonly Row[], { compare, bound }: Order): Answer {
  const limit = Math.min(Number(call.query['limit'] ?? 20), 50);
  const after = placeOf(call.query['cursor'], bound);
  const rest = rows
    .filter(({ place }) => after === undefined || compare(place, after) > 0)
    .toSorted((a, b) => compare(a.place, b.place));
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const more = rest.length > shown.length;
  const next = more && last !== undefined ? { next: cursorOf(last.place, bound) } : {};
  return { status: 200, json: { items: shown.map(({ item }) => item), more, ...next } };
}

// --- internal ---

function compared(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function cursorOf(place: Place, bound: string): string {
  const text = JSON.stringify(place);
  return Buffer.from(`${digest(`${bound} ${text}`)}${text}`).toString('base64url');
}

function placeOf(cursor: string | undefined, bound: string): Place | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString().slice(12);
  try {
    const place = JSON.parse(text) as Place;
    if (cursorOf(place, bound) === cursor) return place;
  } catch {
    // No page has given this cursor.
  }
  throw new Refusal(400, 'bad_cursor', 'No page of this list has given this cursor.');
}
