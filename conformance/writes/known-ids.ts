import { isRecord } from '../../contract/index.ts';
import type { Exchange } from '../exchanges/exchange.ts';

/** The texts and numbers of a value, as they would be in a path. Of a large value, only the first ones. */
export function textsIn(value: unknown): readonly string[] {
  return scalarsIn(value, () => true);
}

/** Those by which a thing may be found: ids, names and other keys. */
export function idsIn(value: unknown): readonly string[] {
  return scalarsIn(value, (name) =>
    /id$|^(?:uuid|guid|key|slug|name|code|number|username|email)$/i.test(name),
  );
}

/**
 * Whether an id is so long, or so far from those that servers count, that nothing on a server has it, unless the id was shown
 * somewhere.
 */
export function isBeyondGuessing(id: string): boolean {
  return /^\d+$/.test(id) ? Number(id) >= FAR : id.length >= LONG;
}

/** Whether an id changes the path that it is written into. */
export function isLostInPath(id: string): boolean {
  return id === '' || id === '.' || id === '..';
}

/** Whether an answer shows a name that the run made up for this call: then it is about a thing that the call made. */
export function showsFreshKey(exchange: Pick<Exchange, 'request' | 'answer'>): boolean {
  return hasFreshKey(exchange, Buffer.from(exchange.answer?.body ?? []).toString());
}

/** The same for a part of the answer. */
export function hasFreshKey({ request }: Pick<Exchange, 'request'>, shown: string): boolean {
  if (request.method !== 'POST' || request.body === undefined) return false;
  const keys = Buffer.from(request.body).toString().match(FRESH_KEYS) ?? [];
  return keys.some((key) => shown.includes(key));
}

// --- internal ---

function scalarsIn(value: unknown, isWanted: (name: string) => boolean): readonly string[] {
  const found: string[] = [];
  const open: (readonly [name: string, value: unknown])[] = [['id', value]];
  for (let looked = 0; open.length > 0 && looked < MOST_LOOKED; looked += 1) {
    const [name, next] = open.pop() ?? ['', undefined];
    const isScalar = typeof next === 'number' || (typeof next === 'string' && next.length <= LONGEST_ID);
    if (isScalar && isWanted(name)) found.push(String(next));
    else if (Array.isArray(next))
      for (const item of (next as unknown[]).slice(0, MOST_LOOKED)) open.push(['id', item]);
    else if (isRecord(next)) open.push(...Object.entries(next));
  }
  return found;
}

/** The names of creations, as their bodies have them. */
const FRESH_KEYS = /tallystick-[0-9a-f]{8}/g;

const MOST_LOOKED = 5_000;
const LONGEST_ID = 200;
const FAR = 1_000_000;
const LONG = 8;
