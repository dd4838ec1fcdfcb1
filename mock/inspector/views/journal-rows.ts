import type { PendingCall } from '../../control/shape.ts';
import type { JournalEntry } from '../../journal/journal.ts';

/** A row of the journal: an exchange, or a call that is to become one. */
export interface JournalRow {
  /** What its address is made of: the number, and before there is one the id. */
  readonly name: string;
  readonly entry: JournalEntry;
  /** Since when it is under way, by the clock of this machine; `undefined` when it has ended. */
  readonly since: number | undefined;
}

/** Newest first: calls without an answer before all that have one. `entries` and `calls` come oldest first. */
export function rowsOf(
  entries: readonly JournalEntry[],
  calls: readonly PendingCall[],
): readonly JournalRow[] {
  const open = new Map(calls.map((call) => [call.id, call]));
  const rows = entries.map((entry): JournalRow => {
    const since = entry.delivery === undefined ? open.get(entry.id)?.realAt : undefined;
    // Also what has ended by its entry, and is still to be told as ended.
    open.delete(entry.id);
    return { name: String(entry.number), entry, since };
  });
  return [...rows, ...[...open.values()].map(rowOfCall)].reverse();
}

// --- internal ---

/** What is known of an exchange before it is one. */
function rowOfCall(call: PendingCall): JournalRow {
  const { id, realAt, state, status, number, ...known } = call;
  const nothing = { headers: [], body: '' };
  const entry: JournalEntry = {
    ...known,
    id,
    number: 0,
    status: status ?? 0,
    durationMs: 0,
    replayed: false,
    billed: undefined,
    delivery: undefined,
    assumptions: [],
    requestFindings: [],
    responseFindings: [],
    request: nothing,
    response: nothing,
  };
  return { name: id, entry, since: realAt };
}
