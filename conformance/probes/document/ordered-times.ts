import { isRecord } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';

/**
 * A made-up body in which what ends is later than what begins, at each level: many servers refuse a span without length.
 * Values that already differ stay as they are.
 */
export function inOrder(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(inOrder);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, inOrder(inner as Json)] as const);
  const begins = members.filter(([name]) => BEGINS.test(name)).map(([, time]) => time);
  return Object.fromEntries(
    members.map(([name, time]) => [
      name,
      typeof time === 'string' && ENDS.test(name) && begins.includes(time) ? later(time) : time,
    ]),
  );
}

// --- internal ---

const BEGINS =
  /^(?:starts?|begins?|from|since|valid_?from|not_?before|check_?in|departs?|departure)(?:$|_|[A-Z])/i;
const ENDS =
  /^(?:ends?|until|till|to|expires?|valid_?(?:to|until)|not_?after|check_?out|arrives?|arrival)(?:$|_|[A-Z])/i;

/** A day later, in the same form; the text itself if it is neither a date nor a time of a day. */
function later(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}.*)?$/.test(text)) return text;
  const time = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(time.getTime())) return text;
  const next = new Date(time.getTime() + DAY_MS).toISOString().slice(0, 10);
  return `${next}${text.slice(10)}`;
}

const DAY_MS = 86_400_000;
