import { shellWord } from '../../contract/index.ts';
import type { StoredExchange } from '../verdicts/report.ts';
import { valuesOf } from '../schemas/taken-values.ts';
import type { TakenValue } from '../schemas/taken-values.ts';

/** A text of a request in pieces: literal text, and variables of the script. */
export type ScriptPiece = string | { readonly variable: string } | { readonly command: string };

/** Assigns a variable of the script. */
export interface Assignment {
  readonly variable: string;
  readonly command: string;
  /** The exchange after whose answer it is assigned; `undefined` at the start of the script. */
  readonly after: string | undefined;
}

/**
 * Knows which parts of the requests must not be sent literally: idempotency keys and version numbers are
 * generated, one for each that the scenario used, and values of earlier answers are read from the answers of
 * the script.
 */
export class ScriptValues {
  readonly assignments: Assignment[] = [];
  readonly #fresh = new Map<string, string>();
  readonly #taken = new Map<string, string>();
  #offered: readonly TakenValue[] = [];

  constructor(course: readonly StoredExchange[]) {
    const keys = new Set<string>();
    const versions = new Set<string>();
    for (const { request } of course) {
      for (const [name, value] of request.headers)
        if (/^idempotency-key$/i.test(name)) for (const [key] of value.matchAll(UUID)) keys.add(key);
      if (request.method === 'POST' && /\/versions$/.test(request.target))
        for (const [, version = ''] of (request.body?.text ?? '').matchAll(VERSION)) versions.add(version);
    }
    for (const key of keys) this.#makeFresh(key, `key${this.#fresh.size + 1}`, 'fresh_key');
    let count = 0;
    for (const version of versions) {
      count += 1;
      const series = version.slice(0, version.lastIndexOf('.') + 1);
      this.#makeFresh(version, `version${count}`, `echo "${series}$(( $(date +%s) + ${count} ))"`);
    }
  }

  /** From now on requests may repeat these values. */
  offer(values: readonly TakenValue[]): void {
    // Of equal values, the latest answer counts, because the scenario has just read it.
    this.#offered = [...values, ...this.#offered].slice(0, MOST_OFFERED);
  }

  /** The exchanges whose answers a text repeats. */
  sourcesOf(text: string): readonly string[] {
    return this.#offered
      .filter(({ value }) => spellings(value).some((one) => text.includes(one)))
      .map(({ from }) => from);
  }

  piecesOf(text: string): readonly ScriptPiece[] {
    let pieces: readonly ScriptPiece[] = [text];
    for (const [key, variable] of this.#fresh) pieces = replaced(pieces, key, { variable });
    const offered = [...this.#offered].sort((a, b) => b.value.length - a.value.length);
    for (const value of offered) {
      const [plain = '', encoded] = spellings(value.value);
      if (encoded !== undefined && isIn(pieces, encoded))
        pieces = replaced(pieces, encoded, { command: `encoded "$${this.#variableOf(value)}"` });
      else if (isIn(pieces, plain)) pieces = replaced(pieces, plain, { variable: this.#variableOf(value) });
    }
    return this.#withBeginnings(pieces, offered);
  }

  /** A cursor that was sent without its end. */
  #withBeginnings(pieces: readonly ScriptPiece[], offered: readonly TakenValue[]): readonly ScriptPiece[] {
    return pieces.flatMap((piece): readonly ScriptPiece[] => {
      if (typeof piece !== 'string') return [piece];
      const [whole, before = '', given = '', after = ''] =
        /^([^]*[?&]cursor=)([\w.~-]{4,})((?:&[^]*)?)$/i.exec(piece) ?? [];
      const value = offered.find(({ name, value: long }) => /cursor/i.test(name) && long.startsWith(given));
      if (whole === undefined || value === undefined) return [piece];
      return [before, { command: `printf '%.${given.length}s' "$${this.#variableOf(value)}"` }, after];
    });
  }

  #makeFresh(text: string, variable: string, command: string): void {
    this.#fresh.set(text, variable);
    this.assignments.push({ variable, command, after: undefined });
  }

  #variableOf({ from, kind, name, nth, part }: TakenValue): string {
    const call = kind === 'header' ? `header ${name} ${from}` : `member ${name} ${nth} ${from}`;
    const command = part === 'whole' ? call : `${call} | ${part}`;
    const known = this.#taken.get(command);
    if (known !== undefined) return known;
    const variable = `${name.toLowerCase().replaceAll(/\W/g, '_')}${this.#taken.size + 1}`;
    this.#taken.set(command, variable);
    this.assignments.push({ variable, command, after: from });
    return variable;
  }
}

/** The exchanges of a course whose answers later requests of it repeat. */
export function sourcesIn(course: readonly StoredExchange[]): readonly string[] {
  const values = new ScriptValues([]);
  const sources = new Set<string>();
  for (const exchange of course) {
    for (const id of values.sourcesOf(textOf(exchange))) sources.add(id);
    values.offer(valuesOf(exchange));
  }
  return [...sources];
}

/** All parts of a request that may repeat text of a server. */
export function textOf({ request }: StoredExchange): string {
  return [request.target, ...request.headers.map(([, value]) => value), request.body?.text ?? ''].join('\n');
}

/** The pieces as one word of a shell. */
export function wordOf(pieces: readonly ScriptPiece[], secrets?: RegExp): string {
  const words = pieces.map((piece) => {
    if (typeof piece === 'string') return piece === '' ? '' : shellWord(piece, secrets);
    return 'variable' in piece ? `"$${piece.variable}"` : `"$(${piece.command})"`;
  });
  return words.join('') === '' ? "''" : words.join('');
}

// --- internal ---

const MOST_OFFERED = 500;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The number of a publication: its last part increases from call to call. */
const VERSION = /"node_version"\s*:\s*\{[^{}]*?"version"\s*:\s*"(\d{1,10}\.\d{1,10}\.\d{1,15})/g;

/** Literally, and encoded for a query, if that differs. */
function spellings(value: string): readonly string[] {
  const encoded = encodeURIComponent(value);
  return encoded === value ? [value] : [value, encoded];
}

function isIn(pieces: readonly ScriptPiece[], part: string): boolean {
  return pieces.some((piece) => typeof piece === 'string' && piece.includes(part));
}

function replaced(pieces: readonly ScriptPiece[], part: string, by: ScriptPiece): readonly ScriptPiece[] {
  return pieces.flatMap((piece): readonly ScriptPiece[] => {
    if (typeof piece !== 'string') return [piece];
    return piece.split(part).flatMap((text, index) => (index === 0 ? [text] : [by, text]));
  });
}
