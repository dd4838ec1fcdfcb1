import type { Report } from '../verdicts/report.ts';

/** Colours and symbols of terminal output; plain text without colours. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly caution: (text: string) => string;
  readonly symbols: {
    readonly pass: string;
    readonly fail: string;
    readonly warn: string;
    readonly note: string;
  };
}

export function makeStyle(options: { readonly colour?: boolean; readonly ascii?: boolean }): Style {
  const paint =
    (open: number, close: number) =>
    (text: string): string =>
      options.colour === true && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  const symbols =
    options.ascii === true
      ? { pass: '+', fail: 'x', warn: '!', note: 'i' }
      : { pass: '✔', fail: '✖', warn: '▲', note: 'ℹ' };
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    bad: paint(31, 39),
    caution: paint(33, 39),
    symbols,
  };
}

/** Text wrapped to a width, each line after the first one indented. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.join(`\n${indent}`);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The number of requests, and how many of them could cost money, or change something where nothing costs any. */
export function requestCounts({ requests }: Pick<Report, 'requests'>): string {
  const { sent, billable, billedAtMost, isBilled } = requests;
  const costs =
    billable === undefined
      ? `, at most ${billedAtMost} of them ${costWords(isBilled)}`
      : `, ${billable} of them ${costWords(isBilled)} (limit of the plan: ${billedAtMost})`;
  return `${plural(sent, 'request')}${billedAtMost === 0 && (billable ?? 0) === 0 ? '' : costs}`;
}

/** A duration for people: `4.8 s`, `12 min 3 s`, `25 h 10 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What a POST with a usable credential may do to its caller. */
export function costWords(isBilled: boolean | undefined): string {
  return isBilled === false ? 'could change something' : 'could be billed';
}
