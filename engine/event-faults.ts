import { eventStreamParser } from '../contract/policies/event-stream.ts';
import type { Judged } from './judge.ts';
import { isNestedDeeperThan } from './nesting.ts';

/** A kind of events in a body. */
export interface EventKind {
  /** The names that events of this kind can have; if left out, any. */
  readonly names?: readonly string[];
  /** How the data of an event is read. */
  readonly form: 'json' | 'text';
}

/**
 * The faults of the first wrong event of a body, by the kinds that its document describes. An event that does not end is
 * none: readers of streams leave it out.
 *
 * @param judge judges the data of an event by a kind
 */
export function eventFault<Kind extends EventKind>(
  text: string,
  kinds: readonly Kind[],
  { jsonDepth, judge }: { readonly jsonDepth: number; readonly judge: (kind: Kind, data: unknown) => Judged },
): Judged {
  const judged = (kind: Kind, data: string): Judged => {
    if (kind.form === 'text') return judge(kind, data);
    if (isNestedDeeperThan(jsonDepth, data)) return fault('', `is nested more than ${jsonDepth} levels deep`);
    try {
      return judge(kind, JSON.parse(data));
    } catch {
      return fault('', 'must be JSON');
    }
  };
  const events = eventStreamParser().push(text);
  for (const [index, { event, data }] of events.entries()) {
    // Many streams have this text last.
    if (data === '[DONE]' && index === events.length - 1) continue;
    const fitting = kinds.filter(({ names }) => names?.includes(event) ?? true);
    if (fitting.length === 0) {
      const known = new Set(kinds.flatMap(({ names = [] }) => names));
      return fault(`/${index}/event`, `must be ${[...known].slice(0, MOST_NAMES).join(' or ')}`);
    }
    const found = fitting.map((kind) => judged(kind, data));
    const [wrong] = found.some(({ ok }) => ok) ? [] : found;
    if (wrong?.ok === false)
      return {
        ...wrong,
        errors: wrong.errors.map(({ pointer, message }) => ({
          pointer: `/${index}/data${pointer}`,
          message,
        })),
      };
  }
  return { ok: true };
}

// --- internal ---

/** More names are not listed. */
const MOST_NAMES = 10;

function fault(pointer: string, message: string): Judged {
  return { ok: false, errors: [{ pointer, message }] };
}
