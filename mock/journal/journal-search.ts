import type { JournalEntry } from './journal.ts';

/**
 * Whether an entry answers a query: words, all of which must hold. `status:5xx`, `status:404`, `op:runModel`,
 * `api:jobs`, `method:post`, `key:91b0`, `caller:alice`, `model:mock/ok`, `scenario:slow`, `rule:A-08`, and
 * `is:` with violation, assumed, replayed, billed, error or scenario; a minus before a word negates it; any
 * other word is searched in the target, the id and the bodies. Pure and without `node:`, so that pages can
 * use it too.
 */
export function answersQuery(entry: JournalEntry, query: string): boolean {
  return query
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((word) =>
      word.startsWith('-') && word.length > 1 ? !holds(entry, word.slice(1)) : holds(entry, word),
    );
}

// --- internal ---

function holds(entry: JournalEntry, word: string): boolean {
  const colon = word.indexOf(':');
  const test = colon > 0 ? tests.get(word.slice(0, colon).toLowerCase()) : undefined;
  if (test !== undefined) return test(entry, word.slice(colon + 1).toLowerCase());
  const text = word.toLowerCase();
  return [entry.target, entry.id, entry.request.body, entry.response.body].some((place) => has(place, text));
}

const tests = new Map<string, (entry: JournalEntry, value: string) => boolean>([
  ['status', ({ status }, value) => statusIs(status, value)],
  ['op', ({ operation }, value) => has(operation, value)],
  ['api', ({ api }, value) => api === value],
  ['method', ({ method }, value) => method.toLowerCase() === value],
  ['key', ({ key }, value) => has(key, value)],
  // A key of the mock without a name after its plus sign matches only that caller, not all callers with a
  // name there.
  [
    'caller',
    ({ caller }, value) => (value.endsWith('+') ? caller?.endsWith(value) === true : has(caller, value)),
  ],
  ['model', ({ model }, value) => has(model, value)],
  ['scenario', ({ scenario }, value) => has(scenario, value)],
  ['rule', ({ trail }, value) => trail.some(({ because }) => has(because, value))],
  ['is', (entry, value) => is.get(value)?.(entry) ?? false],
]);

const is = new Map<string, (entry: JournalEntry) => boolean>([
  [
    'violation',
    ({ requestFindings, responseFindings }) =>
      [...requestFindings, ...responseFindings].some(({ severity }) => severity === undefined),
  ],
  ['assumed', ({ assumptions }) => assumptions.length > 0],
  ['replayed', ({ replayed }) => replayed],
  ['billed', ({ billed }) => billed === true],
  ['error', ({ status }) => status === 0 || status >= 400],
  ['scenario', ({ scenario }) => scenario !== undefined],
]);

/** `404`, `5xx`, or `cut` for a connection that was cut instead of answered. */
function statusIs(status: number, value: string): boolean {
  if (value === 'cut') return status === 0;
  const text = String(status);
  return /^\dxx$/.test(value) ? text.startsWith(value.charAt(0)) : text.startsWith(value);
}

function has(text: string | undefined, part: string): boolean {
  return text?.toLowerCase().includes(part) ?? false;
}
