import type { JournalEntry } from '../mock/index.ts';
import type { Terminal } from './terminal.ts';

/** An exchange on one line, for a person beside the mock. */
export function exchangeLine(entry: JournalEntry, { paint }: Pick<Terminal, 'paint'>): string {
  const { at, status, method, target, durationMs, replayed, scenario, assumptions } = entry;
  const time = new Date(at).toTimeString().slice(0, 8);
  const notes = [replayed ? 'replayed' : '', scenario ?? '', ...assumptions].filter((note) => note !== '');
  const colour = status === 0 || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const shown = paint(colour, status === 0 ? 'cut' : String(status), 'say');
  return `${time}  ${shown}  ${method.padEnd(4)} ${printable(target)}  ${durationMs}ms  ${notes.join(' ')}`.trimEnd();
}

/** The same for programs. Headers and bodies stay in the journal. */
export function exchangeJson(entry: JournalEntry): string {
  const { trail, requestFindings, responseFindings, request, response, ...facts } = entry;
  return JSON.stringify({ event: 'exchange', ...facts });
}

// --- internal ---

/** A target comes from anywhere: what moves a terminal's cursor is not printed. */
function printable(target: string): string {
  const plain = target.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}
