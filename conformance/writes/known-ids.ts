import { isRecord } from '../../contract/index.ts';

/** The texts and numbers of a value, as they would be in a path. Of a large value, only the first ones. */
export function textsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  for (let looked = 0; open.length > 0 && looked < MOST_LOOKED; looked += 1) {
    const next = open.pop();
    if (typeof next === 'number') found.push(String(next));
    else if (typeof next === 'string' && next.length <= LONGEST_ID) found.push(next);
    else if (Array.isArray(next)) open.push(...(next as unknown[]).slice(0, MOST_LOOKED));
    else if (isRecord(next)) open.push(...Object.values(next));
  }
  return found;
}

/**
 * Whether an id is so long, or so far from those that servers count, that nothing on a server has it, unless the id was shown
 * somewhere.
 */
export function isBeyondGuessing(id: string): boolean {
  return /^\d+$/.test(id) ? Number(id) >= FAR : id.length >= LONG;
}

// --- internal ---

const MOST_LOOKED = 5_000;
const LONGEST_ID = 200;
const FAR = 1_000_000;
const LONG = 8;
