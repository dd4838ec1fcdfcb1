import { styleText } from 'node:util';
import type { Diagnostic, SourceLocation } from '../model.ts';
import { visible } from '../plain-text.ts';
import { maskedAddresses } from '../secrecy/addresses.ts';
import { shownPlace } from '../text/locate.ts';

/** Options for printing diagnostics. */
export interface RenderOptions {
  readonly colour: boolean;
  /** The text of a file, by its name in diagnostics. If it is known, a code frame is shown. */
  readonly source?: (file: string) => string | undefined;
  /** Use only ASCII characters, which any terminal can show. */
  readonly ascii?: boolean;
}

/**
 * Prints diagnostics for people: problem, place, the lines around the place, next step. No trailing line
 * break.
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: RenderOptions): string {
  const files = new Map<string, readonly string[] | undefined>();
  // A large file is read and divided once.
  const linesOf = (file: string): readonly string[] | undefined => {
    if (!files.has(file)) {
      const text = options.source?.(file);
      // A search for one character is much faster, and most files have no carriage returns.
      files.set(file, text?.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n'));
    }
    return files.get(file);
  };
  return diagnostics.map((diagnostic) => renderOne(diagnostic, options, linesOf)).join('\n');
}

// --- internal ---

type Style = Parameters<typeof styleText>[0];

function renderOne(
  diagnostic: Diagnostic,
  options: RenderOptions,
  linesOf: (file: string) => readonly string[] | undefined,
): string {
  const { severity, location, code } = diagnostic;
  const message = maskedAddresses(diagnostic.message);
  const help = diagnostic.help === undefined ? undefined : maskedAddresses(diagnostic.help);
  const paint = (style: Style, text: string): string =>
    options.colour ? styleText(style, text, { validateStream: false }) : text;
  const sign = { error: options.ascii === true ? 'x' : '✖', warning: options.ascii === true ? '!' : '▲' }[
    severity
  ];
  const place = location === undefined ? '' : `  (${shownPlace(location)})`;
  const lines = [
    `${paint(severity === 'error' ? 'red' : 'yellow', sign)} ${visible(message)}${paint('dim', `${visible(place)}  ${code}`)}`,
  ];
  const source = location && linesOf(location.file);
  if (location && source !== undefined)
    lines.push(...frame(source, location).map((line) => `   ${paint('dim', line)}`));
  if (help !== undefined) lines.push(`   ${visible(help)}`);
  return lines.join('\n');
}

const WIDEST = 96;

/** Characters. */
const LONGEST_ADDRESS = 1_000;

/** The line before and the line itself, with a caret. A long line is cut around the caret. */
function frame(lines: readonly string[], location: SourceLocation): string[] {
  const isLong = (lines[location.line - 1] ?? '').length > WIDEST;
  const start = isLong ? Math.max(0, location.column - 1 - WIDEST / 2) : 0;
  const gutter = String(location.line).length;
  const show = (number: number): string => {
    // The cut may be within an address, so more than what is shown is searched for secrets.
    const from = Math.max(0, start - LONGEST_ADDRESS);
    const searched = (lines[number - 1] ?? '').slice(from, start + WIDEST + LONGEST_ADDRESS);
    const line = maskedAddresses(searched, { sameLength: true }).slice(start - from);
    const cut = start > 0 && line !== '' ? `…${line.slice(1, WIDEST)}` : line.slice(0, WIDEST);
    return `${String(number).padStart(gutter)} | ${visible(cut)}${line.length > WIDEST ? '…' : ''}`.trimEnd();
  };
  const before = location.line > 1 ? [show(location.line - 1)] : [];
  const caret = `${' '.repeat(gutter)} | ${' '.repeat(location.column - 1 - start)}^`;
  return [...before, show(location.line), caret];
}
