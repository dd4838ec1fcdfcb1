import { type Answer, type Call, digest, Refusal, type Thing } from '../wire.ts';
import type { Has } from './things.ts';

/** A page of a list; its cursor names the last thing of the page. */
export const pageOf = (
  has: Has,
  call: Call,
  all: readonly Thing[],
  keyOf: (thing: Thing) => string,
  options: { readonly isDevices?: boolean; readonly descends?: boolean } = {},
): Answer => {
  const asked = Number(call.query['limit'] ?? 20);
  const limit = asked <= 0 ? 20 : Math.min(asked, 50);
  const cursor = call.query['cursor'];
  let from = 0;
  if (cursor !== undefined) {
    const after = openCursor(cursor);
    const at = all.findIndex((thing) => keyOf(thing) === after.key);
    // What was removed since then: the place is where it would be.
    from = at >= 0 ? at + 1 : Math.min(after.place, all.length);
    if (options.isDevices === true && has('page-repeats-edge') && from > 0) from -= 1;
  }
  const isShort = options.isDevices === true && has('largest-page-short') && limit === 50;
  const items = all.slice(from, from + limit);
  const end = from + items.length;
  const last = items.at(-1);
  const isRepeated =
    options.isDevices === true && has('page-repeats-edge') && cursor !== undefined && items.length < 2;
  const next =
    end < all.length && last !== undefined && !isRepeated
      ? sealCursor({ key: keyOf(last), place: end })
      : null;
  const shown = isShort ? items.slice(0, 49) : items;
  return {
    status: 200,
    json: { items: options.descends === true ? shown.toReversed() : shown, limit, next },
  };
};

// --- internal ---

function sealCursor(place: { readonly key: string; readonly place: number }): string {
  const text = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${text}.${digest(`cursor ${text}`)}`;
}

function openCursor(cursor: string): { readonly key: string; readonly place: number } {
  const [text = '', seal] = cursor.split('.');
  if (cursor.split('.').length !== 2 || seal !== digest(`cursor ${text}`))
    throw new Refusal(400, 'bad_cursor', 'No page has given this cursor.');
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as { key: string; place: number };
}
