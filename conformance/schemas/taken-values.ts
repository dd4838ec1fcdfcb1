import type { StoredExchange } from '../verdicts/report.ts';

/** A value of an answer that later requests repeat, and how a shell script reads it from the answer. */
export interface TakenValue {
  /** The exchange whose answer has it. */
  readonly from: string;
  readonly kind: 'header' | 'member';
  /** The name of the header, or of the member of the JSON body. */
  readonly name: string;
  /** The position among the members with this name, from 1. */
  readonly nth: number;
  /** `path`: an address without its origin; `opaque`: an entity tag without its quotes and its `W/`. */
  readonly part: 'whole' | 'path' | 'opaque';
  /** As in the report, with secrets masked. */
  readonly value: string;
}

/**
 * Values of an answer that later requests may use: entity tags, addresses, cursors, and the ids of created
 * resources. Names of the catalogue are not included, because they are the same in every run.
 */
export function valuesOf({ id, request, answer }: StoredExchange): readonly TakenValue[] {
  if (answer === undefined) return [];
  const values: TakenValue[] = [];
  const add = (value: Omit<TakenValue, 'from'>): void => {
    if (value.value.length >= SHORTEST) values.push({ from: id, ...value });
  };
  for (const [name, value] of answer.headers) {
    if (!HEADERS.has(name.toLowerCase()) || !isPlain(value)) continue;
    const nth = 1;
    add({ kind: 'header', name: name.toLowerCase(), nth, part: 'whole', value });
    const path = pathOf(value);
    if (path !== undefined) add({ kind: 'header', name: name.toLowerCase(), nth, part: 'path', value: path });
    if (name.toLowerCase() === 'etag')
      add({ kind: 'header', name: 'etag', nth, part: 'opaque', value: value.replace(/^W\/|"/gi, '') });
  }
  if (answer.body === undefined || answer.body.encoding !== 'text') return values;
  const isCreated = request.method === 'POST' && answer.status >= 200 && answer.status < 300;
  const seen = new Map<string, number>();
  for (const [, name = '', text = ''] of answer.body.text.matchAll(MEMBER)) {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    if (nth > MOST_OF_A_NAME || values.length > MOST_VALUES) continue;
    const value = text.replaceAll('\\/', '/').replaceAll('\\u0026', '&');
    if (value.includes('\\') || !isPlain(value)) continue;
    const path = pathOf(value);
    if (path !== undefined) add({ kind: 'member', name, nth, part: 'path', value: path });
    if (
      path !== undefined ||
      /cursor|etag/i.test(name) ||
      (isCreated && nth === 1 && /^id$|_id$/i.test(name))
    )
      add({ kind: 'member', name, nth, part: 'whole', value });
  }
  return values;
}

// --- internal ---

/** Shorter texts occur by chance. */
const SHORTEST = 4;

const MOST_OF_A_NAME = 5;
const MOST_VALUES = 200;

const HEADERS = new Set(['etag', 'location', 'last-modified']);

/** A JSON member with a string, as `grep` finds it in the script too. */
const MEMBER = /"([A-Za-z_][\w-]{0,60})"\s*:\s*"([^"\n]*)"/g;

function isPlain(text: string): boolean {
  return /^[\u0020-\u007e…]+$/.test(text);
}

function pathOf(text: string): string | undefined {
  const [, path] = /^https?:\/\/[^/?#]+(\/[^#]*)$/i.exec(text) ?? [];
  return path;
}
