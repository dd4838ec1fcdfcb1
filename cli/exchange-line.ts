import { visible, visibleJson } from '../contract/index.ts';
import type { JournalEntry } from '../mock/index.ts';
import type { Terminal } from './terminal.ts';

/** An exchange on one line, for the terminal. */
export function exchangeLine(entry: JournalEntry, { paint }: Pick<Terminal, 'paint'>): string {
  const { at, status, method, target, durationMs, replayed, scenario, assumptions } = entry;
  const time = new Date(at).toTimeString().slice(0, 8);
  const notes = [replayed ? 'replayed' : '', scenario ?? '', ...assumptions, ...reasons(entry)].filter(
    (note) => note !== '',
  );
  const colour = status === 0 || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const shown = paint(colour, status === 0 ? 'cut' : String(status), 'say');
  const what = `${visible(method).padEnd(4)} ${cut(visible(target))}`;
  return `${time}  ${shown}  ${what}  ${durationMs}ms  ${cut(visible(notes.join(' ')))}`.trimEnd();
}

/** The same for programs. Headers and bodies are only in the journal. */
export function exchangeJson(entry: JournalEntry, more: object = {}): string {
  const { trail, requestFindings, responseFindings, request, response, ...facts } = entry;
  return visibleJson({ event: 'exchange', ...facts, ...more });
}

// --- internal ---

/** Why an answer may be unexpected for its caller. */
function reasons({ status, scenario, trail, requestFindings }: JournalEntry): readonly string[] {
  // In a browser, the page only sees a failed call.
  const refusedOrigin = trail.find(({ step }) => step === 'origin')?.decision ?? '';
  const notApplied = trail.find(
    ({ step, decision }) => step === 'scenario' && /^there is no scenario|declares no/.test(decision),
  )?.decision;
  const [first] = requestFindings;
  const isRefused = status >= 400 && status < 500 && scenario === undefined;
  const finding = isRefused && first !== undefined ? `${first.at}: ${first.message}` : '';
  return [refusedOrigin, notApplied ?? '', finding];
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 200;
