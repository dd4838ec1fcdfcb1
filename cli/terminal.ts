import { styleText } from 'node:util';
import { visibleLines, withoutWorkflowCommands } from '../contract/index.ts';

type Style = Parameters<typeof styleText>[0];

/** The outputs of a command: its result goes to stdout, everything else to stderr. */
export interface Terminal {
  /** A line of the result. */
  readonly result: (line: string) => void;
  /** A line about progress or problems. */
  readonly say: (line: string) => void;
  /** Lines for the build system that keeps the log: commands of GitHub Actions, already escaped. */
  readonly command: (lines: string) => void;
  readonly sign: Readonly<Record<'good' | 'bad' | 'warning' | 'info' | 'arrow' | 'dot', string>>;
  /** Colours a text if the stream of `result` or `say` shows colours. */
  readonly paint: (style: Style, text: string, stream?: 'result' | 'say') => string;
  readonly colour: Readonly<Record<'result' | 'say', boolean>>;
  /** Whether a person may be watching both streams. */
  readonly interactive: boolean;
  readonly ascii: boolean;
}

export interface Streams {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @param hide removes secrets from each line */
export function makeTerminal(
  { stdout, stderr }: Streams,
  environment: Environment,
  hide: (line: string) => string = (line) => line,
): Terminal {
  const ascii = environment['TERM'] === 'dumb';
  const colour = {
    result: showsColour(stdout, environment),
    say: showsColour(stderr, environment),
  };
  // In such a log, a line with foreign text could be a command.
  const shown = (line: string): string => {
    const text = printable(hide(line));
    return environment['GITHUB_ACTIONS'] === 'true' ? withoutWorkflowCommands(text) : text;
  };
  return {
    result: (line) => void stdout.write(`${shown(line)}\n`),
    say: (line) => void stderr.write(`${shown(line)}\n`),
    command: (lines) => void (lines === '' || stdout.write(`${printable(hide(lines))}\n`)),
    sign: ascii
      ? { good: 'ok', bad: 'x', warning: '!', info: 'i', arrow: '->', dot: '-' }
      : { good: '✔', bad: '✖', warning: '▲', info: 'ℹ', arrow: '→', dot: '·' },
    paint: (style, text, stream = 'result') =>
      colour[stream] ? styleText(style, text, { validateStream: false }) : text,
    colour,
    interactive: stdout.isTTY === true && stderr.isTTY === true && environment['CI'] === undefined,
    ascii,
  };
}

/** Columns padded to the widest cell, the last one left as it is; every cell on one line. */
export function table(rows: readonly (readonly string[])[], gap = '  '): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join(gap)
      .trimEnd(),
  );
}

// --- internal ---

function showsColour(stream: { readonly isTTY?: boolean }, environment: Environment): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && environment['TERM'] !== 'dumb';
}

/** Only our own colours reach the terminal, not control sequences of quoted text. */
function printable(line: string): string {
  // Odd pieces are colours.
  return line
    .split(COLOURS)
    .map((piece, index) => (index % 2 === 1 ? piece : visibleLines(piece)))
    .join('');
}

/** Bold, dim and underlined, the foreground colours, and their ends. */
const COLOURS = /(\u001b\[(?:0|1|2|4|22|24|3[0-79]|9[0-7])m)/;
