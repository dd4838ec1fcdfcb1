import type { PendingCall } from '../../control/calls-shape.ts';
import type { JournalEntry } from '../../journal/journal.ts';

/** A row of the journal: an exchange, or a call in progress. */
export interface JournalRow {
  /** The row in its address: the number, or the id if there is no number yet. */
  readonly name: string;
  readonly entry: JournalEntry;
  /** When the call began, by the clock of this machine; `undefined` if it has ended. */
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
    // Includes calls whose entry shows the end before the event `ended` arrives.
    open.delete(entry.id);
    return { name: String(entry.number), entry, since };
  });
  return [...rows, ...[...open.values()].map(rowOfCall)].reverse();
}

// --- internal ---

/** The known part of an exchange whose call is in progress. */
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
